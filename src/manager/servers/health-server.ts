import {
  asError,
  type Clock,
  deadline,
  type Logger,
  realClock,
  silentLogger,
  unlessAborted,
} from "../../base/index.ts";
import { type HttpReply, type HttpRequest, HttpServer, notFound, text } from "./http-server.ts";

/** A check of liveness or readiness. */
export interface HealthCheck {
  /** Name in the list of checks, and in its path: `/readyz/<name>`. */
  readonly name: string;
  /** Throws if the check fails. Only its own path shows the error. */
  readonly check: () => void | Promise<void>;
  /** Shown after the result in `?verbose`, whether the check passes or fails. Must not be confidential. */
  readonly note?: (() => string | undefined) | undefined;
}

export interface HealthServerOptions {
  readonly port: number;
  readonly host?: string | undefined;
  /** Liveness checks. An empty list stands for "ping", which passes. @default 404 */
  readonly healthz?: readonly HealthCheck[] | undefined;
  /** Readiness checks. An empty list stands for "ping", which passes. @default 404 */
  readonly readyz?: readonly HealthCheck[] | undefined;
  /** A check that takes longer fails. @default 10_000 */
  readonly checkTimeoutMs?: number | undefined;
  readonly log?: Logger | undefined;
  readonly clock?: Clock | undefined;
}

/**
 * Serves `/healthz` and `/readyz` like Kubernetes components: `ok`, or the failed checks without reasons. `?verbose`
 * lists every check, `?exclude=<name>` excludes one, and `/readyz/<name>` shows one check with its reason.
 */
export function healthServer(options: HealthServerOptions): HttpServer {
  const pages = new Map<string, Page>();
  for (const name of ["healthz", "readyz"] as const) {
    const checks = options[name];
    if (checks) pages.set(name, new Page(name, checks, options));
  }
  const handler = ({ path, query }: HttpRequest): HttpReply | Promise<HttpReply> => {
    const [name = "", ...rest] = path.split("/").slice(1);
    return pages.get(name)?.respond(rest.join("/").replace(/\/$/, ""), query) ?? notFound;
  };
  const { port, host, log, clock } = options;
  return new HttpServer({ name: "health", port, host, handler, log, clock });
}

/** `/healthz` or `/readyz` with its checks. */
class Page {
  readonly #name: string;
  /** Sorted by name. */
  readonly #checks: ReadonlyMap<string, HealthCheck>;
  readonly #log: Logger;
  readonly #clock: Clock;
  readonly #timeoutMs: number;

  constructor(name: string, checks: readonly HealthCheck[], options: HealthServerOptions) {
    this.#name = name;
    this.#checks = byName(name, checks.length > 0 ? checks : [ping]);
    this.#log = options.log ?? silentLogger;
    this.#clock = options.clock ?? realClock;
    this.#timeoutMs = options.checkTimeoutMs ?? 10_000;
  }

  /** @param path Encoded path after that of the page. */
  async respond(path: string, query: URLSearchParams): Promise<HttpReply> {
    if (path === "") return this.#all(new Set(query.getAll("exclude")), query.has("verbose"));
    const check = this.#checks.get(decoded(path));
    if (!check) return notFound;
    const error = await this.#failure(check);
    return error ? text(500, `internal server error: ${error.message}\n`) : text(200, "ok");
  }

  async #all(excluded: ReadonlySet<string>, verbose: boolean): Promise<HttpReply> {
    const checks = [...this.#checks.values()];
    const errors = await Promise.all(
      checks.map(async (check) => (excluded.has(check.name) ? undefined : this.#failure(check))),
    );
    const failed = errors.some((error) => error !== undefined);
    if (!failed && !verbose) return text(200, "ok");
    const lines = checks.map((check, index) => line(check, excluded.has(check.name), errors[index]));
    const unknown = [...excluded].filter((name) => !this.#checks.has(name)).sort();
    if (unknown.length > 0)
      lines.push(`${cannotExclude}${unknown.map((name) => JSON.stringify(name)).join(",")}`);
    lines.push(`healthz check ${failed ? "failed" : "passed"}`);
    return text(failed ? 500 : 200, lines.map((each) => `${each}\n`).join(""));
  }

  async #failure({ name, check }: HealthCheck): Promise<Error | undefined> {
    using limit = deadline(this.#timeoutMs, `health check ${name}`, { clock: this.#clock });
    try {
      await unlessAborted((async () => check())(), limit.signal);
      return undefined;
    } catch (thrown) {
      const error = asError(thrown);
      this.#log.info("health check failed", { page: this.#name, check: name, error: error.message });
      return error;
    }
  }
}

/** The check of an empty list. */
const ping: HealthCheck = { name: "ping", check() {} };

const cannotExclude = "warn: some health checks cannot be excluded: no matches for ";

function line({ name, note }: HealthCheck, excluded: boolean, error: Error | undefined): string {
  if (excluded) return `[+]${name} excluded: ok`;
  const noted = noteText(note);
  return `${error ? `[-]${name} failed: reason withheld` : `[+]${name} ok`}${noted ? ` (${noted})` : ""}`;
}

function noteText(note: HealthCheck["note"]): string | undefined {
  try {
    return note?.();
  } catch (error) {
    return `note failed: ${asError(error).message}`;
  }
}

function byName(page: string, checks: readonly HealthCheck[]): Map<string, HealthCheck> {
  const found = new Map<string, HealthCheck>();
  for (const check of checks) {
    if (check.name === "")
      throw new TypeError(`expected a name for each check of ${page}, got an empty string`);
    if (found.has(check.name)) {
      throw new TypeError(`expected each check of ${page} to have its own name, got two "${check.name}"`);
    }
    found.set(check.name, check);
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Decodes a path. Returns an empty string, which is not a valid name, if it is malformed. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return "";
  }
}
