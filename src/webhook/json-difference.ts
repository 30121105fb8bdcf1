import type { JsonPatchStep } from "../client/index.ts";

/**
 * Returns the JSON patch (RFC 6902) that changes `before` to `after`. It is empty if both have the same JSON.
 *
 * `before` is parsed JSON. `after` is any value: it counts as the JSON that `JSON.stringify` makes of it, so fields
 * that are `undefined` are missing and dates are texts. Only own fields count, and every name of a field is data, also
 * `__proto__`. Lists are compared element by element after their equal beginning and end.
 *
 * @throws {TypeError} if `after` is no JSON, because it contains itself or a bigint
 */
export function jsonDifference(before: unknown, after: unknown): JsonPatchStep[] {
  const steps: JsonPatchStep[] = [];
  compare(before, after, { path: "", steps });
  return steps;
}

/** A position in both values, and the steps found so far. */
interface Position {
  /** A JSON pointer. */
  readonly path: string;
  readonly steps: JsonPatchStep[];
}

function compare(before: unknown, given: unknown, at: Position): void {
  if (before === given) return; // a number that is too large for JSON, too
  const after = asJson(given);
  if (before === after) return;
  if (Array.isArray(before) && Array.isArray(after)) return compareLists(before, after, at);
  if (isObject(before) && isObject(after)) return compareObjects(before, after, at);
  at.steps.push({ op: "replace", path: at.path, value: copied(after) });
}

function compareObjects(before: JsonObject, after: JsonObject, at: Position): void {
  const { path, steps } = at;
  for (const name of Object.keys(before)) {
    if (isMissing(after, name)) steps.push({ op: "remove", path: childPath(path, name) });
    else compare(before[name], after[name], { path: childPath(path, name), steps });
  }
  for (const name of Object.keys(after)) {
    if (Object.hasOwn(before, name) || isMissing(after, name)) continue;
    steps.push({ op: "add", path: childPath(path, name), value: copied(after[name]) });
  }
}

/**
 * Compares lists: elements between the equal beginning and end are changed in place, and the rest is added or removed.
 * An element that was inserted or removed is one step if nothing else changed.
 */
function compareLists(
  before: readonly unknown[],
  after: readonly unknown[],
  { path, steps }: Position,
): void {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && isEqual(before[start], after[start] ?? null)) start += 1;
  let end = 0;
  while (end < shorter - start && isEqual(before.at(-1 - end), after.at(-1 - end) ?? null)) end += 1;
  const oldEnd = before.length - end;
  const newEnd = after.length - end;
  for (let index = start; index < Math.min(oldEnd, newEnd); index += 1) {
    compare(before[index], after[index] ?? null, { path: `${path}/${index}`, steps });
  }
  for (let index = oldEnd - 1; index >= newEnd; index -= 1) {
    steps.push({ op: "remove", path: `${path}/${index}` });
  }
  for (let index = oldEnd; index < newEnd; index += 1) {
    steps.push({ op: "add", path: `${path}/${index}`, value: copied(after[index]) });
  }
}

/**
 * Returns true if two values have the same JSON. It reads each field once, so nested lists do not multiply the time.
 */
function isEqual(before: unknown, given: unknown): boolean {
  if (before === given) return true;
  const after = asJson(given);
  if (before === after) return true;
  if (Array.isArray(before) && Array.isArray(after)) {
    return (
      before.length === after.length && before.every((each, index) => isEqual(each, after[index] ?? null))
    );
  }
  if (!isObject(before) || !isObject(after)) return false;
  const names = Object.keys(before);
  return (
    names.every((name) => !isMissing(after, name) && isEqual(before[name], after[name])) &&
    Object.keys(after).every((name) => Object.hasOwn(before, name) || isMissing(after, name))
  );
}

type JsonObject = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns true if an object has no such field in JSON. */
function isMissing(object: JsonObject, name: string): boolean {
  if (!Object.hasOwn(object, name)) return true;
  const value = asJson(object[name]);
  return value === undefined || typeof value === "function" || typeof value === "symbol";
}

/** Returns the value that JSON has for a value: dates are texts, and numbers without a JSON form are null. */
function asJson(value: unknown): unknown {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value !== "object" || value === null) return value;
  return "toJSON" in value && typeof value.toJSON === "function" ? (value.toJSON() as unknown) : value;
}

/** Returns a value as JSON of its own. A value without a JSON form is null, as in a list. */
function copied(value: unknown): unknown {
  const text: string | undefined = JSON.stringify(value);
  return text === undefined ? null : (JSON.parse(text) as unknown);
}

function childPath(path: string, name: string): string {
  return `${path}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
