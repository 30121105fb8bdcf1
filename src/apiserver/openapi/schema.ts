import type { SchemaFacts } from "../../api/types/facts.ts";

/** A schema in OpenAPI 3.0. */
export type OpenApiSchema = Readonly<Record<string, unknown>>;

export interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

/** Returns a reference to another schema of the same document. */
export function refTo(name: string): OpenApiSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** Returns a built-in schema in the document of a group and version. It has no descriptions. */
export function builtinSchema(schema: SchemaFacts, groupVersion: GroupVersion): OpenApiSchema {
  const kinds = schema.kinds?.filter((kind, _, all) => all.length === 1 || isListed(kind, groupVersion));
  return { ...structureOf(schema), ...(kinds && { "x-kubernetes-group-version-kind": kinds }) };
}

/**
 * Returns true if the document lists the kind. A schema of many kinds (`DeleteOptions`) lists only those of the
 * document and of the core group.
 */
function isListed({ group, version }: GroupVersion, groupVersion: GroupVersion): boolean {
  return (
    (group === "" && version === "v1") || (group === groupVersion.group && version === groupVersion.version)
  );
}

function structureOf(schema: SchemaFacts): OpenApiSchema {
  return { ...typeOf(schema), ...contentOf(schema), ...extensionsOf(schema) };
}

function typeOf({
  ref,
  type,
  format,
  default: defaultValue,
  enum: values,
  nullable,
}: SchemaFacts): OpenApiSchema {
  const base = ref === undefined ? scalarOf(type, format) : { allOf: [refTo(ref)] };
  return {
    ...base,
    ...(defaultValue !== undefined && { default: defaultValue }),
    ...(values && { enum: values }),
    ...(nullable && { nullable }),
  };
}

/** Returns type and format. Formats that OpenAPI does not have are replaced. */
function scalarOf(type: SchemaFacts["type"], format: SchemaFacts["format"]): OpenApiSchema {
  if (format === "quantity") return { oneOf: [{ type: "string" }, { type: "number" }] };
  if (format === "int-or-string") return { format, oneOf: [{ type: "integer" }, { type: "string" }] };
  const known = format === "micro-time" ? "date-time" : format;
  return { ...(type && { type }), ...(known && { format: known }) };
}

function contentOf({ required, properties, additionalProperties, items }: SchemaFacts): OpenApiSchema {
  return {
    ...(required && { required }),
    ...(properties && { properties: propertiesOf(properties) }),
    ...(additionalProperties && { additionalProperties: elementOf(additionalProperties) }),
    ...(items && { items: elementOf(items) }),
  };
}

function propertiesOf(properties: Readonly<Record<string, SchemaFacts>>): Record<string, OpenApiSchema> {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, structureOf(schema)]));
}

/** Returns the schema of the elements of a list or map. A reference without other fields is used directly. */
function elementOf(schema: SchemaFacts): OpenApiSchema {
  const { ref, ...rest } = schema;
  return ref !== undefined && Object.keys(rest).length === 0 ? refTo(ref) : structureOf(schema);
}

/** Returns the extensions of a built-in schema. They are the same in all versions of OpenAPI. */
export function extensionsOf(schema: SchemaFacts): OpenApiSchema {
  const { listMapKeys, listType, mapType, patchMergeKey, patchStrategy, unions } = schema;
  return {
    ...(listMapKeys && { "x-kubernetes-list-map-keys": listMapKeys }),
    ...(listType && { "x-kubernetes-list-type": listType }),
    ...(mapType && { "x-kubernetes-map-type": mapType }),
    ...(patchMergeKey !== undefined && { "x-kubernetes-patch-merge-key": patchMergeKey }),
    ...(patchStrategy && { "x-kubernetes-patch-strategy": patchStrategy.join(",") }),
    ...(unions && { "x-kubernetes-unions": unions }),
  };
}

/** Returns the names of all schemas that a JSON text refers to, with duplicates. */
export function refsIn(json: string): string[] {
  return Array.from(json.matchAll(refPattern), ([, name = ""]) => name);
}

/** Matches references. A default value may look like a reference too, so not every match names a schema. */
const refPattern = /"\$ref":"#\/components\/schemas\/([^"]+)"/g;
