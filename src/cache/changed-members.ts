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
 *
 * @param known a member of both that is known not to be written alike, and where it is: what stands before it is not gone over
 */
export function changedMembers(
  before: Written,
  after: Written,
  known?: KnownMember,
): readonly ChangedMember[] | undefined {
  return new Both(before, after).changed(known) ?? changedByName(before, after);
}

interface KnownMember extends ChangedMember {
  readonly before: Written;
  readonly after: Written;
}

/** Two objects that are gone over at once. */
class Both {
  readonly #olds: Buffer;
  readonly #nows: Buffer;
  readonly #oldEnd: number;
  readonly #nowEnd: number;
  /** How far each is: at the brace or the comma before a member. */
  #old: number;
  #now: number;

  constructor(before: Written, after: Written) {
    this.#olds = before.bytes;
    this.#nows = after.bytes;
    this.#oldEnd = before.end;
    this.#nowEnd = after.end;
    this.#old = before.start;
    this.#now = after.start;
  }

  /** `undefined` where they have not the same names in the same order. */
  changed(known: KnownMember | undefined): ChangedMember[] | undefined {
    if (!known || !this.#isFirst(known)) return this.#andMore([], openBrace);
    return this.#restIsSame() ? [known] : this.#andMore([known], comma);
  }

  /** Those, and all from here on, where this byte has to stand. */
  #andMore(changed: ChangedMember[], first: number): ChangedMember[] | undefined {
    for (let opening = first; this.#isAt(opening); opening = comma) {
      const parting = this.#now + this.#sameLength();
      if (parting === this.#nowEnd && this.#old + parting - this.#now === this.#oldEnd) return changed;
      const member = this.#memberAt(parting);
      if (!member) return undefined;
      changed.push(member);
      if (this.#restIsSame()) return changed;
    }
    return undefined;
  }

  /** Whether what stands before it is the same. Goes on to its end then. */
  #isFirst({ before, after }: KnownMember): boolean {
    if (before.start - this.#old !== after.start - this.#now) return false;
    if (this.#nows.compare(this.#olds, this.#old, before.start, this.#now, after.start) !== 0) return false;
    this.#old = before.end;
    this.#now = after.end;
    return true;
  }

  /** For how many bytes from here on they are the same. */
  #sameLength(): number {
    const olds = this.#olds;
    const nows = this.#nows;
    const old = this.#old;
    const now = this.#now;
    const most = Math.min(this.#oldEnd - old, this.#nowEnd - now);
    let same = 1;
    while (same < most && olds[old + same] === nows[now + same]) same += 1;
    return same;
  }

  /** The first that is not the same, where they part there in its value. Goes on to its end. */
  #memberAt(parting: number): ChangedMember | undefined {
    let at = this.#now;
    for (;;) {
      const value = valueAfter(this.#nows, at + 1, parting);
      const end = value === nowhere ? nowhere : endOfMetadatum(this.#nows, value);
      if (end === nowhere || end >= this.#nowEnd) return undefined;
      if (end >= parting) return this.#changedMember({ name: at + 2, value, end, parting });
      if (this.#nows[end] !== comma) return undefined;
      at = end;
    }
  }

  #changedMember({ name, value, end, parting }: Found): ChangedMember | undefined {
    const ahead = this.#old - this.#now;
    const oldEnd = endOfMetadatum(this.#olds, value + ahead);
    if (oldEnd === nowhere || oldEnd >= this.#oldEnd) return undefined;
    if (end === parting && oldEnd === parting + ahead) return undefined; // one has more members
    this.#old = oldEnd;
    this.#now = end;
    return {
      name: this.#nows.toString("latin1", name, value - 2),
      before: { bytes: this.#olds, start: value + ahead, end: oldEnd },
      after: { bytes: this.#nows, start: value, end },
    };
  }

  /** Mostly it is, after a member that has changed. Node is asked to compare: it is long. */
  #restIsSame(): boolean {
    if (this.#nowEnd - this.#now !== this.#oldEnd - this.#old) return false;
    return this.#nows.compare(this.#olds, this.#old, this.#oldEnd, this.#now, this.#nowEnd) === 0;
  }

  #isAt(byte: number): boolean {
    return this.#olds[this.#old] === byte && this.#nows[this.#now] === byte;
  }
}

/** Where the parts of a member are in the newer of two. */
interface Found {
  readonly name: number;
  readonly value: number;
  readonly end: number;
  /** Where the two part. */
  readonly parting: number;
}

/** Where the value begins whose name, in quotes, is at `at`, if that is no later than `most`. */
function valueAfter(bytes: Buffer, at: number, most: number): number {
  if (bytes[at] !== quote) return nowhere;
  for (let next = at + 1; next < most - 1; next++) {
    const byte = bytes[next];
    if (byte === backslash) return nowhere;
    if (byte === quote) return bytes[next + 1] === colon ? next + 2 : nowhere;
  }
  return nowhere;
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
