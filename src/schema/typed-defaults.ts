import { copyOf, fieldOf, isArray, isObject, type JsonObject, withChanges } from "./json-value.ts";
import type { TypedSchema } from "./typed-schema.ts";

/**
 * Fills in the defaults that the OpenAPI documents of a built-in kind know: values that count (`protocol: TCP`), and
 * what Go writes for nothing (`resources: {}`, a required `name: ""`). The kind's own defaulting comes on top. An empty
 * list or map is nothing: it is not written, or as `null` where it must be.
 *
 * Expects a decoded value. Nothing is changed in place; a value with nothing to fill in comes back as it is.
 */
export function applyTypedDefaults(value: unknown, type: TypedSchema): unknown {
  const { element } = type;
  if (type.shape === "list" && isArray(value) && element) return defaultList(value, element);
  if (type.shape === "map" && isObject(value) && element) return defaultMap(value, element);
  return type.shape === "struct" && isObject(value) ? defaultStruct(value, type) : value;
}

function defaultList(value: readonly unknown[], element: TypedSchema): unknown {
  const filled = value.map((item) => applyTypedDefaults(item, element));
  return filled.every((item, index) => item === value[index]) ? value : filled;
}

function defaultMap(value: JsonObject, element: TypedSchema): unknown {
  return changed(value, Object.keys(value), (key) => applyTypedDefaults(value[key], element));
}

function defaultStruct(value: JsonObject, { fields }: TypedSchema): unknown {
  return changed(value, fields.keys(), (key) => {
    const field = fields.get(key);
    const found = fieldOf(value, key) ?? copyOf(field?.default);
    if (!field) return found;
    if (isCollection(field.type) && isEmpty(found)) return field.required ? null : undefined;
    return found === undefined ? found : applyTypedDefaults(found, field.type);
  });
}

function isCollection({ shape }: TypedSchema): boolean {
  return shape === "list" || shape === "map";
}

function isEmpty(value: unknown): boolean {
  if (isArray(value)) return value.length === 0;
  return isObject(value) ? Object.keys(value).length === 0 : value === undefined || value === null;
}

function changed(value: JsonObject, keys: Iterable<string>, fill: (key: string) => unknown): JsonObject {
  const changes = new Map<string, unknown>();
  for (const key of keys) {
    const filled = fill(key);
    if (filled !== fieldOf(value, key)) changes.set(key, filled);
  }
  return changes.size === 0 ? value : withChanges(value, changes);
}
