import type { Verb } from "../request-verb.ts";

/**
 * What goes wrong on purpose: which requests, which of them, and what.
 *
 * ```ts
 * { on: { verb: "create", resource: "deployments.apps" }, which: { nth: 2 }, fault: { type: "refuse", code: 429 } }
 * { on: { verb: "watch", resource: "pods" }, which: { first: 1 }, fault: { type: "expire", afterEvents: 3 } }
 * ```
 */
export type FaultRule = RequestFaultRule | WatchFaultRule;

export interface RequestFaultRule {
  /** @default all requests, those for discovery and health too */
  readonly on?: FaultMatch | undefined;
  /** @default "every" */
  readonly which?: WhichRequests | undefined;
  readonly fault: RequestFault;
}

/** Watches have faults of their own, beside those of all requests. */
export interface WatchFaultRule {
  readonly on: FaultMatch & { readonly verb: "watch" };
  /** @default "every" */
  readonly which?: WhichRequests | undefined;
  readonly fault: WatchFault;
}

/** Requests that are all of what is said here. What is left out may be anything. */
export interface FaultMatch {
  readonly verb?: Verb | readonly Verb[] | undefined;
  /** As RBAC and kubectl name it: "pods", "deployments.apps", "deployments.apps/status". */
  readonly resource?: string | undefined;
  readonly namespace?: string | undefined;
  /** Of the object: in the path, in a new object's metadata, or in a field selector. */
  readonly name?: string | undefined;
  /** How the user agent begins: "website-operator". */
  readonly userAgent?: string | undefined;
}

/** Which of the requests that match, counted from 1 by each rule for itself, whatever other rules do to them. */
export type WhichRequests =
  | "every"
  | { readonly nth: number }
  | { readonly first: number }
  /** Each with this probability, in (0, 1]. */
  | { readonly chance: number };

export type RequestFault =
  | {
      /** Answered with an error. The server does not see it. */
      readonly type: "refuse";
      readonly code: RefusalCode;
      /** Of the header `Retry-After`; `false` for none. @default 1 for 429, none for others */
      readonly retryAfterSeconds?: number | false | undefined;
    }
  /** Reaches the server so much later. */
  | { readonly type: "delay"; readonly ms: number }
  /**
   * The connection breaks: `before` the server sees the request, `after` the server has done it but before a byte of
   * the answer, or in the `middle` of the answer's body.
   */
  | { readonly type: "cut"; readonly when: "before" | "after" | "middle" };

export type RefusalCode = 429 | 500 | 503 | 504;

/** What comes after `afterEvents` events, bookmarks included. @default 0: the watch begins so */
export interface WatchFault {
  /**
   * - `freeze`: nothing more comes, not even an end.
   * - `close`: it ends, as at its timeout.
   * - `expire`: it ends with an ERROR event of 410: what it would go on with is forgotten.
   * - `break`: its connection is cut.
   */
  readonly type: "freeze" | "close" | "expire" | "break";
  readonly afterEvents?: number | undefined;
}
