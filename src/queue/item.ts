import type { Due } from "./delays.ts";
import { type MergeReason, ReasonList, type Reasons } from "./reason-list.ts";

/**
 * The state of a key. A dirty key is processing and has been added again meanwhile.
 *
 * ```
 *   idle ─▶ queued ─▶ processing ─▶ idle
 *             ▲            └─▶ dirty ┐
 *             └──────────────────────┘
 * ```
 */
export type ItemState = "idle" | "queued" | "processing" | "dirty";

/**
 * The queue's record of one key. While the key is queued, `priority`, `sinceMs` and the reasons belong to its pending
 * processing; while it is dirty, to the next one.
 */
export class Item<K, R> extends ReasonList<R> {
  readonly key: K;
  state: ItemState = "idle";
  priority = 0;
  /** Monotonic time of the first add. */
  sinceMs = 0;
  /** Position in its lane while queued, in `InFlight` while processing. */
  slot = 0;
  /** The pending delayed add. */
  delayed: DelayedAdd<K, R> | undefined = undefined;

  constructor(key: K) {
    super();
    this.key = key;
  }

  /** Records the first add since the key was idle or taken. */
  begin(add: ItemAdd<R>, merge: MergeReason<R>): void {
    this.priority = add.priority ?? 0;
    this.addReasons(add, merge);
  }

  /** Merges a further add into the recorded one. The higher priority wins. */
  join(add: ItemAdd<R>, merge: MergeReason<R>): void {
    const { priority = 0 } = add;
    if (priority > this.priority) this.priority = priority;
    this.addReasons(add, merge);
  }

  /**
   * Marks the key as processing. Drops its reasons, which the lease now has, because idle items may be kept for long.
   */
  startProcessing(): void {
    this.state = "processing";
    this.clearReasons();
  }
}

/** Priority and reasons of an add. */
export interface ItemAdd<R> extends Reasons<R> {
  readonly priority?: number | undefined;
}

/** A delayed add of a key. */
export class DelayedAdd<K, R> extends ReasonList<R> implements Due {
  readonly item: Item<K, R>;
  dueMs: number;
  priority: number;
  heapIndex = 0;

  constructor(item: Item<K, R>, dueMs: number, priority: number) {
    super();
    this.item = item;
    this.dueMs = dueMs;
    this.priority = priority;
  }
}
