import type { Verb } from "../routing/request-verb.ts";

/**
 * An injected fault: the requests that match, which of those fail, and how.
 *
 * ```ts
 * { on: { verb: "create", resource: "deployments.apps" }, which: { nth: 2 }, fault: { type: "refuse", code: 429 } }
 * { on: { verb: "watch", resource: "pods" }, which: { first: 1 }, fault: { type: "expire", afterEvents: 3 } }
 * ```
 */
export type FaultRule = RequestFaultRule | WatchFaultRule;

export interface RequestFaultRule {
  /** @default all requests, including discovery and health */
  readonly on?: FaultMatch | undefined;
  /** @default "every" */
  readonly which?: WhichRequests | undefined;
  readonly fault: RequestFault;
}

/** A rule for watches. Watches can have these faults in addition to those of all requests. */
export interface WatchFaultRule {
  readonly on: FaultMatch & { readonly verb: "watch" };
  /** @default "every" */
  readonly which?: WhichRequests | undefined;
  readonly fault: WatchFault;
}

/** Selects requests. A request matches if it has every value that is set here. */
export interface FaultMatch {
  readonly verb?: Verb | readonly Verb[] | undefined;
  /** The resource as RBAC and kubectl name it: "pods", "deployments.apps", "deployments.apps/status". */
  readonly resource?: string | undefined;
  readonly namespace?: string | undefined;
  /** The name of the object: in the path, in the metadata of a new object, or in a field selector. */
  readonly name?: string | undefined;
  /** A prefix of the user agent: "website-operator". */
  readonly userAgent?: string | undefined;
}

/**
 * Selects some of the matching requests. Each rule counts its matching requests from 1, including those that another
 * rule fails.
 */
export type WhichRequests =
  | "every"
  | { readonly nth: number }
  | { readonly first: number }
  /** Each request with this probability, in (0, 1]. */
  | { readonly chance: number };

export type RequestFault =
  | {
      /** The request fails with an error response. The server does not handle it. */
      readonly type: "refuse";
      readonly code: RefusalCode;
      /** Seconds in the `Retry-After` header; `false` omits the header. @default 1 for 429, none for others */
      readonly retryAfterSeconds?: number | false | undefined;
    }
  /** The request reaches the server this much later. */
  | { readonly type: "delay"; readonly ms: number }
  /**
   * The connection is cut: `before` the server handles the request, `after` it was handled but before the response, or
   * in the `middle` of the response body.
   */
  | { readonly type: "cut"; readonly when: "before" | "after" | "middle" };

export type RefusalCode = 429 | 500 | 503 | 504;

/** A fault of a watch. */
export interface WatchFault {
  /**
   * - `freeze`: the watch sends nothing, and does not end.
   * - `close`: the watch ends, as at its timeout.
   * - `expire`: the watch ends with an ERROR event with code 410, as if its resource version were too old.
   * - `break`: the connection is cut.
   */
  readonly type: "freeze" | "close" | "expire" | "break";
  /** Number of events, including bookmarks, that are sent before the fault. @default 0 */
  readonly afterEvents?: number | undefined;
}
