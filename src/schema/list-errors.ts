import type { CompiledSchema } from "./compiled-schema.ts";
import { duplicate, type FieldError, invalid } from "./field-error.ts";
import { goJson } from "./go-text.ts";
import { fieldOf, isArray, isObject, type JsonObject, setField } from "./json-value.ts";

export interface ListErrorsOptions {
  /** What an update replaces: if that has such errors itself, none are told. @default none */
  readonly oldValue?: unknown;
}

/**
 * The elements that stand twice in a list of type `set`, and those of a list of type `map` that have the keys of
 * another. Each is told once, however often it is there. Null elements of a map list count as ones without keys.
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
  if (schema.listType === "set") yield* repeated(value, path);
  if (schema.listType === "map") yield* errorsInMapList(value, schema.listMapKeys, path);
  const { items } = schema;
  for (const [index, element] of value.entries())
    if (items) yield* errorsIn(element, items, `${path}[${index}]`);
}

function* errorsInMapList(
  value: readonly unknown[],
  names: readonly string[],
  path: string,
): Iterable<FieldError> {
  const wrong = value.findIndex((element) => element !== null && !isObject(element));
  if (wrong < 0) {
    yield* repeated(
      value.map((element) => keysOf(element, names)),
      path,
    );
  } else {
    yield invalid(`${path}[${wrong}]`, value[wrong], "must be an object for an array of list-type map");
  }
}

function* repeated(values: readonly unknown[], path: string): Iterable<FieldError> {
  const times = new Map<string, number>();
  for (const [index, value] of values.entries()) {
    const text = goJson(value);
    const before = times.get(text) ?? 0;
    times.set(text, before + 1);
    if (before === 1) yield duplicate(`${path}[${index}]`, value);
  }
}

function keysOf(element: unknown, names: readonly string[]): JsonObject {
  const keys: Record<string, unknown> = {};
  if (!isObject(element)) return keys;
  for (const name of names) {
    if (Object.hasOwn(element, name)) setField(keys, name, element[name]);
  }
  return keys;
}
