import type { Item } from "./item.ts";

/** A key that is being processed. Disposing the lease ends the processing; disposing it again has no effect. */
export interface Lease<K = string, R = unknown> extends Disposable {
  readonly key: K;
  readonly priority: number;
  /** Monotonic time of the queue's clock, in milliseconds, at which the key was first added for this processing. */
  readonly sinceMs: number;
  /** Why the key was added since it was last taken, oldest first; by default the newest 16. */
  readonly reasons: readonly R[];
  /** Number of reasons, including those that were merged or dropped. */
  readonly reasonCount: number;
}

/** The lease of a `WorkQueue`. Each processing has a new one, because callers may keep a reference after its end. */
export class QueueLease<K, R> implements Lease<K, R> {
  readonly priority: number;
  readonly sinceMs: number;
  readonly reasons: readonly R[];
  readonly reasonCount: number;
  readonly #item: Item<K, R>;
  #owner: LeaseOwner<K, R> | undefined;

  constructor(item: Item<K, R>, owner: LeaseOwner<K, R>) {
    this.priority = item.priority;
    this.sinceMs = item.sinceMs;
    this.reasons = item.reasons;
    this.reasonCount = item.reasonCount;
    this.#item = item;
    this.#owner = owner;
  }

  get key(): K {
    return this.#item.key;
  }

  [Symbol.dispose](): void {
    const owner = this.#owner;
    this.#owner = undefined;
    owner?.endLease(this.#item);
  }
}

/** The owner of leases. */
export interface LeaseOwner<K, R> {
  endLease(item: Item<K, R>): void;
}
