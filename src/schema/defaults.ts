import type { CompiledSchema } from "./compiled-schema.ts";
import { copyOf, fieldOf, isArray, isObject, type JsonObject, withChanges } from "./json-value.ts";

/**
 * Fills in the defaults of a schema, at every depth: in objects, in elements of lists and values of maps, and inside
 * the defaults themselves. A missing object is not made to hold the defaults of its fields.
 *
 * A `null` that may not stand there counts as missing: it gives way to the default, or goes if there is none. Only
 * in lists it stays, for validation to refuse. Nothing is changed in place; a value with nothing to fill in comes back
 * as it is.
 */
export function applyDefaults(value: unknown, schema: CompiledSchema): unknown {
  if (isArray(value)) return schema.items ? defaultList(value, schema.items) : value;
  return isObject(value) ? defaultObject(value, schema) : value;
}

function defaultList(value: readonly unknown[], items: CompiledSchema): unknown {
  const elements = value.map((element) => applyDefaults(orDefault(element, items) ?? element, items));
  return elements.every((element, index) => element === value[index]) ? value : elements;
}

function defaultObject(value: JsonObject, schema: CompiledSchema): unknown {
  const changes = new Map<string, unknown>();
  for (const key of keysToFill(value, schema)) {
    const field = fieldOf(value, key);
    const child = schema.properties.get(key) ?? schema.values;
    const filled = child ? defaultField(field, child) : field;
    if (filled !== field) changes.set(key, filled);
  }
  return changes.size === 0 ? value : withChanges(value, changes);
}

/** The fields that are there, and those that are not but have a default. */
function* keysToFill(value: JsonObject, { properties }: CompiledSchema): Iterable<string> {
  yield* Object.keys(value);
  for (const [name, { schema }] of properties) {
    if (schema.default !== undefined && !Object.hasOwn(value, name)) yield name;
  }
}

function defaultField(field: unknown, schema: CompiledSchema): unknown {
  return applyDefaults(orDefault(field, schema), schema);
}

/** The value, or where that is missing a default of its own, if there is one. */
function orDefault(value: unknown, { schema, nullable }: CompiledSchema): unknown {
  const missing = value === undefined || (value === null && !nullable);
  return missing ? copyOf(schema.default) : value;
}
