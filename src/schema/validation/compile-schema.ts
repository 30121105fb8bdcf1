import { formatTest, knownFormat } from "../formats/formats.ts";
import type { CompiledSchema } from "../structure/compiled-schema.ts";
import { compilePattern } from "../structure/pattern.ts";
import { isTooDeep, SchemaTooDeepError } from "../structure/schema-depth.ts";
import type { StructuralSchema } from "../structure/structural-schema.ts";
import { isObject } from "../values/json-value.ts";

/**
 * Compiles a schema once for all the values it validates.
 *
 * Expects a schema without `structuralErrors`.
 *
 * @throws {SchemaTooDeepError} for a schema nested too deeply
 * @throws {PatternError} for a pattern that is not a regular expression
 */
export function compileSchema(schema: StructuralSchema): CompiledSchema {
  if (isTooDeep(schema)) throw new SchemaTooDeepError();
  return compile(schema);
}

function compile(schema: StructuralSchema): CompiledSchema {
  const types = typesOf(schema);
  const format = knownFormat(schema.format ?? "", types.length === 1 ? (types[0] ?? "") : "");
  const children = {
    properties: compileEach(schema.properties ?? {}),
    values: isObject(schema.additionalProperties) ? compile(schema.additionalProperties) : undefined,
    items: schema.items && compile(schema.items),
  };
  return {
    schema,
    types,
    format,
    formatTest: formatTest(format),
    pattern: schema.pattern ? compilePattern(schema.pattern) : undefined,
    ...children,
    hasValues: schema.additionalProperties !== undefined,
    ...alternatives(schema),
    ...extensions(schema),
    ...subtreeFlags(schema, [...children.properties.values(), children.values, children.items]),
  };
}

function typesOf(schema: StructuralSchema): readonly string[] {
  if (schema["x-kubernetes-int-or-string"]) return ["integer", "string"];
  return schema.type === undefined ? [] : [schema.type];
}

function compileEach(schemas: Readonly<Record<string, StructuralSchema>>): Map<string, CompiledSchema> {
  return new Map(Object.entries(schemas).map(([name, schema]) => [name, compile(schema)]));
}

type Alternatives = Pick<CompiledSchema, "allOf" | "anyOf" | "oneOf" | "not">;

function alternatives({ allOf = [], anyOf = [], oneOf = [], not }: StructuralSchema): Alternatives {
  return {
    allOf: allOf.map(compile),
    anyOf: anyOf.map(compile),
    oneOf: oneOf.map(compile),
    not: not && compile(not),
  };
}

type Extensions = Pick<
  CompiledSchema,
  "listType" | "listMapKeys" | "nullable" | "preservesUnknown" | "embeddedResource"
>;

function extensions(schema: StructuralSchema): Extensions {
  return {
    listType: schema["x-kubernetes-list-type"] ?? "atomic",
    listMapKeys: schema["x-kubernetes-list-map-keys"] ?? [],
    nullable: schema.nullable ?? false,
    preservesUnknown: schema["x-kubernetes-preserve-unknown-fields"] ?? false,
    embeddedResource: schema["x-kubernetes-embedded-resource"] ?? false,
  };
}

type SubtreeFlags = Pick<CompiledSchema, "hasUniqueLists" | "hasEmbeddedResources">;

function subtreeFlags(
  schema: StructuralSchema,
  children: ReadonlyArray<CompiledSchema | undefined>,
): SubtreeFlags {
  const { listType, embeddedResource } = extensions(schema);
  return {
    hasUniqueLists: listType !== "atomic" || children.some((child) => child?.hasUniqueLists),
    hasEmbeddedResources: embeddedResource || children.some((child) => child?.hasEmbeddedResources),
  };
}
