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
export function applyDefaults(value: unknown, schema: CompiledSchema, options: DefaultOptions = {}): unknown {
  if (isArray(value)) return schema.items ? defaultList(value, schema.items, options) : value;
  return isObject(value) ? defaultObject(value, schema, options) : value;
}

export interface DefaultOptions {
  /** A `null` without a default stays everywhere, for validation to refuse. @default false */
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

/** The fields that are there, and those that are not but have a default. */
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

/** The value, or where that is missing a default of its own, if there is one. */
function orDefault(value: unknown, { schema, nullable }: CompiledSchema): unknown {
  const missing = value === undefined || (value === null && !nullable);
  return missing ? copyOf(schema.default) : value;
}
