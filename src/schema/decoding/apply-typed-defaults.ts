import type { TypedField, TypedSchema } from "../structure/typed-schema.ts";
import { copyOf, fieldOf, isArray, isObject, type JsonObject, withChanges } from "../values/json-value.ts";

/**
 * Sets the defaults from the OpenAPI documents of a built-in kind: real defaults (`protocol: TCP`), and Go's zero
 * values (`resources: {}`, a required `name: ""`). The defaulting code of the kind runs separately. An empty list or
 * map counts as missing: it is removed, or becomes `null` if the field is required.
 *
 * Expects a decoded value. Does not modify its input, and returns the same value if there is nothing to set.
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
  let changes: Map<string, unknown> | undefined;
  for (const key of Object.keys(value)) {
    const filled = applyTypedDefaults(value[key], element);
    if (filled === value[key]) continue;
    changes ??= new Map();
    changes.set(key, filled);
  }
  return changes ? withChanges(value, changes) : value;
}

function defaultStruct(value: JsonObject, type: TypedSchema): unknown {
  let changes: Map<string, unknown> | undefined;
  const change = (key: string, field: TypedField): void => {
    const before = fieldOf(value, key);
    const filled = filledField(before, field);
    if (filled === before) return;
    changes ??= new Map();
    changes.set(key, filled);
  };
  for (const key of Object.keys(value)) {
    const field = type.fields.get(key);
    if (field) change(key, field);
  }
  for (const [key, field] of fieldsWithDefaults(type)) if (!Object.hasOwn(value, key)) change(key, field);
  return changes ? withChanges(value, changes) : value;
}

function filledField(value: unknown, field: TypedField): unknown {
  const found = value ?? copyOf(field.default);
  if (isCollection(field.type) && isEmpty(found)) return field.required ? null : undefined;
  return found === undefined ? found : applyTypedDefaults(found, field.type);
}

/** Returns the fields that are set if they are missing, which are few of all fields of a type. */
function fieldsWithDefaults(type: TypedSchema): ReadonlyArray<readonly [string, TypedField]> {
  const cached = defaultsByType.get(type);
  if (cached) return cached;
  const filled = [...type.fields].filter(([, field]) => filledField(undefined, field) !== undefined);
  defaultsByType.set(type, filled);
  return filled;
}

const defaultsByType = new WeakMap<TypedSchema, ReadonlyArray<readonly [string, TypedField]>>();

function isCollection({ shape }: TypedSchema): boolean {
  return shape === "list" || shape === "map";
}

function isEmpty(value: unknown): boolean {
  if (isArray(value)) return value.length === 0;
  return isObject(value) ? Object.keys(value).length === 0 : value === undefined || value === null;
}
