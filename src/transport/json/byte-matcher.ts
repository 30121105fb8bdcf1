/**
 * Compares a fixed text with bytes at a given position.
 *
 * It compares four bytes at a time and never reads beyond the end of the buffer. After one out-of-bounds read V8 treats
 * every read at that place as possibly `undefined`, which makes all later reads slower.
 */
export class ByteMatcher {
  readonly length: number;
  readonly #bytes: Buffer;
  /** The text as 32-bit integers, without the bytes after the last complete group of four. */
  readonly #int32s: Int32Array;
  /** The last four bytes. They may overlap with the last group of `#int32s`. */
  readonly #last: number;

  constructor(text: string) {
    this.#bytes = Buffer.from(text);
    this.length = this.#bytes.length;
    this.#int32s = Int32Array.from({ length: Math.floor(this.length / 4) }, (_, index) =>
      int32At(this.#bytes, 4 * index),
    );
    this.#last = this.length < 4 ? 0 : int32At(this.#bytes, this.length - 4);
  }

  /** Returns true if the text is the whole JSON key that begins at `key` and whose value begins at `value`. */
  isKey(bytes: Buffer, key: number, value: number): boolean {
    return value - 2 - key === this.length && this.matchesAt(bytes, key);
  }

  /** Returns true if the bytes from `start` on begin with the text. */
  matchesAt(bytes: Buffer, start: number): boolean {
    const { length } = this;
    if (start + length > bytes.length) return false;
    if (length < 4) return this.#shortAt(bytes, start);
    if (int32At(bytes, start + length - 4) !== this.#last) return false;
    const int32s = this.#int32s;
    for (let index = 0; index < int32s.length; index++) {
      if (int32At(bytes, start + 4 * index) !== int32s[index]) return false;
    }
    return true;
  }

  #shortAt(bytes: Buffer, start: number): boolean {
    for (let index = 0; index < this.length; index++) {
      if (bytes[start + index] !== this.#bytes[index]) return false;
    }
    return true;
  }
}

/** Returns the four bytes from `at` on as one integer. The caller guarantees that they exist. */
export function int32At(bytes: Buffer, at: number): number {
  return (
    (bytes[at] ?? 0) |
    ((bytes[at + 1] ?? 0) << 8) |
    ((bytes[at + 2] ?? 0) << 16) |
    ((bytes[at + 3] ?? 0) << 24)
  );
}
