import { createHash } from "node:crypto";
import { TokenReview, type UserInfo } from "../../api/types/authentication/v1.ts";
import { SubjectAccessReview } from "../../api/types/authorization/v1.ts";
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
} from "../../base/index.ts";
import { ApiError, type Client } from "../../client/index.ts";
import { withLane } from "../../transport/index.ts";
import type { Need } from "../preflight/needs.ts";
import { type HttpReply, type HttpRequest, text } from "./http-server.ts";
import { ReviewCache } from "./review-cache.ts";
import { ReviewQueue, type ReviewQueueOptions, TooManyReviewsError } from "./review-queue.ts";

/** Checks a request. Returns the response of a refused request, or `undefined` if the request is allowed. */
export type Guard = (request: HttpRequest) => Promise<HttpReply | undefined>;

export interface AccessGuardOptions {
  readonly client: Client;
  /** Aborts reviews in flight. */
  readonly signal?: AbortSignal | undefined;
  readonly log?: Logger | undefined;
  readonly clock?: Clock | undefined;
  readonly rng?: Rng | undefined;
}

/** Permissions that an access guard needs. */
export const accessGuardNeeds: readonly Need[] = [TokenReview, SubjectAccessReview].map((kind) => ({
  kind,
  verbs: ["create"],
  why: "the metrics guard reviews callers with it",
}));

/**
 * Lets in callers with a bearer token that the API server accepts (TokenReview) and with the permission to use the path
 * (SubjectAccessReview): a ClusterRole with `nonResourceURLs: ["/metrics"]` and `verbs: ["get"]` grants it. Other
 * callers are answered with 401 or 403, and with 500 if the server cannot review them.
 *
 * Callers without a token cost no request. Unknown tokens cost at most 5 reviews a second, and callers beyond that are
 * answered with 429. Tokens that were accepted before are reviewed apart from them, so a flood of unknown tokens does
 * not lock out a scraper.
 */
export function accessGuard(options: AccessGuardOptions): Guard {
  const guard = new AccessGuard(options);
  return (request) => guard.refusal(request);
}

class AccessGuard {
  readonly #signal: AbortSignal | undefined;
  readonly #log: Logger;
  readonly #clock: Clock;
  readonly #rng: Rng;
  /** Reviews of tokens that were not accepted before. */
  readonly #unknown: Reviewer;
  /** Reviews of tokens that were accepted before, and of the permissions of users. */
  readonly #known: Reviewer;
  /** Users by the hash of their token: the token itself is not kept. */
  readonly #users: ReviewCache<UserInfo>;
  readonly #permissions: ReviewCache<true>;
  /** Number of requests that were throttled since the last warning. */
  #throttled = 0;
  #nextWarningMs = 0;

  constructor(options: AccessGuardOptions) {
    const { client, signal, log = silentLogger, clock = realClock, rng = realRng } = options;
    const limits = { ...reviewLimits, signal, clock };
    this.#signal = signal;
    this.#log = log;
    this.#clock = clock;
    this.#rng = rng;
    this.#unknown = newReviewer(client, "unknown-callers", limits);
    this.#known = newReviewer(client, "known-callers", limits);
    // The lifetimes are controller-runtime's, except that a refused token is reviewed again sooner.
    this.#users = new ReviewCache({ acceptedMs: 60_000, refusedMs: 10_000, maxEntries, clock });
    this.#permissions = new ReviewCache({ acceptedMs: 300_000, refusedMs: 30_000, maxEntries, clock });
  }

  async refusal(request: HttpRequest): Promise<HttpReply | undefined> {
    const { method, path, headers, address } = request;
    const token = bearerToken(headers.authorization);
    if (token === undefined) return unauthorized;
    let user: UserInfo | undefined;
    try {
      user = await this.#userOf(token, address);
      if (!user) return unauthorized;
      const permission = { user, path, verb: method.toLowerCase() };
      const allowed = await this.#isAllowed(permission);
      return allowed ? undefined : text(403, `Authorization denied for user ${user.username}\n`);
    } catch (error) {
      if (error instanceof TooManyReviewsError) return this.#tooMany(path);
      const what = user ? `Authorization for user ${user.username} failed` : "Authentication failed";
      this.#log.error("access review failed", { path, error: asError(error).message });
      return text(500, `${what}\n`);
    }
  }

  #userOf(token: string, address: string): Promise<UserInfo | undefined> {
    const hash = hashOf(token);
    const send = async (client: Client, signal: AbortSignal): Promise<UserInfo | undefined> => {
      const { status } = await client.create(TokenReview, { metadata: {}, spec: { token } }, { signal });
      return status?.authenticated ? (status.user ?? {}) : undefined;
    };
    return this.#users.get(hash, (known) =>
      known ? this.#review(this.#known, hash, send) : this.#review(this.#unknown, address, send),
    );
  }

  async #isAllowed({ user, path, verb }: Permission): Promise<boolean> {
    const { username = "", groups, uid, extra } = user;
    const spec = { user: username, groups, uid, extra, nonResourceAttributes: { path, verb } };
    const send = async (client: Client, signal: AbortSignal): Promise<true | undefined> => {
      const { status } = await client.create(SubjectAccessReview, { metadata: {}, spec }, { signal });
      return status?.allowed || undefined;
    };
    const hash = hashOf(JSON.stringify(spec));
    const allowed = await this.#permissions.get(hash, () => this.#review(this.#known, username, send));
    return allowed ?? false;
  }

  /** Sends a review within the limits of the reviewer. */
  #review<R>({ client, queue }: Reviewer, caller: string, send: Send<R>): Promise<R> {
    return queue.run(caller, () => this.#retried((signal) => send(client, signal)));
  }

  /**
   * Returns the response to a request whose review was not sent. Logs at most once a minute, so that a flood does not
   * fill the log.
   */
  #tooMany(path: string): HttpReply {
    const nowMs = this.#clock.monotonic();
    this.#throttled += 1;
    if (nowMs >= this.#nextWarningMs) {
      this.#log.warn("too many callers to review", { path, throttled: this.#throttled });
      this.#nextWarningMs = nowMs + warningMs;
      this.#throttled = 0;
    }
    return tooManyRequests;
  }

  /** Sends a review up to five times, with ten seconds for each attempt. Client errors (4xx) are not retried. */
  async #retried<T>(send: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const clock = this.#clock;
    const signal = this.#signal;
    const backoff = new Backoff({ ...retryBackoff, clock, rng: this.#rng });
    for (let remaining = maxAttempts; ; ) {
      try {
        using limit = deadline(attemptMs, "an access review", { clock, signal });
        return await send(limit.signal);
      } catch (error) {
        remaining -= 1;
        if (remaining === 0 || isFinal(error)) throw error;
        await sleep(backoff.next(), { clock, signal });
      }
    }
  }
}

interface Permission {
  readonly user: UserInfo;
  readonly path: string;
  readonly verb: string;
}

type Send<R> = (client: Client, signal: AbortSignal) => Promise<R>;

/** Sends reviews of one group of callers. */
interface Reviewer {
  readonly client: Client;
  readonly queue: ReviewQueue;
}

/** Returns a reviewer with its own connections, so that they do not occupy those of controllers or of the lease. */
function newReviewer(client: Client, lane: string, limits: ReviewQueueOptions): Reviewer {
  return { client: client.through((transport) => withLane(transport, lane)), queue: new ReviewQueue(limits) };
}

/** A lane has two connections. */
const reviewLimits = { maxInFlight: 2, maxQueued: 16, maxPerCaller: 4, maxWaitMs: 5000, perSecond: 5 };

/**
 * Returns the token of an `Authorization` header; `undefined` if there is no token, or none that a server accepts: RFC
 * 6750 limits its characters, and OIDC tokens with hundreds of groups have about 10 KB.
 */
function bearerToken(authorization = ""): string | undefined {
  if (authorization.length > maxTokenLength) return undefined;
  return /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i.exec(authorization)?.[1];
}

const maxTokenLength = 16 * 1024;

const unauthorized = text(401, "Unauthorized\n", { "www-authenticate": "Bearer" });
const tooManyRequests = text(429, "Too Many Requests\n", { "retry-after": "5" });

/** Maximum number of cached accepted tokens, refused tokens and permissions. Each takes about 200 bytes. */
const maxEntries = 1000;
const warningMs = 60_000;
const maxAttempts = 5;
const attemptMs = 10_000;
const retryBackoff = { initialMs: 500, maxMs: 2000, factor: 1.5, jitter: 0.2 };

function isFinal(error: unknown): boolean {
  return error instanceof ApiError && error.code < 500 && error.code !== 429;
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("base64");
}
