/**
 * Yields simpler values than the given one, the simplest first: fewer fields and elements, shorter strings, smaller
 * numbers. The caller checks which of them are valid. Never yields the value itself, and repeated use ends.
 */
export function* smallerValues(value: unknown): Iterable<unknown> {
  if (Array.isArray(value)) yield* smallerLists(value);
  else if (typeof value === "object" && value !== null)
    yield* smallerObjects(value as Record<string, unknown>);
  else if (typeof value === "string") yield* smallerStrings(value);
  else if (typeof value === "number") yield* smallerNumbers(value);
  else if (value === true) yield false;
}

function* smallerLists(list: readonly unknown[]): Iterable<unknown> {
  if (list.length === 0) return;
  yield [];
  if (list.length > 2) yield list.slice(0, Math.ceil(list.length / 2));
  if (list.length > 1) for (const index of list.keys()) yield list.toSpliced(index, 1);
  for (const [index, element] of list.entries()) {
    for (const smaller of smallerValues(element)) yield list.with(index, smaller);
  }
}

function* smallerObjects(object: Readonly<Record<string, unknown>>): Iterable<unknown> {
  const names = Object.keys(object);
  if (names.length > 1) yield {};
  for (const name of names) yield without(object, name);
  for (const name of names) {
    for (const smaller of smallerValues(object[name])) yield { ...object, [name]: smaller };
  }
}

function without(object: Readonly<Record<string, unknown>>, name: string): Record<string, unknown> {
  const { [name]: _, ...rest } = object;
  return rest;
}

function* smallerStrings(text: string): Iterable<string> {
  if (text.length > 0) yield "";
  if (text.length > 1) yield "a";
  if (text.length > 2) yield text.slice(0, Math.ceil(text.length / 2));
  if (text.length > 1) yield text.slice(0, -1);
  if (text.length === 1 && text > "a") yield "a";
}

function* smallerNumbers(number: number): Iterable<number> {
  if (number === 0) return;
  yield 0;
  if (number < 0) yield -number;
  if (Math.abs(number) > 1) yield 1;
  const half = Math.trunc(number / 2);
  if (Math.abs(half) > 1) yield half;
  if (Number.isInteger(number)) {
    if (Math.abs(number) > 2) yield number - Math.sign(number);
  } else yield Math.trunc(number);
}
