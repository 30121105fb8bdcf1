import { copyOf, fieldOf, isArray, isObject, type JsonObject, withChanges } from "./json-value.ts";
import type { TypedField, TypedSchema } from "./typed-schema.ts";

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
  for (const [key, field] of filledWhereMissing(type)) if (!Object.hasOwn(value, key)) change(key, field);
  return changes ? withChanges(value, changes) : value;
}

function filledField(value: unknown, field: TypedField): unknown {
  const found = value ?? copyOf(field.default);
  if (isCollection(field.type) && isEmpty(found)) return field.required ? null : undefined;
  return found === undefined ? found : applyTypedDefaults(found, field.type);
}

/** The fields that are set where they are missing: few of all that a type has. */
function filledWhereMissing(type: TypedSchema): ReadonlyArray<readonly [string, TypedField]> {
  const known = filledByType.get(type);
  if (known) return known;
  const filled = [...type.fields].filter(([, field]) => filledField(undefined, field) !== undefined);
  filledByType.set(type, filled);
  return filled;
}

const filledByType = new WeakMap<TypedSchema, ReadonlyArray<readonly [string, TypedField]>>();

function isCollection({ shape }: TypedSchema): boolean {
  return shape === "list" || shape === "map";
}

function isEmpty(value: unknown): boolean {
  if (isArray(value)) return value.length === 0;
  return isObject(value) ? Object.keys(value).length === 0 : value === undefined || value === null;
}
