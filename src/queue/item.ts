import type { Due } from "./delays.ts";
import { type MergeReason, ReasonList, type Reasons } from "./reason-list.ts";

/**
 * Where a key is.
 *
 * ```
 *   resting ─▶ in line ─▶ out ─▶ resting
 *                 ▲        └─▶ out, and again ┐
 *                 └───────────────────────────┘
 * ```
 */
export type Place = "idle" | "queued" | "processing" | "dirty";

/**
 * All that a queue knows of one key, so that it is looked up once for whatever happens to it. Its priority and its reasons
 * are those of its stay in the queue or, while it is processed, of the next one.
 */
export class Item<K, R> extends ReasonList<R> {
  readonly key: K;
  place: Place = "idle";
  priority = 0;
  /** When it was first added for that. */
  sinceMs = 0;
  /** Where it is in its lane, or among those that are out. */
  slot = 0;
  /** Its add for later, where there is one. */
  later: Later<K, R> | undefined = undefined;

  constructor(key: K) {
    super();
    this.key = key;
  }

  /** The first add for a stay in the queue. */
  begin(add: ItemAdd<R>, merge: MergeReason<R>): void {
    this.priority = add.priority ?? 0;
    this.addReasons(add, merge);
  }

  /** Another add for the same stay. */
  join(add: ItemAdd<R>, merge: MergeReason<R>): void {
    const { priority = 0 } = add;
    if (priority > this.priority) this.priority = priority;
    this.addReasons(add, merge);
  }

  /** The key is taken: its reasons belong to the lease, and are not kept here, where keys may rest for long. */
  leave(): void {
    this.place = "processing";
    this.clearReasons();
  }
}

/** What an add says of a key. */
export interface ItemAdd<R> extends Reasons<R> {
  readonly priority?: number | undefined;
}

/** A key that waits for its time. */
export class Later<K, R> extends ReasonList<R> implements Due {
  readonly item: Item<K, R>;
  dueMs: number;
  priority: number;
  place = 0;

  constructor(item: Item<K, R>, dueMs: number, priority: number) {
    super();
    this.item = item;
    this.dueMs = dueMs;
    this.priority = priority;
  }
}
