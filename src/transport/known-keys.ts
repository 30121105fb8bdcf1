import { int32At } from "./byte-matcher.ts";

/** A key that is known by its bytes. */
export interface KnownKey<Role> {
  readonly role: Role;
  /** From the first byte of the key to the first of its value: between them are a quote and a colon. */
  readonly length: number;
}

/**
 * Tells keys by their bytes, without having looked for where they end: what most keys are is known before they come.
 *
 * Of ASCII that needs no escape, and of 2 to 18 bytes.
 */
export class KnownKeys<Role> {
  /** For each first byte, the keys that begin with it. */
  readonly #byLetter: (Candidate<Role> | undefined)[] = Array.from({ length: 256 }, () => undefined);

  constructor(keys: readonly (readonly [key: string, role: Role])[]) {
    for (const [key, role] of keys) {
      const letter = key.charCodeAt(0);
      this.#byLetter[letter] = new Candidate(key, role, this.#byLetter[letter]);
    }
  }

  /** The one whose first byte is at `at`, or `undefined` where what is there is none of them. */
  at(bytes: Buffer, at: number): KnownKey<Role> | undefined {
    if (at >= bytes.length) return undefined;
    let candidate = this.#byLetter[bytes[at] ?? 0];
    while (candidate !== undefined && !candidate.isAt(bytes, at)) candidate = candidate.other;
    return candidate;
  }
}

class Candidate<Role> implements KnownKey<Role> {
  readonly role: Role;
  readonly length: number;
  /** Begins with the same letter. */
  readonly other: Candidate<Role> | undefined;
  /** Its bytes by fours, with the quote and the colon, so that it is the whole key. Not in an array: that takes longer. */
  readonly #first: number;
  readonly #second: number;
  readonly #third: number;
  readonly #fourth: number;
  /** The last four, of which some may be among the others too. */
  readonly #last: number;

  constructor(key: string, role: Role, other: Candidate<Role> | undefined) {
    const bytes = Buffer.from(`${key}":`);
    const padded = Buffer.concat([bytes, Buffer.alloc(16)]);
    this.role = role;
    this.length = bytes.length;
    this.other = other;
    this.#first = int32At(padded, 0);
    this.#second = int32At(padded, 4);
    this.#third = int32At(padded, 8);
    this.#fourth = int32At(padded, 12);
    this.#last = int32At(bytes, bytes.length - 4);
  }

  isAt(bytes: Buffer, at: number): boolean {
    const { length } = this;
    if (at + length > bytes.length || int32At(bytes, at + length - 4) !== this.#last) return false;
    if (int32At(bytes, at) !== this.#first) return false;
    if (length > 8 && int32At(bytes, at + 4) !== this.#second) return false;
    if (length > 12 && int32At(bytes, at + 8) !== this.#third) return false;
    return length <= 16 || int32At(bytes, at + 12) === this.#fourth;
  }
}
