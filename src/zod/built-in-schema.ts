import { facts, type SchemaFacts } from "../api/types/facts.ts";

/** A JSON Schema with extensions of Kubernetes. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * Returns the schema of a built-in type without descriptions, for use inside of a custom kind.
 *
 * Metadata of templates has only the fields that a user sets: the server prunes the others, such as the
 * `creationTimestamp: null` that Go programs write. Defaults are left out, because the controller of the built-in
 * object sets them. The exception are optional fields that identify elements of a list, which need a default.
 *
 * @param name The OpenAPI name: `io.k8s.api.core.v1.PodTemplateSpec`.
 */
export function builtInSchema(name: string): JsonSchema {
  return convert({ ref: name }, { followed: [], isOptionalKey: false });
}

/** The pattern of a quantity such as `500m`, `1.5Gi` or `1e3`. */
export const quantityPattern: string =
  "^[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?$";

interface Place {
  /** The names of the enclosing types, to detect recursion. */
  readonly followed: readonly string[];
  /** True for an optional field that identifies an element of a list. */
  readonly isOptionalKey: boolean;
  /** The fields that identify this object in a list. */
  readonly keys?: readonly string[] | undefined;
}

function convert(given: SchemaFacts, place: Place): JsonSchema {
  if (given.ref === undefined) return { ...valueSchema(given, place), ...defaultOf(given, place) };
  const { ref, ...beside } = given;
  if (ref.endsWith(".ObjectMeta")) return templateMetadata(place);
  if (place.followed.includes(ref))
    throw new Error(`expected a type that does not contain itself, got ${ref}`);
  const target = facts().schemas.get(ref);
  if (!target) throw new Error(`expected a built-in type, got ${ref}`);
  return convert({ ...target, ...beside }, { ...place, followed: [...place.followed, ref] });
}

function defaultOf({ default: value }: SchemaFacts, { isOptionalKey }: Place): JsonSchema {
  return isOptionalKey && value !== undefined ? { default: value } : {};
}

/** The metadata that users set in a template. */
const templateFields = [
  "name",
  "generateName",
  "namespace",
  "labels",
  "annotations",
  "finalizers",
  "ownerReferences",
];

function templateMetadata(place: Place): JsonSchema {
  const { properties = {}, type } = facts().schemas.get(objectMeta) ?? {};
  const kept = Object.entries(properties).filter(([name]) => templateFields.includes(name));
  return convert({ type, properties: Object.fromEntries(kept) }, place);
}

const objectMeta = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

function valueSchema(schema: SchemaFacts, place: Place): JsonSchema {
  const { type, format, enum: values } = schema;
  if (format === "quantity") return { "x-kubernetes-int-or-string": true, pattern: quantityPattern };
  if (format === "int-or-string") return { "x-kubernetes-int-or-string": true };
  if (type === "array") return listSchema(schema, place);
  if (type === "object") return objectSchema(schema, place);
  if (type === undefined) return { "x-kubernetes-preserve-unknown-fields": true };
  return {
    type,
    ...(format !== undefined && { format: format === "micro-time" ? "date-time" : format }),
    ...(values && { enum: values }),
  };
}

function listSchema({ items = {}, listType, listMapKeys: keys }: SchemaFacts, place: Place): JsonSchema {
  return {
    type: "array",
    items: convert(items, { followed: place.followed, isOptionalKey: false, keys }),
    ...(listType && { "x-kubernetes-list-type": listType }),
    ...(keys && { "x-kubernetes-list-map-keys": keys }),
  };
}

function objectSchema(schema: SchemaFacts, { followed, keys = [] }: Place): JsonSchema {
  const { properties, required, additionalProperties: values, mapType, preserveUnknownFields } = schema;
  const fields = Object.entries(properties ?? {}).map(([name, field]) => [
    name,
    convert(field, { followed, isOptionalKey: keys.includes(name) && !required?.includes(name) }),
  ]);
  return {
    type: "object",
    ...(properties && { properties: Object.fromEntries(fields) }),
    ...(required && { required }),
    ...(values && { additionalProperties: convert(values, { followed, isOptionalKey: false }) }),
    ...(mapType && { "x-kubernetes-map-type": mapType }),
    ...(preserveUnknownFields && { "x-kubernetes-preserve-unknown-fields": true }),
  };
}
