import type { CompiledSchema } from "../structure/compiled-schema.ts";
import { copyOf, fieldOf, isArray, isObject, type JsonObject, withChanges } from "../values/json-value.ts";

/**
 * Sets the defaults of a schema at every depth: in objects, list elements, map values, and inside the defaults
 * themselves. Does not create a missing object to hold the defaults of its fields.
 *
 * A `null` that the schema does not allow counts as missing: it is replaced by the default, or removed without one. In
 * lists it stays, so that validation refuses it.
 *
 * Does not modify its input, and returns the same value if there is nothing to set.
 */
export function applyDefaults(value: unknown, schema: CompiledSchema, options: DefaultOptions = {}): unknown {
  if (isArray(value)) return schema.items ? defaultList(value, schema.items, options) : value;
  return isObject(value) ? defaultObject(value, schema, options) : value;
}

export interface DefaultOptions {
  /** True to keep every `null` without a default, so that validation refuses it. @default false */
  readonly keepNulls?: boolean | undefined;
}

function defaultList(value: readonly unknown[], items: CompiledSchema, options: DefaultOptions): unknown {
  const elements = value.map((element) =>
    applyDefaults(orDefault(element, items) ?? element, items, options),
  );
  return elements.every((element, index) => element === value[index]) ? value : elements;
}

function defaultObject(value: JsonObject, schema: CompiledSchema, options: DefaultOptions): unknown {
  const changes = new Map<string, unknown>();
  for (const key of keysToFill(value, schema)) {
    const field = fieldOf(value, key);
    const child = schema.properties.get(key) ?? schema.values;
    const filled = child ? defaultField(field, child, options) : field;
    if (filled !== field) changes.set(key, filled);
  }
  return changes.size === 0 ? value : withChanges(value, changes);
}

/** Yields the present fields, and the missing fields that have a default. */
function* keysToFill(value: JsonObject, { properties }: CompiledSchema): Iterable<string> {
  yield* Object.keys(value);
  for (const [name, { schema }] of properties) {
    if (schema.default !== undefined && !Object.hasOwn(value, name)) yield name;
  }
}

function defaultField(field: unknown, schema: CompiledSchema, options: DefaultOptions): unknown {
  const filled = orDefault(field, schema);
  return applyDefaults(filled === undefined && options.keepNulls ? field : filled, schema, options);
}

/** Returns the value, or a copy of the default if the value is missing. */
function orDefault(value: unknown, { schema, nullable }: CompiledSchema): unknown {
  const missing = value === undefined || (value === null && !nullable);
  return missing ? copyOf(schema.default) : value;
}
