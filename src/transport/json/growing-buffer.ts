/**
 * Collects bytes that arrive in chunks. It copies them into one memory, which doubles when it is full, so each byte is
 * copied a bounded number of times.
 *
 * The content stays in the memory until the next `append` or `drop`, even after `clear`.
 */
export class GrowingBuffer {
  readonly #minBytes: number;
  readonly #maxKeptBytes: number;
  /** Has the content in its first `#length` bytes. */
  #memory: Buffer = none;
  #length = 0;

  constructor({ minBytes = 16 * 1024, maxKeptBytes = 256 * 1024 }: GrowingBufferOptions = {}) {
    this.#minBytes = minBytes;
    this.#maxKeptBytes = maxKeptBytes;
  }

  /** Number of bytes of the content. */
  get length(): number {
    return this.#length;
  }

  /** The memory: the content is its first `length` bytes, and the bytes behind it have no meaning. */
  get memory(): Buffer {
    return this.#memory;
  }

  /** The content, without a copy. */
  get bytes(): Buffer {
    return this.#memory.subarray(0, this.#length);
  }

  /** Appends the bytes from `start` to `end` of `source`, which must not be this memory. */
  append(source: Buffer, start = 0, end: number = source.length): void {
    const length = this.#length + end - start;
    if (length > this.#memory.length) this.#grow(length);
    source.copy(this.#memory, this.#length, start, end);
    this.#length = length;
  }

  /** Removes the first `count` bytes. The others move to the start. */
  drop(count: number): void {
    if (count >= this.#length) return this.clear();
    if (count > 0) this.#memory.copyWithin(0, count, this.#length);
    this.#length -= count;
  }

  /** Removes the content. The memory is reused, unless it was needed for rare large contents. */
  clear(): void {
    if (this.#length > this.#maxKeptBytes) this.#memory = none;
    this.#length = 0;
  }

  #grow(length: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * length, this.#minBytes));
    this.#memory.copy(larger, 0, 0, this.#length);
    this.#memory = larger;
  }
}

export interface GrowingBufferOptions {
  /** Size of the first memory. @default 16 KiB */
  readonly minBytes?: number | undefined;
  /** The memory of a longer content is released with the content. @default 256 KiB */
  readonly maxKeptBytes?: number | undefined;
}

const none = Buffer.alloc(0);
