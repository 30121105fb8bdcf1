import type { SchemaFacts } from "../../api/types/facts.ts";
import type { StructuralSchema } from "../../schema/index.ts";
import type { Resource } from "../types/resource.ts";
import { metaNames, schemaName } from "./names.ts";
import { extensionsOf } from "./schema.ts";

/** A schema in OpenAPI 2.0, which has no descriptions of built-in fields, defaults, alternatives and `nullable`. */
export type SwaggerSchema = Readonly<Record<string, unknown>>;

/** Returns a reference to a definition of the same document. */
export function definitionRef(name: string): SwaggerSchema {
  return { $ref: `#/definitions/${name}` };
}

/** Returns the definition of a built-in schema. */
export function builtinDefinition(schema: SchemaFacts): SwaggerSchema {
  return { ...structureOf(schema), ...(schema.kinds && { "x-kubernetes-group-version-kind": schema.kinds }) };
}

function structureOf(schema: SchemaFacts): SwaggerSchema {
  const { ref, required, properties, additionalProperties, items } = schema;
  return {
    ...(ref === undefined ? scalarOf(schema) : definitionRef(ref)),
    ...(schema.enum && { enum: schema.enum }),
    ...(required && { required }),
    ...(properties && { properties: mapped(properties, structureOf) }),
    ...(additionalProperties && { additionalProperties: structureOf(additionalProperties) }),
    ...(items && { items: structureOf(items) }),
    ...extensionsOf(schema),
  };
}

/** Returns type and format. Values of several types are strings. */
function scalarOf({ type, format }: SchemaFacts): SwaggerSchema {
  if (format === "quantity") return { type: "string" };
  if (format === "int-or-string") return { type: "string", format };
  const known = format === "micro-time" ? "date-time" : format;
  return { ...(type && { type }), ...(known && { format: known }) };
}

/**
 * Returns the definition of a custom kind. Clients of OpenAPI 2.0 refuse fields that are not listed, so a kind that
 * preserves unknown fields has no properties.
 */
export function customDefinition({ definition, group, version, kind }: Resource): SwaggerSchema {
  const schema = definition?.schema;
  const kinds = { "x-kubernetes-group-version-kind": [{ group, kind, version }] };
  if (!schema || schema["x-kubernetes-preserve-unknown-fields"]) return { type: "object", ...kinds };
  const { properties, ...rest } = published(schema);
  return { ...rest, properties: { ...(properties as object | undefined), ...objectProperties }, ...kinds };
}

export function customListDefinition(resource: Resource): SwaggerSchema {
  const { group, version, kind, listKind } = resource;
  return {
    description: `${listKind} is a list of ${kind}`,
    type: "object",
    required: ["items"],
    properties: {
      ...objectProperties,
      items: { type: "array", items: definitionRef(schemaName(resource, resource)) },
      metadata: definitionRef(metaNames.listMeta),
    },
    "x-kubernetes-group-version-kind": [{ group, kind: listKind, version }],
  };
}

const objectProperties = {
  apiVersion: { type: "string" },
  kind: { type: "string" },
  metadata: definitionRef(metaNames.objectMeta),
};

/** Returns the published form of a schema. What OpenAPI 2.0 cannot express is omitted, and the value has no type. */
function published(schema: StructuralSchema): SwaggerSchema {
  const { properties, additionalProperties, items, type, required, ...rest } = withoutUnsupported(schema);
  const embedded = schema["x-kubernetes-embedded-resource"] === true;
  if (schema["x-kubernetes-preserve-unknown-fields"]) return openSchema(schema, rest);
  if (schema.nullable) return { ...rest, ...requiredOf(schema), ...valuesOf(additionalProperties) };
  return {
    ...rest,
    ...(type && (type !== "array" || items) && { type }),
    ...requiredOf(schema),
    ...((properties || embedded) && {
      properties: { ...mapped(properties ?? {}, published), ...(embedded && objectProperties) },
    }),
    ...valuesOf(additionalProperties),
    ...(items && { items: published(items) }),
  };
}

/** Returns the schema of a value that preserves unknown fields: a scalar keeps its type. */
function openSchema({ type, nullable, additionalProperties }: StructuralSchema, rest: object): SwaggerSchema {
  const typed = type && !nullable && type !== "object" && type !== "array";
  return { ...rest, ...(typed && { type }), ...valuesOf(additionalProperties) };
}

function withoutUnsupported(schema: StructuralSchema): StructuralSchema {
  const { allOf: _1, anyOf: _2, oneOf: _3, not: _4, default: _5, nullable: _6, ...rest } = schema;
  const { example: _7, externalDocs: _8, ...supported } = rest;
  return supported;
}

/** Returns the required fields, without those that may be null. */
function requiredOf(schema: StructuralSchema): SwaggerSchema {
  const { additionalProperties, properties = {}, required = [] } = schema;
  const nullableValues = typeof additionalProperties === "object" && additionalProperties.nullable;
  const needed = nullableValues ? [] : required.filter((name) => !properties[name]?.nullable);
  const isObject = schema["x-kubernetes-embedded-resource"] && !schema.nullable;
  const added = isObject ? ["kind", "apiVersion"].filter((name) => !needed.includes(name)) : [];
  return needed.length + added.length > 0 ? { required: [...needed, ...added] } : {};
}

function valuesOf(values: boolean | StructuralSchema | undefined): SwaggerSchema {
  if (values === undefined) return {};
  return { additionalProperties: typeof values === "boolean" ? values : published(values) };
}

function mapped<T>(
  values: Readonly<Record<string, T>>,
  change: (value: T) => SwaggerSchema,
): Record<string, SwaggerSchema> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}
