import { endOfValue, walkObject } from "../transport/index.ts";
import { type ByteRange, bytesEqual } from "./byte-range.ts";
import { type ChangedValue, JsonDiffCursor } from "./json-diff-cursor.ts";

/** A member of two objects that is not written alike in both, or is in one alone. */
export interface ChangedMember {
  readonly name: string;
  readonly before: ByteRange | undefined;
  readonly after: ByteRange | undefined;
}

/**
 * The members that two objects do not write alike, found without parsing: what they say may still be the same. `undefined`
 * where only a parser knows. Of several members of one name, which no server writes, any may count.
 *
 * @param known a member of both that is known not to be written alike, and where it is: what stands before it is not gone over
 */
export function changedMembers(
  before: ByteRange,
  after: ByteRange,
  known?: KnownMember,
): readonly ChangedMember[] | undefined {
  return changedInOrder(before, after, known) ?? changedByName(before, after);
}

interface KnownMember extends ChangedValue {
  readonly name: string;
}

/** `undefined` where they have not the same names in the same order. */
function changedInOrder(
  before: ByteRange,
  after: ByteRange,
  known?: KnownMember,
): ChangedMember[] | undefined {
  if (!known || !bytesEqual(upTo(before, known.before), upTo(after, known.after)))
    return andMore([], new JsonDiffCursor(before, after));
  return andMore([known], new JsonDiffCursor(from(before, known.before), from(after, known.after)));
}

function upTo({ bytes, start }: ByteRange, member: ByteRange): ByteRange {
  return { bytes, start, end: member.start };
}

function from({ bytes, end }: ByteRange, member: ByteRange): ByteRange {
  return { bytes, start: member.end, end };
}

/** Those, and all from here on. */
function andMore(changed: ChangedMember[], both: JsonDiffCursor): ChangedMember[] | undefined {
  let found = both.find();
  for (; found; found = both.find()) {
    const { name } = both;
    const value = both.take();
    if (!value) return undefined;
    changed.push({ name, before: value.before, after: value.after });
  }
  return found === undefined ? undefined : changed;
}

/** Each is gone over alone. */
function changedByName(before: ByteRange, after: ByteRange): ChangedMember[] | undefined {
  const [olds, nows] = [membersOf(before), membersOf(after)];
  if (!olds || !nows) return undefined;
  const changed: ChangedMember[] = [];
  for (const name of new Set([...olds.keys(), ...nows.keys()])) {
    const [old, now] = [olds.get(name), nows.get(name)];
    if (!old || !now || !bytesEqual(old, now)) changed.push({ name, before: old, after: now });
  }
  return changed;
}

function membersOf({ bytes, start, end }: ByteRange): Map<string, ByteRange> | undefined {
  const members = new Map<string, ByteRange>();
  const found = walkObject(bytes, start, (name, value) => {
    const valueEnd = endOfValue(bytes, value);
    members.set(bytes.toString("latin1", name, value - 2), { bytes, start: value, end: valueEnd });
    return valueEnd;
  });
  return found === end ? members : undefined;
}
