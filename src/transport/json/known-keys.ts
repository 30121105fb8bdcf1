import { int32At } from "./byte-matcher.ts";

/** A known JSON key and its role. */
export interface KnownKey<Role> {
  readonly role: Role;
  /** Distance from the first byte of the key to its value. It includes the closing quote and the colon. */
  readonly length: number;
}

/**
 * Recognizes known JSON keys by their bytes, without searching for the end of the key.
 *
 * Keys are ASCII without escapes and have 2 to 18 bytes.
 */
export class KnownKeys<Role> {
  /** For each first byte, a linked list of the keys that begin with it. */
  readonly #byLetter: (Candidate<Role> | undefined)[] = Array.from({ length: 256 }, () => undefined);

  constructor(keys: readonly (readonly [key: string, role: Role])[]) {
    for (const [key, role] of keys) {
      const letter = key.charCodeAt(0);
      this.#byLetter[letter] = new Candidate(key, role, this.#byLetter[letter]);
    }
  }

  /** Returns the known key whose first byte is at `at`, or `undefined` if the key there is unknown. */
  at(bytes: Buffer, at: number): KnownKey<Role> | undefined {
    if (at >= bytes.length) return undefined;
    let candidate = this.#byLetter[bytes[at] ?? 0];
    while (candidate !== undefined && !candidate.isAt(bytes, at)) candidate = candidate.next;
    return candidate;
  }
}

class Candidate<Role> implements KnownKey<Role> {
  readonly role: Role;
  readonly length: number;
  /** The next key with the same first letter. */
  readonly next: Candidate<Role> | undefined;
  /** The key with its quote and colon as 32-bit integers. Separate fields are faster than an array. */
  readonly #first: number;
  readonly #second: number;
  readonly #third: number;
  readonly #fourth: number;
  /** The last four bytes. They may overlap with the others. */
  readonly #last: number;

  constructor(key: string, role: Role, next: Candidate<Role> | undefined) {
    const bytes = Buffer.from(`${key}":`);
    const padded = Buffer.concat([bytes, Buffer.alloc(16)]);
    this.role = role;
    this.length = bytes.length;
    this.next = next;
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
