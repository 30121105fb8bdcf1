import { createAuthority, type KeyedCertificate, type Subject } from "../../certificates/index.ts";
import type { Authenticator } from "../auth/authentication.ts";
import type { Handler } from "../types/exchange.ts";
import { bracketed, type HttpListener, listen } from "./listen.ts";

export interface SecureListenOptions {
  /** @default a free port */
  readonly port?: number | undefined;
  /** The address to listen on. Beyond loopback, the authenticator must not be open. @default "127.0.0.1" */
  readonly host?: string | undefined;
  /** Further names and addresses in the server certificate. @default none */
  readonly hosts?: readonly string[] | undefined;
  /** Authenticates requests. */
  readonly authenticator: Authenticator;
}

/** An HTTPS listener with a certificate authority of its own. */
export interface SecureListener extends HttpListener {
  /** The CA certificate in PEM, which clients have to trust. */
  readonly ca: string;
  /** Issues a client certificate: the common name is the user, the organizations are the groups. */
  certificateFor(user: Subject): KeyedCertificate;
}

/** Listens for HTTP/2 and HTTP/1.1 over TLS, with certificates that exist only in memory. */
export async function listenSecurely(
  handler: Handler,
  options: SecureListenOptions,
): Promise<SecureListener> {
  const { host = "127.0.0.1", port, authenticator } = options;
  const authority = createAuthority("trimtab");
  const tls = { ...authority.server(namesOf(host, options.hosts)), clientCa: authority.cert };
  const listener = await listen(handler, { port, host, tls, authenticator });
  return {
    ...listener,
    url: reachable(listener.url, host),
    ca: authority.cert,
    certificateFor: (user) => authority.client(user),
  };
}

function namesOf(host: string, others: readonly string[] = []): string[] {
  const own = wildcardAddresses.has(host) ? [] : [host];
  return [...new Set(["localhost", "127.0.0.1", "::1", ...own, ...others])];
}

/** Wildcard addresses, to which clients do not connect. */
const wildcardAddresses: ReadonlySet<string> = new Set(["0.0.0.0", "::"]);

function reachable(url: string, host: string): string {
  if (!wildcardAddresses.has(host)) return url;
  return url.replace(bracketed(host), bracketed(host === "::" ? "::1" : "127.0.0.1"));
}
