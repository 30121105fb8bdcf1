import type { SchemaFacts } from "../../api/index.ts";

/** A schema as OpenAPI 3.0 writes it. */
export type OpenApiSchema = Readonly<Record<string, unknown>>;

export interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

/** Where another schema of the same document stands. */
export function refTo(name: string): OpenApiSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** A built-in schema by its facts, as the document of a group and version shows it. There is no prose in it. */
export function builtinSchema(schema: SchemaFacts, at: GroupVersion): OpenApiSchema {
  const kinds = schema.kinds?.filter((kind, _, all) => all.length === 1 || isShown(kind, at));
  return { ...structureOf(schema), ...(kinds && { "x-kubernetes-group-version-kind": kinds }) };
}

/** A schema of many kinds (`DeleteOptions`) is told of those of the document alone. */
function isShown({ group, version }: GroupVersion, at: GroupVersion): boolean {
  return (group === "" && version === "v1") || (group === at.group && version === at.version);
}

function structureOf(schema: SchemaFacts): OpenApiSchema {
  return { ...typeOf(schema), ...contentOf(schema), ...extensionsOf(schema) };
}

function typeOf({ ref, type, format, default: preset, enum: values, nullable }: SchemaFacts): OpenApiSchema {
  const base = ref === undefined ? scalarOf(type, format) : { allOf: [refTo(ref)] };
  return {
    ...base,
    ...(preset !== undefined && { default: preset }),
    ...(values && { enum: values }),
    ...(nullable && { nullable }),
  };
}

/** Formats of our own become what OpenAPI has for them. */
function scalarOf(type: SchemaFacts["type"], format: SchemaFacts["format"]): OpenApiSchema {
  if (format === "quantity") return { oneOf: [{ type: "string" }, { type: "number" }] };
  if (format === "int-or-string") return { format, oneOf: [{ type: "integer" }, { type: "string" }] };
  const known = format === "micro-time" ? "date-time" : format;
  return { ...(type && { type }), ...(known && { format: known }) };
}

function contentOf({ required, properties, additionalProperties, items }: SchemaFacts): OpenApiSchema {
  return {
    ...(required && { required }),
    ...(properties && { properties: eachOf(properties) }),
    ...(additionalProperties && { additionalProperties: elementOf(additionalProperties) }),
    ...(items && { items: elementOf(items) }),
  };
}

function eachOf(properties: Readonly<Record<string, SchemaFacts>>): Record<string, OpenApiSchema> {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, structureOf(schema)]));
}

/** Of a list or a map. A reference with nothing beside it stands for itself there. */
function elementOf(schema: SchemaFacts): OpenApiSchema {
  const { ref, ...rest } = schema;
  return ref !== undefined && Object.keys(rest).length === 0 ? refTo(ref) : structureOf(schema);
}

function extensionsOf(schema: SchemaFacts): OpenApiSchema {
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

/** The names of all schemas that a JSON text refers to, perhaps more than once. */
export function refsIn(json: string): string[] {
  return Array.from(json.matchAll(refPattern), ([, name = ""]) => name);
}

/** A default value may look like a reference too: not every name found here is one of a schema. */
const refPattern = /"\$ref":"#\/components\/schemas\/([^"]+)"/g;
