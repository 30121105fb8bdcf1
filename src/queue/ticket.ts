import type { Lane, Waiting } from "./lanes.ts";

/** A key out for work. Leaving its scope hands it back; handing it back again does nothing. */
export interface Lease<K = string, R = unknown> extends Disposable {
  readonly key: K;
  readonly priority: number;
  /** Of every add since the key left before. */
  readonly reasons: readonly R[];
}

/** One stay of a key in the queue: in line, then out, then gone. It is the lease of who works on the key. */
export class Ticket<K, R> implements Lease<K, R>, Waiting {
  readonly key: K;
  priority: number;
  /** Since when it is in line, then since when it is out. */
  sinceMs: number;
  lane: Lane<this> | undefined = undefined;
  before: this | undefined = undefined;
  after: this | undefined = undefined;
  /** The next stay: the key was added while it was out. */
  again: Ticket<K, R> | undefined = undefined;
  #reasons: readonly R[] = none;
  #handBack: ((ticket: Ticket<K, R>) => void) | undefined = undefined;

  constructor(key: K, priority: number, sinceMs: number) {
    this.key = key;
    this.priority = priority;
    this.sinceMs = sinceMs;
  }

  get reasons(): readonly R[] {
    return this.#reasons;
  }

  get isOut(): boolean {
    return this.#handBack !== undefined;
  }

  /** One more add of the same key. */
  join(priority: number, reasons: readonly R[] | undefined): void {
    this.priority = priority;
    if (reasons !== undefined && reasons.length > 0) {
      this.#reasons = this.#reasons.length === 0 ? reasons : [...this.#reasons, ...reasons];
    }
  }

  leave(handBack: (ticket: Ticket<K, R>) => void): void {
    this.#handBack = handBack;
  }

  [Symbol.dispose](): void {
    const handBack = this.#handBack;
    this.#handBack = undefined;
    handBack?.(this);
  }
}

const none: readonly never[] = [];
