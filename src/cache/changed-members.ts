import { endOfMetadatum, endOfValue, nowhere, walkObject } from "../transport/index.ts";

/** A value in compact JSON, among other bytes. */
export interface Written {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

/** A member of two objects that is not written alike in both, or is in one alone. */
export interface ChangedMember {
  readonly name: string;
  readonly before: Written | undefined;
  readonly after: Written | undefined;
}

/**
 * The members that two objects do not write alike, found without parsing: what they say may still be the same. `undefined`
 * where only a parser knows. Of several members of one name, which no server writes, any may count.
 *
 * Two versions of one object have mostly the same members in the same order, so the bytes of both are gone over at once.
 * Where a name is another, each is gone over alone.
 */
export function changedMembers(before: Written, after: Written): readonly ChangedMember[] | undefined {
  return new Both(before, after).changed() ?? changedByName(before, after);
}

/** Two objects that are gone over at once. */
class Both {
  readonly #olds: Buffer;
  readonly #nows: Buffer;
  readonly #oldEnd: number;
  readonly #nowEnd: number;
  /** How far each is. */
  #old: number;
  #now: number;

  constructor(before: Written, after: Written) {
    this.#olds = before.bytes.subarray(0, before.end); // nothing is looked for beyond
    this.#nows = after.bytes.subarray(0, after.end);
    this.#oldEnd = before.end;
    this.#nowEnd = after.end;
    this.#old = before.start;
    this.#now = after.start;
  }

  /** `undefined` where they have not the same names in the same order. */
  changed(): ChangedMember[] | undefined {
    if (!this.#isAt(openBrace)) return undefined;
    const changed: ChangedMember[] = [];
    do {
      const nameLength = this.#nameLength();
      if (nameLength === nowhere) return undefined;
      const name = this.#now + 2;
      this.#old += nameLength;
      this.#now += nameLength;
      const values = this.#values();
      if (!values) return undefined;
      if (values === same) continue;
      changed.push({ name: this.#nows.toString("latin1", name, values.after.start - 2), ...values });
    } while (this.#isAt(comma));
    return this.#isAt(closeBrace) && this.#now === this.#nowEnd - 1 ? changed : undefined;
  }

  /** Goes over a value of each. */
  #values(): Values | typeof same | undefined {
    const old = this.#old;
    const now = this.#now;
    const alike = this.#nows[now] === quote ? this.#sameString() : this.#sameValue();
    if (alike) return same;
    const oldEnd = endOfMetadatum(this.#olds, old);
    const end = endOfMetadatum(this.#nows, now);
    if (oldEnd === nowhere || end === nowhere) return undefined;
    this.#old = oldEnd;
    this.#now = end;
    return {
      before: { bytes: this.#olds, start: old, end: oldEnd },
      after: { bytes: this.#nows, start: now, end },
    };
  }

  /** Goes over both, if they are the same string. */
  #sameString(): boolean {
    const olds = this.#olds;
    const nows = this.#nows;
    const ahead = this.#old - this.#now;
    const most = Math.min(this.#nowEnd, this.#oldEnd - ahead);
    let escaped = true; // as the quote that it begins with must not end it
    for (let next = this.#now; next < most; next++) {
      const byte = nows[next];
      if (byte !== olds[next + ahead]) return false;
      if (byte === quote && !escaped) return this.#goOn(next + 1 - this.#now);
      escaped = byte === backslash && !escaped;
    }
    return false;
  }

  /** Goes over both, if they are the same. Node is asked to compare: most such values are long. */
  #sameValue(): boolean {
    const old = this.#old;
    const now = this.#now;
    const length = endOfMetadatum(this.#nows, now) - now;
    if (length <= 0 || old + length > this.#oldEnd) return false;
    return this.#nows.compare(this.#olds, old, old + length, now, now + length) === 0 && this.#goOn(length);
  }

  #goOn(length: number): true {
    this.#old += length;
    this.#now += length;
    return true;
  }

  #isAt(byte: number): boolean {
    return this.#olds[this.#old] === byte && this.#nows[this.#now] === byte;
  }

  /** Of the byte before a name, the name, and the colon after it, where both have the same. */
  #nameLength(): number {
    const olds = this.#olds;
    const nows = this.#nows;
    const old = this.#old;
    const now = this.#now;
    const most = Math.min(this.#oldEnd - old, this.#nowEnd - now) - 1;
    if (olds[old + 1] !== quote || nows[now + 1] !== quote) return nowhere;
    for (let next = 2; next < most; next++) {
      const byte = nows[now + next];
      if (byte !== olds[old + next] || byte === backslash) return nowhere;
      if (byte === quote) return nows[now + next + 1] === colon ? next + 2 : nowhere;
    }
    return nowhere;
  }
}

const same: unique symbol = Symbol("same");

interface Values {
  readonly before: Written;
  readonly after: Written;
}

function changedByName(before: Written, after: Written): ChangedMember[] | undefined {
  const [olds, nows] = [membersOf(before), membersOf(after)];
  if (!olds || !nows) return undefined;
  const changed: ChangedMember[] = [];
  for (const name of new Set([...olds.keys(), ...nows.keys()])) {
    const [old, now] = [olds.get(name), nows.get(name)];
    if (!old || !now || !isSame(old, now)) changed.push({ name, before: old, after: now });
  }
  return changed;
}

function membersOf({ bytes, start, end }: Written): Map<string, Written> | undefined {
  const members = new Map<string, Written>();
  const found = walkObject(bytes, start, (name, value) => {
    const valueEnd = endOfValue(bytes, value);
    members.set(bytes.toString("latin1", name, value - 2), { bytes, start: value, end: valueEnd });
    return valueEnd;
  });
  return found === end ? members : undefined;
}

function isSame(one: Written, other: Written): boolean {
  return one.bytes.compare(other.bytes, other.start, other.end, one.start, one.end) === 0;
}

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
