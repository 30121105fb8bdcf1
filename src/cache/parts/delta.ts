import type { KubeObject } from "../../api/index.ts";

/** One change of an object in a `DeltaFifo`. */
export type Delta<T extends KubeObject> =
  | {
      /**
       * `replaced`: the object is in a new list, and may be unchanged. `sync`: a resync of an unchanged object. The
       * store decides whether an object is new: an object may be `added` twice, and `replaced` at any time.
       */
      readonly type: "added" | "updated" | "replaced" | "sync";
      readonly object: T;
    }
  | {
      readonly type: "deleted";
      /** The last version, or the last known version if the delete was missed. */
      readonly object: T;
      /** True if the object is not in a new list: its delete was missed (a tombstone). */
      readonly missed: boolean;
    };

/** The changes of one object, oldest first. */
export type Deltas<T extends KubeObject> = readonly [Delta<T>, ...Delta<T>[]];

/** Deltas that are still queued. */
export type QueuedDeltas<T extends KubeObject> = [Delta<T>, ...Delta<T>[]];

/** Appends a delta. Two deletes in a row become one, of the newest version that the server sent. */
export function appendDelta<T extends KubeObject>(deltas: QueuedDeltas<T>, delta: Delta<T>): void {
  if (newestDelta(deltas).type !== "deleted" || delta.type !== "deleted") deltas.push(delta);
  else if (!delta.missed) deltas[deltas.length - 1] = delta;
}

export function newestDelta<T extends KubeObject>(deltas: Deltas<T>): Delta<T> {
  return deltas.at(-1) ?? deltas[0];
}
