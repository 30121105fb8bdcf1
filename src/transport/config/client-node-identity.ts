import type { RequestOptions } from "node:https";
import { isDeepStrictEqual } from "node:util";
import type { Clock, Logger } from "../../base/index.ts";
import type { Identity, RequestAuth, TlsMaterial } from "./cluster-config.ts";
import { ReloadingValue } from "./reloading-value.ts";

/** Fills in Node's request options, as client-node's `KubeConfig` does. */
export interface HttpsOptionsSource {
  applyToHTTPSOptions(options: RequestOptions): Promise<void>;
}

export interface ClientNodeIdentityOptions {
  readonly source: HttpsOptionsSource;
  /** The name of the user, for logs. */
  readonly user: string;
  readonly clock: Clock;
  readonly log: Logger;
}

/** How long the source's options are reused. Sources cache tokens on their own; this avoids a call for each request. */
const everyMs = 10_000;

/**
 * The credentials of a client-node `KubeConfig`. It requests them on use if the last ones are 10 s old or were refused.
 */
export class ClientNodeIdentity implements Identity {
  readonly #auth: ReloadingValue<RequestAuth>;
  readonly #options: ClientNodeIdentityOptions;
  #tls: TlsMaterial | undefined;

  constructor(options: ClientNodeIdentityOptions) {
    const { user, clock, log } = options;
    this.#options = options;
    this.#auth = new ReloadingValue({
      what: `credentials of ${user}`,
      read: () => this.#load(),
      everyMs,
      retryMs: everyMs,
      clock,
      log,
    });
  }

  current(): RequestAuth | Promise<RequestAuth> {
    return this.#auth.current();
  }

  refused(auth: RequestAuth): boolean {
    return this.#auth.refused(auth);
  }

  toJSON(): string {
    return `user ${this.#options.user} of client-node`;
  }

  get [Symbol.toStringTag](): string {
    return this.toJSON();
  }

  async #load(): Promise<RequestAuth> {
    const options: RequestOptions = {};
    await this.#options.source.applyToHTTPSOptions(options);
    const tls = tlsOf(options);
    if (!isDeepStrictEqual(tls, this.#tls)) this.#tls = tls;
    return { headers: headersOf(options), tls: this.#tls };
  }
}

function tlsOf({ ca, cert, key, servername, rejectUnauthorized }: RequestOptions): TlsMaterial {
  return {
    ca: pemOf(ca),
    cert: pemOf(cert),
    key: pemOf(key),
    serverName: servername,
    insecure: rejectUnauthorized === false,
  };
}

function pemOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return Array.isArray(value) ? value.map(String).join("\n") : String(value);
}

/** Returns the headers of the identity, without impersonation, which is part of the cluster configuration. */
function headersOf({ headers = {}, auth }: RequestOptions): Record<string, string> {
  const basic = auth ? { authorization: `Basic ${Buffer.from(auth, "utf8").toString("base64")}` } : {};
  const given = Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), String(value)] as const)
    .filter(([name]) => !name.startsWith("impersonate-"));
  return { ...basic, ...Object.fromEntries(given) };
}
