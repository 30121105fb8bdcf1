import { endOfValue, walkObject } from "../../transport/index.ts";
import { type ByteRange, bytesEqual } from "./byte-range.ts";
import { type ChangedValue, JsonDiffCursor } from "./json-diff-cursor.ts";

/** A member whose bytes differ in two objects, or that only one of them has. */
export interface ChangedMember {
  readonly name: string;
  readonly before: ByteRange | undefined;
  readonly after: ByteRange | undefined;
}

/**
 * Returns the members whose bytes differ in two objects, without parsing. Their values may still be equal. Returns
 * `undefined` if only a parser can find the members. If an object has two members of one name, which no server sends,
 * either may count.
 *
 * @param known a member that is known to differ. If all bytes before it are equal, the comparison starts behind it
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

/** Returns `undefined` if the objects do not have the same member names in the same order. */
function changedInOrder(
  before: ByteRange,
  after: ByteRange,
  known?: KnownMember,
): ChangedMember[] | undefined {
  if (!known || !bytesEqual(upTo(before, known.before), upTo(after, known.after)))
    return collectFrom([], new JsonDiffCursor(before, after));
  return collectFrom([known], new JsonDiffCursor(from(before, known.before), from(after, known.after)));
}

function upTo({ bytes, start }: ByteRange, member: ByteRange): ByteRange {
  return { bytes, start, end: member.start };
}

function from({ bytes, end }: ByteRange, member: ByteRange): ByteRange {
  return { bytes, start: member.end, end };
}

/** Appends every changed member from the cursor on. */
function collectFrom(changed: ChangedMember[], cursor: JsonDiffCursor): ChangedMember[] | undefined {
  let found = cursor.findNext();
  for (; found; found = cursor.findNext()) {
    const { name } = cursor;
    const value = cursor.takeValue();
    if (!value) return undefined;
    changed.push({ name, before: value.before, after: value.after });
  }
  return found === undefined ? undefined : changed;
}

/** Compares members by name, for objects whose members are in another order. */
function changedByName(before: ByteRange, after: ByteRange): ChangedMember[] | undefined {
  const [beforeMembers, afterMembers] = [membersOf(before), membersOf(after)];
  if (!beforeMembers || !afterMembers) return undefined;
  const changed: ChangedMember[] = [];
  for (const name of new Set([...beforeMembers.keys(), ...afterMembers.keys()])) {
    const [old, current] = [beforeMembers.get(name), afterMembers.get(name)];
    if (!old || !current || !bytesEqual(old, current)) changed.push({ name, before: old, after: current });
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
