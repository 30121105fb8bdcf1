import type { Clock, Timer } from "../../base/index.ts";

/**
 * Returns memory to the operating system after a store has shrunk. V8 collects garbage only when something is
 * allocated: a process that deletes 100,000 objects and is idle from then on would keep twice the memory of a new
 * process.
 *
 * When a store has lost half of its pages and has not changed for 5 s, this starts one garbage collection.
 */
export class IdleGarbageCollection implements Disposable {
  readonly #clock: Clock;
  readonly #collect: () => void;
  /** Maximum size of the store since the last collection, in bytes. */
  #maxBytes = 0;
  #changedMs = 0;
  #timer: Timer | undefined;

  /** @param collect starts a collection; replaced in tests */
  constructor(clock: Clock, collect: () => void = startCollection) {
    this.#clock = clock;
    this.#collect = collect;
  }

  /** Called after each change of the store. @param bytes size of its pages @param nowMs monotonic time */
  changed(bytes: number, nowMs: number): void {
    this.#changedMs = nowMs;
    if (bytes > this.#maxBytes) this.#maxBytes = bytes;
    else if (!this.#timer && this.#maxBytes - bytes > Math.max(this.#maxBytes / 2, minFreedBytes))
      this.#wait(bytes);
  }

  [Symbol.dispose](): void {
    this.#timer?.cancel();
  }

  #wait(bytes: number): void {
    this.#timer = this.#clock.timer(idleMs, () => this.#collectIfIdle(bytes), { background: true });
  }

  #collectIfIdle(bytes: number): void {
    this.#timer = undefined;
    if (this.#clock.monotonic() - this.#changedMs < idleMs) return this.#wait(bytes);
    this.#maxBytes = bytes;
    this.#collect();
  }
}

/** Page bytes that a collection has to be able to free. Less than that is not worth one. */
const minFreedBytes = 4 * 1024 * 1024;
/** A store that has not changed for this long is idle. */
const idleMs = 5000;

/**
 * Starts an incremental collection. V8 has no function for that, but it starts one for an allocation of this size. The
 * memory is never written, so the operating system does not provide it.
 */
function startCollection(): void {
  new ArrayBuffer(72 * 1024 * 1024);
}
