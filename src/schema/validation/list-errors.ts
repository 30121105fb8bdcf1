import type { CompiledSchema } from "../structure/compiled-schema.ts";
import { duplicate, type FieldError, invalid } from "../values/field-error.ts";
import { goJson } from "../values/go-text.ts";
import { fieldOf, isArray, isObject, type JsonObject, setField } from "../values/json-value.ts";

export interface ListErrorsOptions {
  /** The value that an update replaces. If it has such errors itself, none are reported. @default none */
  readonly oldValue?: unknown;
}

/**
 * Returns the duplicate elements of lists of type `set`, and the elements of lists of type `map` with duplicate keys.
 * Reports each duplicate once. A null element of a map list counts as an element without keys.
 */
export function listErrors(
  value: unknown,
  schema: CompiledSchema,
  options: ListErrorsOptions = {},
): FieldError[] {
  const { oldValue } = options;
  if (oldValue !== undefined && [...errorsIn(oldValue, schema, "")].length > 0) return [];
  return [...errorsIn(value, schema, "")];
}

function* errorsIn(value: unknown, schema: CompiledSchema, path: string): Iterable<FieldError> {
  if (!schema.hasUniqueLists) return;
  if (isArray(value)) yield* errorsInList(value, schema, path);
  else if (isObject(value)) yield* errorsInObject(value, schema, path);
}

function* errorsInObject(
  value: JsonObject,
  { properties, values }: CompiledSchema,
  path: string,
): Iterable<FieldError> {
  for (const key of values ? Object.keys(value) : []) {
    if (values) yield* errorsIn(value[key], values, `${path}[${key}]`);
  }
  for (const [name, schema] of properties) {
    yield* errorsIn(fieldOf(value, name), schema, path === "" ? name : `${path}.${name}`);
  }
}

function* errorsInList(
  value: readonly unknown[],
  schema: CompiledSchema,
  path: string,
): Iterable<FieldError> {
  const { listType, listMapKeys, items } = schema;
  if (listType === "set") yield* repeatedElements(value, path);
  if (listType === "map") yield* errorsInMapList(value, listMapKeys, path);
  if (!items?.hasUniqueLists) return;
  for (const [index, element] of value.entries()) yield* errorsIn(element, items, `${path}[${index}]`);
}

function* repeatedElements(value: readonly unknown[], path: string): Iterable<FieldError> {
  for (const index of secondOccurrences(value.map(textOf)))
    yield duplicate(`${path}[${index}]`, value[index]);
}

function* errorsInMapList(
  value: readonly unknown[],
  names: readonly string[],
  path: string,
): Iterable<FieldError> {
  const wrong = value.findIndex((element) => element !== null && !isObject(element));
  if (wrong >= 0) {
    yield invalid(`${path}[${wrong}]`, value[wrong], "must be an object for an array of list-type map");
    return;
  }
  const texts = value.map((element) => names.map((name) => textOf(keyOf(element, name))).join("\0"));
  for (const index of secondOccurrences(texts))
    yield duplicate(`${path}[${index}]`, keysOf(value[index], names));
}

/** Returns the index of the second occurrence of each repeated string. */
function secondOccurrences(texts: readonly string[]): number[] {
  if (new Set(texts).size === texts.length) return [];
  const times = new Map<string, number>();
  return texts.flatMap((text, index) => {
    const before = times.get(text) ?? 0;
    times.set(text, before + 1);
    return before === 1 ? [index] : [];
  });
}

/** Returns a string that differs for different values. A missing value has its own string. */
function textOf(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? `"${value}` : goJson(value);
}

function keyOf(element: unknown, name: string): unknown {
  return isObject(element) ? fieldOf(element, name) : undefined;
}

function keysOf(element: unknown, names: readonly string[]): JsonObject {
  const keys: Record<string, unknown> = {};
  for (const name of names) {
    const key = keyOf(element, name);
    if (key !== undefined) setField(keys, name, key);
  }
  return keys;
}
