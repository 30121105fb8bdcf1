import type { StructuralSchema } from "../../schema/index.ts";
import type { Resource } from "../types/resource.ts";
import { metaNames, schemaName } from "./names.ts";
import { type OpenApiSchema, refTo } from "./schema.ts";

/** Returns the published schema of a custom resource: with apiVersion, kind and metadata. */
export function customSchema(resource: Resource): OpenApiSchema {
  const { properties, ...schema } = published(resource.definition?.schema ?? anyObject);
  const { group, version, kind } = resource;
  return {
    ...schema,
    type: "object",
    properties: { ...(properties as object | undefined), ...objectProperties },
    "x-kubernetes-group-version-kind": [{ group, kind, version }],
  };
}

export function customListSchema(resource: Resource): OpenApiSchema {
  const { group, version, kind, listKind } = resource;
  return {
    description: `${listKind} is a list of ${kind}`,
    type: "object",
    required: ["items"],
    properties: {
      apiVersion: { type: "string" },
      items: { type: "array", items: refTo(schemaName(resource, resource)) },
      kind: { type: "string" },
      metadata: { allOf: [refTo(metaNames.listMeta)] },
    },
    "x-kubernetes-group-version-kind": [{ group, kind: listKind, version }],
  };
}

const anyObject: StructuralSchema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };

const objectProperties = {
  apiVersion: { type: "string" },
  kind: { type: "string" },
  metadata: { allOf: [refTo(metaNames.objectMeta)] },
};

/**
 * Returns the published form of a schema. It spells out what the Kubernetes extensions imply, for clients that do not
 * know them.
 */
function published(schema: StructuralSchema): OpenApiSchema {
  const { properties, additionalProperties, items, ...rest } = schema;
  return {
    ...rest,
    ...(properties && { properties: mapped(properties) }),
    ...(additionalProperties !== undefined && { additionalProperties: orBoolean(additionalProperties) }),
    ...(items && { items: published(items) }),
    ...(isIntOrString(schema) && { anyOf: [{ type: "integer" }, { type: "string" }] }),
    ...(schema["x-kubernetes-embedded-resource"] && embedded(schema)),
  };
}

function mapped(properties: Readonly<Record<string, StructuralSchema>>): Record<string, OpenApiSchema> {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, published(schema)]));
}

function orBoolean(values: boolean | StructuralSchema): boolean | OpenApiSchema {
  return typeof values === "boolean" ? values : published(values);
}

function isIntOrString(schema: StructuralSchema): boolean {
  return schema["x-kubernetes-int-or-string"] === true && !schema.anyOf && !schema.allOf;
}

/** Returns the schema of an embedded object, which has apiVersion, kind and metadata. */
function embedded({ properties, required = [] }: StructuralSchema): OpenApiSchema {
  const missing = ["kind", "apiVersion"].filter((name) => !required.includes(name));
  return {
    properties: { ...(properties && mapped(properties)), ...objectProperties },
    required: [...required, ...missing],
  };
}
