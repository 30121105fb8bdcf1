/**
 * A word to look for in bytes.
 *
 * They are compared four at a time, and never looked at beyond their end: once they have been, the engine takes all that
 * it reads for what may be `undefined`.
 */
export class Word {
  readonly length: number;
  readonly #bytes: Buffer;
  /** The word's bytes by fours, but for those after the last whole four. */
  readonly #fours: Int32Array;
  /** The last four, of which some may be among the others too. */
  readonly #last: number;

  constructor(text: string) {
    this.#bytes = Buffer.from(text);
    this.length = this.#bytes.length;
    this.#fours = Int32Array.from({ length: Math.floor(this.length / 4) }, (_, index) =>
      fourAt(this.#bytes, 4 * index),
    );
    this.#last = this.length < 4 ? 0 : fourAt(this.#bytes, this.length - 4);
  }

  /** Whether it is the key at `key`, whose value is at `value`. */
  is(bytes: Buffer, key: number, value: number): boolean {
    return value - 2 - key === this.length && this.beginsAt(bytes, key);
  }

  beginsAt(bytes: Buffer, start: number): boolean {
    const { length } = this;
    if (start + length > bytes.length) return false;
    if (length < 4) return this.#shortAt(bytes, start);
    if (fourAt(bytes, start + length - 4) !== this.#last) return false;
    const fours = this.#fours;
    for (let index = 0; index < fours.length; index++) {
      if (fourAt(bytes, start + 4 * index) !== fours[index]) return false;
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

/** Four bytes, all of which are there, as one number. */
export function fourAt(bytes: Buffer, at: number): number {
  return (
    (bytes[at] ?? 0) |
    ((bytes[at + 1] ?? 0) << 8) |
    ((bytes[at + 2] ?? 0) << 16) |
    ((bytes[at + 3] ?? 0) << 24)
  );
}
