import type { Item } from "./item.ts";

/** A key out for work. Leaving its scope hands it back; handing it back again does nothing. */
export interface Lease<K = string, R = unknown> extends Disposable {
  readonly key: K;
  readonly priority: number;
  /** When it was first added for this time out: milliseconds of the queue's monotonic clock. */
  readonly sinceMs: number;
  /** Why the key was added since it was last taken, oldest first: at most 16, of more the newest. */
  readonly reasons: readonly R[];
  /** How many reasons there were, including those that were merged or dropped. */
  readonly reasonCount: number;
}

/** One time out of a key: whoever has it may hold it for ever, so it is not used again. */
export class QueueLease<K, R> implements Lease<K, R> {
  readonly priority: number;
  readonly sinceMs: number;
  readonly reasons: readonly R[];
  readonly reasonCount: number;
  readonly #item: Item<K, R>;
  #holder: Holder<K, R> | undefined;

  constructor(item: Item<K, R>, holder: Holder<K, R>) {
    this.priority = item.priority;
    this.sinceMs = item.sinceMs;
    this.reasons = item.reasons;
    this.reasonCount = item.reasonCount;
    this.#item = item;
    this.#holder = holder;
  }

  get key(): K {
    return this.#item.key;
  }

  [Symbol.dispose](): void {
    const holder = this.#holder;
    this.#holder = undefined;
    holder?.handBack(this.#item);
  }
}

/** Whom a lease goes back to. */
export interface Holder<K, R> {
  handBack(item: Item<K, R>): void;
}
