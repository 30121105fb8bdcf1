import { setTimeout as delay } from "node:timers/promises";

/** Counts reconciles. */
export class Reconciles {
  #count = 0;
  #goal = Number.POSITIVE_INFINITY;
  #reached: () => void = () => {};

  add(): void {
    this.#count += 1;
    if (this.#count === this.#goal) this.#reached();
  }

  /** Resolves after `count` more. */
  expect(more: number): Promise<void> {
    this.#goal = this.#count + more;
    return new Promise((resolve) => {
      this.#reached = resolve;
    });
  }

  /** Resolves after a while without a reconcile. */
  async quiet(): Promise<void> {
    for (let before = -1; before !== this.#count; ) {
      before = this.#count;
      await delay(300);
    }
  }
}
