/** Path of a field: field names and list indexes. */
export type FieldPath = readonly (string | number)[];

/** A field that differs between two objects. `undefined` stands for an absent field. */
export interface FieldChange {
  readonly path: FieldPath;
  readonly before: unknown;
  readonly after: unknown;
}

/**
 * Returns the deepest fields that differ. For lists of different lengths it returns the list. It ignores the fields
 * that every write changes: `resourceVersion`, `managedFields` and `generation`.
 */
export function fieldChanges(before: object, after: object): FieldChange[] {
  return [...differences(before, after, [])].slice(0, maxChanges);
}

/** Maximum number of changes to return, because a report with more is hard to read. */
const maxChanges = 10;

function* differences(before: unknown, after: unknown, path: FieldPath): Generator<FieldChange, void, void> {
  if (path.length < maxDepth) yield* differencesWithin(before, after, path);
  else if (!isSame(before, after)) yield { path, before, after };
}

function* differencesWithin(
  before: unknown,
  after: unknown,
  path: FieldPath,
): ReturnType<typeof differences> {
  if (isRecord(before) && isRecord(after)) {
    for (const name of namesOf(before, after)) {
      const here = [...path, name];
      if (!isBookkeeping(here)) yield* differences(before[name], after[name], here);
    }
  } else if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    for (const [at, item] of before.entries()) yield* differences(item, after[at], [...path, at]);
  } else if (!isSame(before, after)) yield { path, before, after };
}

/**
 * Fields below this level are compared as a whole: API servers accept 10,000 levels, which would overflow the stack.
 */
const maxDepth = 100;

/** Returns true if two values have the same JSON, with their fields in the same order. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  const text = jsonOf(one);
  if (text !== jsonOf(other)) return false;
  return text !== undefined || isSameByLevel(one, other);
}

/** Returns `undefined` for a value that is not JSON, or that is too deep for `JSON.stringify` before Node 26. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Compares values of any depth, without recursion. */
function isSameByLevel(one: unknown, other: unknown): boolean {
  const pairs: Pair[] = [[one, other]];
  for (let pair = pairs.pop(); pair; pair = pairs.pop()) {
    const [left, right] = pair;
    if (!isContainer(left) || !isContainer(right)) {
      if (scalarOf(left) !== scalarOf(right)) return false;
      continue;
    }
    const members = memberPairs(left, right);
    if (!members) return false;
    for (const member of members) pairs.push(member);
  }
  return true;
}

type Pair = readonly [unknown, unknown];

/**
 * Returns the members of two objects or lists in pairs, or `undefined` if their names or the order of their names
 * differ.
 */
function memberPairs(one: Fields, other: Fields): Pair[] | undefined {
  const [names, otherNames] = [writtenNames(one), writtenNames(other)];
  const same = names.length === otherNames.length && names.every((name, at) => name === otherNames[at]);
  if (!same || Array.isArray(one) !== Array.isArray(other)) return undefined;
  return names.map((name) => [one[name], other[name]]);
}

/** Returns the JSON of a scalar. An object or list equals no scalar. */
function scalarOf(value: unknown): unknown {
  return isContainer(value) ? value : JSON.stringify(value);
}

function isContainer(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}

/** Returns the names of the members that JSON contains. */
function writtenNames(value: Fields): string[] {
  return Object.keys(value).filter((name) => value[name] !== undefined);
}

/** Returns the value at the path, or `undefined`. */
export function fieldAt(object: unknown, path: FieldPath): unknown {
  let at: unknown = object;
  for (const step of path) at = isRecord(at) || Array.isArray(at) ? (at as Fields)[step] : undefined;
  return at;
}

/** Returns the path as text: `spec.ports[0].protocol`, `metadata.annotations["example.com/at"]`. */
export function pathText(path: FieldPath): string {
  return path
    .map((step) => {
      if (typeof step === "number") return `[${step}]`;
      return /^[\w$-]+$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
    })
    .join("")
    .replace(/^\./, "");
}

/** Returns a field's value for messages: shortened, and hidden if it is a value of a Secret. */
export function valueText(value: unknown, kind: string, [top, name]: FieldPath): string {
  if (value === undefined) return "nothing";
  if (kind === "Secret" && !(top === "metadata" && name === "labels")) return "a value";
  const text = jsonOf(value) ?? jsonOf(upToLevel(value, maxLength)) ?? "a value that is not JSON";
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

const maxLength = 60;

/** Returns the value without its deeper levels. A text of `levels` characters cannot show more of them. */
function upToLevel(value: unknown, levels: number): unknown {
  if (!isContainer(value)) return value;
  if (levels === 0) return null;
  if (Array.isArray(value)) return value.map((item) => upToLevel(item, levels - 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, upToLevel(member, levels - 1)]),
  );
}

export type Fields = Readonly<Record<string | number, unknown>>;

export function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function namesOf(one: Fields, other: Fields): Set<string> {
  return new Set([...Object.keys(one), ...Object.keys(other)]);
}

function isBookkeeping([top, name, deeper]: FieldPath): boolean {
  return top === "metadata" && deeper === undefined && bookkeeping.has(String(name));
}

const bookkeeping: ReadonlySet<string> = new Set(["resourceVersion", "managedFields", "generation"]);
