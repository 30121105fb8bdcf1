import type { ChangeType } from "../transport/index.ts";
import type { Entry } from "./entry.ts";
import type { DecodeFailure } from "./entry-reader.ts";

/** Takes what one reflector hears, in order. Nothing in it throws or awaits. */
export interface ReflectorSink {
  /** The whole collection, as of this version: what is not in it is gone. */
  replace(entries: readonly Entry[], resourceVersion: string): void;
  change(type: ChangeType, entry: Entry): void;
  /** Nothing changed up to this version but what was told. */
  bookmark(resourceVersion: string): void;
  /** Set aside. */
  decodeFailure(decodeFailure: DecodeFailure): void;
  /** A chunk is over: what came since the last time is to be processed now, as one batch. */
  flush(): void;
  /** Notifications that wait to be delivered: over a thousand or so the reflector stops reading from the network. */
  readonly backlog: number;
  /** Calls once, when the backlog has gone. */
  whenDrained(run: () => void): void;
}
