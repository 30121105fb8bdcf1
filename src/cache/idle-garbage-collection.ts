import type { Clock, Timer } from "../base/index.ts";

/**
 * Returns memory to the machine after a store has shrunk. V8 collects garbage when something is allocated: a process that deletes
 * 100,000 objects and is idle from then on would keep twice the memory of a new process until something else is allocated.
 *
 * When a store has lost half of its pages and nothing has changed in it for a while, this starts one collection.
 */
export class IdleGarbageCollection implements Disposable {
  readonly #clock: Clock;
  readonly #collect: () => void;
  /** The most bytes the store had since the last collection. */
  #most = 0;
  #changedMs = 0;
  #timer: Timer | undefined;

  /** @param collect for tests */
  constructor(clock: Clock, collect: () => void = startCollection) {
    this.#clock = clock;
    this.#collect = collect;
  }

  /** The store has changed, and has pages of so many bytes. */
  changed(bytes: number, nowMs: number): void {
    this.#changedMs = nowMs;
    if (bytes > this.#most) this.#most = bytes;
    else if (!this.#timer && this.#most - bytes > Math.max(this.#most / 2, leastBytes)) this.#wait(bytes);
  }

  [Symbol.dispose](): void {
    this.#timer?.cancel();
  }

  #wait(bytes: number): void {
    this.#timer = this.#clock.timer(quietMs, () => this.#look(bytes), { background: true });
  }

  #look(bytes: number): void {
    this.#timer = undefined;
    if (this.#clock.monotonic() - this.#changedMs < quietMs) return this.#wait(bytes);
    this.#most = bytes;
    this.#collect();
  }
}

/** Of pages. The rest of a process takes several times as much. */
const leastBytes = 4 * 1024 * 1024;
/** A store in which nothing changes for so long is idle. */
const quietMs = 5000;

/**
 * V8 starts an incremental collection when so much is allocated at once. It has no function for that. The memory is never
 * written, so the machine does not provide it.
 */
function startCollection(): void {
  new ArrayBuffer(72 * 1024 * 1024);
}
