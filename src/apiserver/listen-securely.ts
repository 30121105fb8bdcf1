import { createAuthority, type KeyedCertificate, type Subject } from "../certificates/index.ts";
import type { Authenticator } from "./authentication.ts";
import type { Handler } from "./exchange.ts";
import { bracketed, type HttpListener, listen } from "./listen.ts";

export interface SecureListenOptions {
  /** @default a free one */
  readonly port?: number | undefined;
  /** Beyond loopback only with an authenticator that is not open. @default "127.0.0.1" */
  readonly host?: string | undefined;
  /** Further names and addresses by which it is reached. @default none */
  readonly hosts?: readonly string[] | undefined;
  /** Who a request comes from. */
  readonly authenticator: Authenticator;
}

/** A front over HTTPS, with an authority of its own. */
export interface SecureListener extends HttpListener {
  /** The authority's certificate, in PEM: what clients have to trust. */
  readonly ca: string;
  /** By which somebody is known here: the common name is the user, the organizations are the groups. */
  certificateFor(user: Subject): KeyedCertificate;
}

/** Listens for HTTP/2 and HTTP/1.1 over TLS, with certificates made for it that are gone with it. */
export async function listenSecurely(
  handler: Handler,
  options: SecureListenOptions,
): Promise<SecureListener> {
  const { host = "127.0.0.1", port, authenticator } = options;
  const authority = createAuthority("trimtab");
  const tls = { ...authority.server(namesOf(host, options.hosts)), clientCa: authority.cert };
  const front = await listen(handler, { port, host, tls, authenticator });
  return {
    ...front,
    url: reachable(front.url, host),
    ca: authority.cert,
    certificateFor: (user) => authority.client(user),
  };
}

function namesOf(host: string, others: readonly string[] = []): string[] {
  const own = everywhere.has(host) ? [] : [host];
  return [...new Set(["localhost", "127.0.0.1", "::1", ...own, ...others])];
}

/** Addresses that stand for all of the machine's: nobody connects to them by that name. */
const everywhere: ReadonlySet<string> = new Set(["0.0.0.0", "::"]);

function reachable(url: string, host: string): string {
  if (!everywhere.has(host)) return url;
  return url.replace(bracketed(host), bracketed(host === "::" ? "::1" : "127.0.0.1"));
}
