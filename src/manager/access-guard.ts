import { createHash } from "node:crypto";
import { TokenReview, type UserInfo } from "../api/types/authentication/v1.ts";
import { SubjectAccessReview } from "../api/types/authorization/v1.ts";
import {
  asError,
  Backoff,
  type Clock,
  deadline,
  type Logger,
  type Rng,
  realClock,
  realRng,
  silentLogger,
  sleep,
} from "../base/index.ts";
import { ApiError, type Client } from "../client/index.ts";
import { withLane } from "../transport/index.ts";
import { type HttpReply, type HttpRequest, text } from "./http-server.ts";
import type { Need } from "./need.ts";
import { Remembered } from "./remembered.ts";

/** Looks at a request before it is answered: the refusal, or `undefined` where it may go on. */
export type Guard = (request: HttpRequest) => Promise<HttpReply | undefined>;

export interface AccessGuardOptions {
  readonly client: Client;
  /** Ends what is under way. */
  readonly signal?: AbortSignal | undefined;
  readonly log?: Logger | undefined;
  readonly clock?: Clock | undefined;
  readonly rng?: Rng | undefined;
}

/** What a guard asks the server. */
export const accessGuardNeeds: readonly Need[] = [TokenReview, SubjectAccessReview].map((kind) => ({
  kind,
  verbs: ["create"],
  why: "the guard of the metrics asks it who may read them",
}));

/**
 * Lets in who shows a bearer token that the API server knows, and may use the path there: a ClusterRole with
 * `nonResourceURLs: ["/metrics"]` and `verbs: ["get"]` is the right. Others are answered with 401 or 403, and with 500
 * where the server cannot say.
 */
export function accessGuard(options: AccessGuardOptions): Guard {
  const guard = new AccessGuard(options);
  return (request) => guard.refusal(request);
}

class AccessGuard {
  readonly #client: Client;
  readonly #signal: AbortSignal | undefined;
  readonly #log: Logger;
  readonly #clock: Clock;
  readonly #rng: Rng;
  /** By the token's hash: a token is not kept. */
  readonly #users: Remembered<UserInfo | undefined>;
  readonly #rights: Remembered<boolean>;

  constructor(options: AccessGuardOptions) {
    const { client, signal, log = silentLogger, clock = realClock, rng = realRng } = options;
    // Callers that are not known yet must not occupy the connections of controllers.
    this.#client = client.through((transport) => withLane(transport, "reviews"));
    this.#signal = signal;
    this.#log = log;
    this.#clock = clock;
    this.#rng = rng;
    this.#users = new Remembered({ keepMs: () => minuteMs, most, clock });
    this.#rights = new Remembered({
      keepMs: (allowed) => (allowed ? 5 * minuteMs : minuteMs / 2),
      most,
      clock,
    });
  }

  async refusal({ method, path, headers }: HttpRequest): Promise<HttpReply | undefined> {
    const token = /^bearer +(\S+) *$/i.exec(headers.authorization ?? "")?.[1];
    if (token === undefined) return unauthorized;
    let user: UserInfo | undefined;
    try {
      user = await this.#users.get(hashOf(token), () => this.#userOf(token));
      if (!user) return unauthorized;
      const right = { user, path, verb: method.toLowerCase() };
      const allowed = await this.#rights.get(JSON.stringify(right), () => this.#allowed(right));
      return allowed ? undefined : text(403, `Authorization denied for user ${user.username}\n`);
    } catch (error) {
      const what = user ? `Authorization for user ${user.username} failed` : "Authentication failed";
      this.#log.error("could not find out who may read this", { path, error: asError(error).message });
      return text(500, `${what}\n`);
    }
  }

  #userOf(token: string): Promise<UserInfo | undefined> {
    return this.#patiently(async (signal) => {
      const review = { metadata: {}, spec: { token } };
      const { status } = await this.#client.create(TokenReview, review, { signal });
      return status?.authenticated ? (status.user ?? {}) : undefined;
    });
  }

  #allowed({ user, path, verb }: Right): Promise<boolean> {
    const { username, groups, uid, extra } = user;
    const spec = { user: username, groups, uid, extra, nonResourceAttributes: { path, verb } };
    return this.#patiently(async (signal) => {
      const { status } = await this.#client.create(SubjectAccessReview, { metadata: {}, spec }, { signal });
      return status?.allowed ?? false;
    });
  }

  /** Each try has ten seconds, and there are five. What the server refuses is refused again: it is not tried twice. */
  async #patiently<T>(ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const clock = this.#clock;
    const signal = this.#signal;
    const backoff = new Backoff({ ...patience, clock, rng: this.#rng });
    for (let left = tries; ; ) {
      try {
        using limit = deadline(tryMs, "a review of who may read this", { clock, signal });
        return await ask(limit.signal);
      } catch (error) {
        left -= 1;
        if (left === 0 || isFinal(error)) throw error;
        await sleep(backoff.next(), { clock, signal });
      }
    }
  }
}

interface Right {
  readonly user: UserInfo;
  readonly path: string;
  readonly verb: string;
}

const unauthorized = text(401, "Unauthorized\n", { "www-authenticate": "Bearer" });

const minuteMs = 60_000;
/** Of tokens and of rights: whoever tries many tokens does not fill the memory. */
const most = 1000;
const tries = 5;
const tryMs = 10_000;
const patience = { initialMs: 500, maxMs: 2000, factor: 1.5, jitter: 0.2 };

function isFinal(error: unknown): boolean {
  return error instanceof ApiError && error.code < 500 && error.code !== 429;
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("base64");
}
