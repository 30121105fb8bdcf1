import {
  type CrdSchema,
  isBlank,
  itemsOf,
  propertiesOf,
  propertyOf,
  valuesOf,
} from "../structure/crd-schema.ts";
import { type FieldError, forbidden, invalid, required } from "../values/field-error.ts";
import { nestedErrors } from "./nested-errors.ts";

/** The position of a schema: the root, the items of a list, or a field. */
export type Level = "root" | "item" | "field";

export interface NodePlace {
  readonly path: string;
  readonly level: Level;
}

/** Yields the errors that make a schema non-structural, at this node and at all nodes below. */
export function* nodeErrors(schema: CrdSchema, { path, level }: NodePlace): Iterable<FieldError> {
  yield* childErrors(schema, { path, level });
  yield* extensionErrors(schema, path);
  yield* nestedErrors(schema, path);
  yield* typeErrors(schema, { path, level });
  yield* metaErrors(schema, { path, level });
  if (isBareResource(schema)) yield required(`${path}.properties`, bareResource);
}

function* childErrors(schema: CrdSchema, { path, level }: NodePlace): Iterable<FieldError> {
  if (schema.type === "array" && schema.items === undefined)
    yield required(`${path}.items`, "must be specified");
  const items = itemsOf(schema);
  if (items) yield* nodeErrors(items, { path: `${path}.items`, level: "item" });
  for (const [name, property] of propertiesOf(schema)) {
    yield* nodeErrors(property, { path: `${path}.properties[${name}]`, level: "field" });
  }
  const at = `${path}.additionalProperties`;
  if (schema.additionalProperties !== undefined && level === "root")
    yield forbidden(at, "must not be used at the root");
  const values = valuesOf(schema);
  if (values) yield* nodeErrors(values, { path: at, level: "field" });
}

function* extensionErrors(schema: CrdSchema, path: string): Iterable<FieldError> {
  if (!schema["x-kubernetes-int-or-string"]) return;
  for (const name of ["x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource"] as const) {
    if (schema[name])
      yield invalid(`${path}.${name}`, true, "must be false if x-kubernetes-int-or-string is true");
  }
}

function* typeErrors(schema: CrdSchema, place: NodePlace): Iterable<FieldError> {
  const { path, level } = place;
  const { type = "" } = schema;
  if (schema["x-kubernetes-embedded-resource"] && type !== "object") {
    const detail = "must be object if x-kubernetes-embedded-resource is true";
    yield type === "" ? required(`${path}.type`, detail) : invalid(`${path}.type`, type, detail);
  } else if (type === "" && !mayBeUntyped(schema)) {
    yield required(`${path}.type`, missingTypes[level]);
  }
  if (schema["x-kubernetes-embedded-resource"] && schema.additionalProperties !== undefined)
    yield forbidden(
      `${path}.additionalProperties`,
      "must not be used if x-kubernetes-embedded-resource is set",
    );
  if (level === "root" && type !== "" && type !== "object")
    yield invalid(`${path}.type`, type, "must be object at the root");
}

function mayBeUntyped(schema: CrdSchema): boolean {
  return Boolean(schema["x-kubernetes-int-or-string"] || schema["x-kubernetes-preserve-unknown-fields"]);
}

const missingTypes: Readonly<Record<Level, string>> = {
  root: "must not be empty at the root",
  item: "must not be empty for specified array items",
  field: "must not be empty for specified object fields",
};

/** Checks apiVersion, kind and metadata of a resource, which a schema may hardly restrict. */
function* metaErrors(schema: CrdSchema, { path, level }: NodePlace): Iterable<FieldError> {
  const resource = level === "root" || schema["x-kubernetes-embedded-resource"];
  for (const [name, type] of resource ? metaTypes : []) {
    const property = propertyOf(schema, name);
    if (property && property.type !== type)
      yield invalid(`${path}.properties[${name}].type`, property.type ?? "", `must be ${type}`);
  }
  const metadata = propertyOf(schema, "metadata");
  if (level === "root" && metadata && specifiesMore(metadata))
    yield forbidden(`${path}.properties[metadata]`, onlyNamesAllowed);
}

const metaTypes = [
  ["kind", "string"],
  ["apiVersion", "string"],
  ["metadata", "object"],
] as const;

/**
 * Returns true if a schema of metadata specifies more than its type, its default, and the fields name and generateName.
 */
function specifiesMore({ type, default: value, properties, ...rest }: CrdSchema): boolean {
  const names = Object.keys(properties ?? {});
  const others = names.filter((name) => name !== "name" && name !== "generateName");
  return others.length > 0 || Object.values(rest).some((part) => !isBlank(part));
}

const onlyNamesAllowed =
  "must not specify anything other than name and generateName, but metadata is implicitly specified";

/** Returns true for an embedded resource that declares and preserves nothing, so pruning would remove everything. */
function isBareResource(schema: CrdSchema): boolean {
  if (!schema["x-kubernetes-embedded-resource"]) return false;
  return !schema["x-kubernetes-preserve-unknown-fields"] && propertiesOf(schema).length === 0;
}

const bareResource =
  "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields";
