/** Health of the watch that keeps a cache current. */
export interface WatchHealth {
  /** `empty` before the start, `waiting` during a backoff. */
  readonly phase: "empty" | "listing" | "watching" | "waiting" | "closed";
  /** Wall time at which the phase began, in milliseconds. */
  readonly sinceMs: number;
  /** Everything up to this resource version has been received. `undefined` before the first list. */
  readonly resourceVersion?: string | undefined;
  /** Wall time at which the server last sent anything, in milliseconds. A bookmark comes about once a minute. */
  readonly lastHeardMs?: number | undefined;
  /** Milliseconds since then by the monotonic clock, which steps of the wall clock do not affect. */
  readonly silentMs?: number | undefined;
  /** Wall time of the last event or bookmark, in milliseconds. */
  readonly lastEventMs?: number | undefined;
  /** Number of times the list or watch was started again, including resumes. */
  readonly restarts: number;
  /** The current failure. Cleared when a list or watch receives bytes again. */
  readonly lastError?: Error | undefined;
}
