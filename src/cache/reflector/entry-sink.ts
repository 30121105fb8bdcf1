import type { WatchDelta } from "../objects/delta-queue.ts";
import type { Entry } from "../objects/entry.ts";
import type { DecodeFailure } from "../objects/entry-reader.ts";

/** Receives what one reflector reads, in order. Its methods are synchronous and must not throw. */
export interface EntrySink {
  /** Replaces the collection by a complete list at this resource version. Objects that are not in it were deleted. */
  replace(entries: readonly Entry[], resourceVersion: string): void;
  change(delta: WatchDelta): void;
  /** Everything up to this resource version has been received. */
  bookmark(resourceVersion: string): void;
  /** An object of a list or an event could not be decoded. */
  decodeFailed(failure: DecodeFailure): void;
  /** Ends a chunk: the sink processes everything since the last flush as one batch. */
  flush(): void;
  /** Changes that wait for the slowest handler. Above 1,000, the reflector stops reading from the network. */
  readonly backlog: number;
  /** Calls `run` once, when the backlog is empty. */
  whenDrained(run: () => void): void;
}
