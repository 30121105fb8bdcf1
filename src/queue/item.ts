import type { Due } from "./delays.ts";

/**
 * Where a key is.
 *
 * ```
 *   resting ─▶ in line ─▶ out ─▶ resting
 *                 ▲        └─▶ out, and again ┐
 *                 └───────────────────────────┘
 * ```
 */
export type Place = "resting" | "in line" | "out" | "out, and again";

/** All that a queue knows of one key, so that it is looked up once for whatever happens to it. */
export class Item<K, R> {
  readonly key: K;
  place: Place = "resting";
  /** Of its stay in line, or of the one that follows when it is back. */
  priority = 0;
  /** Of the same. */
  reasons: readonly R[] = none;
  /** The same, once it is an array of our own, to which more can be added. */
  #more: R[] | undefined = undefined;
  /** When it was first added for that. */
  sinceMs = 0;
  /** Where it is in its lane, or among those that are out. */
  slot = 0;
  /** Its add for later, where there is one. */
  later: Later<K, R> | undefined = undefined;

  constructor(key: K) {
    this.key = key;
  }

  /** The first add for a stay in line. */
  begin(priority: number, reasons: readonly R[] | undefined): void {
    this.priority = priority;
    this.reasons = reasons ?? none;
    this.#more = undefined;
  }

  /** One more for the same. */
  join(priority: number, reasons: readonly R[] | undefined): void {
    if (priority > this.priority) this.priority = priority;
    if (reasons === undefined || reasons.length === 0) return;
    if (this.reasons.length === 0) {
      this.reasons = reasons;
      return;
    }
    this.#more ??= [...this.reasons];
    for (const reason of reasons) this.#more.push(reason);
    this.reasons = this.#more;
  }

  /** It leaves: its reasons go with whoever has it, and are not kept here, where keys may rest for long. */
  leave(): void {
    this.place = "out";
    this.reasons = none;
    this.#more = undefined;
  }
}

/** A key that waits for its time. */
export interface Later<K, R> extends Due {
  readonly item: Item<K, R>;
  priority: number;
  reasons: readonly R[];
}

const none: readonly never[] = [];
