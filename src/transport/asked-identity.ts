import type { RequestOptions } from "node:https";
import { isDeepStrictEqual } from "node:util";
import type { Clock, Logger } from "../base/index.ts";
import type { Identity, Presented, TlsMaterial } from "./cluster-config.ts";
import { Reread } from "./reread.ts";

/** Something that knows how to fill in Node's request options: client-node's `KubeConfig`. */
export interface HttpsOptionsSource {
  applyToHTTPSOptions(options: RequestOptions): Promise<void>;
}

export interface AskedIdentityOptions {
  readonly source: HttpsOptionsSource;
  /** Whom it is about, for logs. */
  readonly user: string;
  readonly clock: Clock;
  readonly log: Logger;
}

/** How long an answer is used. Sources keep their tokens themselves; this spares them a call for each request. */
const everyMs = 10_000;

/** Who we are as somebody else's code has it: asked on use when the last answer is 10 s old or was refused. */
export class AskedIdentity implements Identity {
  readonly #presented: Reread<Presented>;
  readonly #options: AskedIdentityOptions;
  #tls: TlsMaterial | undefined;

  constructor(options: AskedIdentityOptions) {
    const { user, clock, log } = options;
    this.#options = options;
    this.#presented = new Reread({
      what: `credentials of ${user}`,
      read: () => this.#ask(),
      everyMs,
      retryMs: everyMs,
      clock,
      log,
    });
  }

  current(): Presented | Promise<Presented> {
    return this.#presented.current();
  }

  refused(presented: Presented): boolean {
    return this.#presented.refused(presented);
  }

  toJSON(): string {
    return `user ${this.#options.user} of client-node`;
  }

  get [Symbol.toStringTag](): string {
    return this.toJSON();
  }

  async #ask(): Promise<Presented> {
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

/** Whom to act as is in the configuration, not among the headers of the identity. */
function headersOf({ headers = {}, auth }: RequestOptions): Record<string, string> {
  const basic = auth ? { authorization: `Basic ${Buffer.from(auth, "utf8").toString("base64")}` } : {};
  const given = Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), String(value)] as const)
    .filter(([name]) => !name.startsWith("impersonate-"));
  return { ...basic, ...Object.fromEntries(given) };
}
