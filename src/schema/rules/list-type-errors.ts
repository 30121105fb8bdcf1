import {
  type CrdSchema,
  hasDefault,
  isBlank,
  itemListOf,
  itemsOf,
  propertyOf,
} from "../structure/crd-schema.ts";
import { type FieldError, forbidden, invalid, notSupported, required } from "../values/field-error.ts";

/** Yields the errors of the list type, the map type and the list map keys of a schema. */
export function* listTypeErrors(schema: CrdSchema, path: string): Iterable<FieldError> {
  yield* mapTypeErrors(schema, path);
  yield* typeErrors(schema, path);
  yield* setErrors(schema, path);
  const listType = schema["x-kubernetes-list-type"];
  if (listType !== undefined && !listTypes.includes(listType))
    yield notSupported(`${path}.x-kubernetes-list-type`, listType, listTypes);
  yield* strayKeyErrors(schema, path);
  if (listType === "map") yield* mapErrors(schema, path);
  if (listType === "map" || listType === "set") yield* nullableErrors(schema, path);
}

const listTypes = ["atomic", "set", "map"];
const mapTypes = ["atomic", "granular"];

function* mapTypeErrors(schema: CrdSchema, path: string): Iterable<FieldError> {
  const mapType = schema["x-kubernetes-map-type"];
  if (mapType === undefined) return;
  if (schema.type !== "object") yield wrongType(schema, path, "object if x-kubernetes-map-type is specified");
  if (!mapTypes.includes(mapType)) yield notSupported(`${path}.x-kubernetes-map-type`, mapType, mapTypes);
}

function* typeErrors(schema: CrdSchema, path: string): Iterable<FieldError> {
  if (schema["x-kubernetes-list-type"] !== undefined && schema.type !== "array")
    yield wrongType(schema, path, "array if x-kubernetes-list-type is specified");
}

function wrongType({ type }: CrdSchema, path: string, expected: string): FieldError {
  const at = `${path}.type`;
  return type ? invalid(at, type, `must be ${expected}`) : required(at, `must be ${expected}`);
}

/** Elements of a set are compared as a whole, so nothing inside them may be merged. */
function* setErrors(schema: CrdSchema, path: string): Iterable<FieldError> {
  const items = itemsOf(schema);
  if (schema.type !== "array" || schema["x-kubernetes-list-type"] !== "set" || !items) return;
  const listType = items["x-kubernetes-list-type"];
  const detail = "must be atomic as item of a list with x-kubernetes-list-type=set";
  if (items.type === "array" && listType !== undefined && listType !== "atomic")
    yield invalid(`${path}.items.x-kubernetes-list-type`, listType, detail);
  if (items.type === "object" && items["x-kubernetes-map-type"] !== "atomic")
    yield invalid(`${path}.items.x-kubernetes-map-type`, listType ?? null, detail);
}

function* strayKeyErrors(schema: CrdSchema, path: string): Iterable<FieldError> {
  const listType = schema["x-kubernetes-list-type"];
  if (isBlank(schema["x-kubernetes-list-map-keys"]) || listType === "map") return;
  const at = `${path}.x-kubernetes-list-type`;
  const detail = "must be map if x-kubernetes-list-map-keys is non-empty";
  yield listType === undefined ? required(at, detail) : invalid(at, listType, detail);
}

function* mapErrors(schema: CrdSchema, path: string): Iterable<FieldError> {
  const items = itemsOf(schema);
  if (isBlank(schema["x-kubernetes-list-map-keys"]))
    yield required(
      `${path}.x-kubernetes-list-map-keys`,
      "must not be empty if x-kubernetes-list-type is map",
    );
  if (schema.items === undefined)
    yield required(`${path}.items`, "must have a schema if x-kubernetes-list-type is map");
  if (itemListOf(schema).length > 0)
    yield invalid(
      `${path}.items`,
      schema.items,
      "must only have a single schema if x-kubernetes-list-type is map",
    );
  if (items && items.type !== "object")
    yield invalid(
      `${path}.items.type`,
      items.type ?? "",
      "must be object if parent array's x-kubernetes-list-type is map",
    );
  if (items?.type === "object") yield* keyErrors(schema, items, path);
}

function* keyErrors(schema: CrdSchema, items: CrdSchema, path: string): Iterable<FieldError> {
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  const at = `${path}.x-kubernetes-list-map-keys`;
  const seen = new Set<string>();
  for (const key of keys) {
    const property = propertyOf(items, key);
    if (!property) yield invalid(at, keys, "entries must all be names of item properties");
    else if (property.type === "array" || property.type === "object")
      yield invalid(`${path}.items.properties[${key}].type`, "object", scalarKey);
    if (seen.has(key)) yield invalid(at, keys, "must not contain duplicate entries");
    seen.add(key);
  }
}

const scalarKey = "must be a scalar type if parent array's x-kubernetes-list-type is map";

/** Keys must be present in every element, so neither the keys nor the elements may be null. */
function* nullableErrors(schema: CrdSchema, path: string): Iterable<FieldError> {
  const items = itemsOf(schema);
  const listType = schema["x-kubernetes-list-type"];
  if (items?.nullable)
    yield forbidden(
      `${path}.items.nullable`,
      `cannot be nullable when x-kubernetes-list-type is ${listType}`,
    );
  if (listType === "map" && items) yield* optionalKeyErrors(schema, items, path);
}

function* optionalKeyErrors(schema: CrdSchema, items: CrdSchema, path: string): Iterable<FieldError> {
  const needed = new Set(items.required);
  for (const key of schema["x-kubernetes-list-map-keys"] ?? []) {
    const property = propertyOf(items, key);
    if (!property) continue;
    const at = `${path}.items.properties[${key}]`;
    if (!needed.has(key) && !hasDefault(property))
      yield required(`${at}.default`, `${isKey}, so it must have a default or be a required property`);
    if (property.nullable) yield forbidden(`${at}.nullable`, `${isKey}, so it cannot be nullable`);
  }
}

const isKey = "this property is in x-kubernetes-list-map-keys";
