/** How well a copy is kept current. */
export interface WatchHealth {
  /** `empty` before it is started, `waiting` between two tries. */
  readonly phase: "empty" | "listing" | "watching" | "waiting" | "closed";
  /** Since when it is in that phase: wall time in milliseconds. */
  readonly sinceMs: number;
  /** Everything up to this version has come. `undefined` before the first list. */
  readonly resourceVersion?: string | undefined;
  /** When the server was heard last: wall time in milliseconds. A bookmark comes about once a minute. */
  readonly lastHeardMs?: number | undefined;
  /** How long ago that was by the monotonic clock, which no step of the wall clock changes. */
  readonly silentMs?: number | undefined;
  /** When an object was last told of, or a bookmark came. */
  readonly lastEventMs?: number | undefined;
  /** How often it had to begin anew, be it where it had been. */
  readonly restarts: number;
  /** What is wrong now: gone when a list or a watch begins to come. */
  readonly lastError?: Error | undefined;
}
