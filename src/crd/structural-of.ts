import type { StructuralSchema } from "../schema/index.ts";
import { codeMark } from "./code-in-schema.ts";
import {
  allowsAnything,
  isExtension,
  isRecord,
  type JsonSchema,
  jsonType,
  listOf,
  resolvePointer,
} from "./json-schema.ts";
import { type Place, refuse } from "./place.ts";
import { extensionsIn } from "./rule.ts";
import { unrepresentable } from "./schema.ts";
import { intersection } from "./structural-intersection.ts";
import { listSchema, objectSchema } from "./structural-object.ts";
import { numberSchema, stringSchema } from "./structural-scalar.ts";
import { union } from "./structural-union.ts";

/**
 * Converts a JSON Schema to an equivalent structural schema, or the closest one. Records keywords without an equivalent
 * in `place.problems`, and continues to find all of them.
 */
export function structuralOf(marked: unknown, place: Place): StructuralSchema {
  const given = withoutCode(marked, place);
  if (allowsAnything(given)) return { ...anyValue, ...(isRecord(given) ? annotationsOf(given, place) : {}) };
  if (!isRecord(given)) return refuse(place, noValue);
  if (typeof given.$ref === "string") return resolveReference(given, given.$ref, place);
  const unsupported = unsupportedIn(given);
  if (unsupported !== undefined) return refuse(place, unsupported);
  const { schema, nullable } = withoutNull(given);
  const value = valueSchema(schema, place);
  return { ...(nullable ? nullableSchema(value) : value), ...annotationsOf(given, place) };
}

/** Reports the code of a schema, and returns the schema without it. */
function withoutCode(given: unknown, place: Place): unknown {
  if (!isRecord(given) || given[codeMark] === undefined) return given;
  const { [codeMark]: reason, ...schema } = given;
  refuse(place, String(reason));
  return schema;
}

const noValue = "the schema allows no value";
const anyValue: StructuralSchema = { "x-kubernetes-preserve-unknown-fields": true };

/** Resolves a reference. Keywords beside it are part of the same schema. */
function resolveReference(
  { $ref, ...beside }: JsonSchema,
  reference: string,
  place: Place,
): StructuralSchema {
  if (place.followed.includes(reference)) {
    return refuse(place, "the schema is recursive, which a structural schema cannot be");
  }
  const target = resolvePointer(place.root, reference);
  if (target === undefined) return refuse(place, `expected a schema at ${String($ref)}, got none`);
  const whole = isRecord(target) ? { ...target, ...beside } : target;
  return structuralOf(whole, { ...place, followed: [...place.followed, reference] });
}

function unsupportedIn(schema: JsonSchema): string | undefined {
  const type = schema[unrepresentable];
  if (type === "custom") return customType;
  if (type !== undefined) return `JSON has no ${String(type)}${adviceFor(String(type))}`;
  if (schema.contentEncoding === "binary") return "JSON has no file";
  if (isRecord(schema.not) && allowsAnything(schema.not)) return noValue;
  if (schema.prefixItems !== undefined) return "expected one schema for all elements of a list, got a tuple";
  const keyword = unsupportedKeywords.find((each) => schema[each] !== undefined && schema[each] !== false);
  return keyword && `the keyword ${keyword} is not supported in a CustomResourceDefinition`;
}

const customType =
  "expected a schema that JSON Schema can express, got a check in code (custom or instanceof): " +
  "declare the stored type, or set its JSON Schema with meta";

function adviceFor(type: string): string {
  if (type === "map") return "; use an object, such as z.record(z.string(), …)";
  return type === "date" ? "; use a string, such as z.iso.datetime()" : "";
}

const unsupportedKeywords = [
  "$dynamicRef",
  "contains",
  "dependentRequired",
  "dependentSchemas",
  "else",
  "if",
  "not",
  "patternProperties",
  "then",
  "unevaluatedItems",
  "unevaluatedProperties",
] as const;

interface WithoutNull {
  readonly schema: JsonSchema;
  readonly nullable: boolean;
}

/** Returns the schema of all values but `null`, which JSON Schema can allow in four ways. */
function withoutNull(given: JsonSchema): WithoutNull {
  const schema: Record<string, unknown> = { ...given };
  let nullable = false;
  for (const keyword of ["type", "enum", "anyOf", "oneOf"] as const) {
    const all = schema[keyword];
    if (!Array.isArray(all)) continue;
    const rest = all.filter((each) => !isNull(keyword, each));
    if (rest.length === all.length || rest.length === 0) continue;
    nullable = true;
    schema[keyword] = rest;
  }
  return { schema, nullable };
}

function isNull(keyword: string, part: unknown): boolean {
  if (keyword === "type") return part === "null";
  if (keyword === "enum") return part === null;
  return isRecord(part) && (part.type === "null" || part.const === null);
}

/**
 * Makes a schema nullable. An `enum` of an API server refuses `null` even if the field is nullable, unless it is inside
 * `allOf`.
 */
function nullableSchema({ enum: values, ...schema }: StructuralSchema): StructuralSchema {
  const nullable = { ...schema, nullable: true };
  return values ? { ...nullable, allOf: [...(schema.allOf ?? []), { enum: values }] } : nullable;
}

function valueSchema(schema: JsonSchema, place: Place): StructuralSchema {
  const { anyOf, oneOf, allOf, ...rest } = schema;
  if (anyOf !== undefined)
    return union(
      { keyword: "anyOf", of: listOf(anyOf), beside: { ...rest, oneOf, allOf } },
      place,
      structuralOf,
    );
  if (oneOf !== undefined)
    return union({ keyword: "oneOf", of: listOf(oneOf), beside: { ...rest, allOf } }, place, structuralOf);
  if (allOf !== undefined) return intersection(listOf(allOf), { beside: rest, place, convert: structuralOf });
  return plainSchema(rest, place);
}

/** Converts a schema without alternatives. */
function plainSchema(schema: JsonSchema, place: Place): StructuralSchema {
  if ("const" in schema) return plainSchema(withConst(schema), place);
  const type = typeOf(schema);
  switch (type) {
    case "object":
      return objectSchema(schema, place, structuralOf);
    case "array":
      return listSchema(schema, place, structuralOf);
    case "string":
      return { ...stringSchema(schema, place), ...enumOf(schema) };
    case "integer":
    case "number":
      return { ...numberSchema(schema, type), ...enumOf(schema) };
    case "boolean":
      return { type, ...enumOf(schema) };
    case "integer,string":
      return integerOrString(schema, place);
    case "":
      return refuse(place, "expected a type, got none");
    default:
      return refuse(place, type === "null" ? "the schema allows only null" : severalTypes(type));
  }
}

function integerOrString(schema: JsonSchema, place: Place): StructuralSchema {
  const keywords = Object.entries(schema).filter(([keyword]) => !isExtension(keyword));
  const beside = Object.fromEntries(keywords);
  const of = ["integer", "string"].map((type) => ({ ...beside, type }));
  return union({ keyword: "anyOf", of, beside: {} }, place, structuralOf);
}

function severalTypes(types: string): string {
  return `expected one type, or an integer or string, got ${types.replaceAll(",", " or ")}`;
}

function withConst({ const: value, ...schema }: JsonSchema): JsonSchema {
  return { ...schema, enum: [value] };
}

/** Returns the declared type, or the type that other keywords imply. Several types are sorted. */
function typeOf(schema: JsonSchema): string {
  const { type, enum: values, properties, additionalProperties, items } = schema;
  if (type !== undefined) return [type].flat().toSorted().join();
  if (schema["x-kubernetes-int-or-string"] === true) return "integer,string";
  if (values !== undefined) return [...new Set(listOf(values).map(jsonType))].toSorted().join();
  if (properties !== undefined || additionalProperties !== undefined) return "object";
  return items === undefined ? "" : "array";
}

function enumOf({ enum: values }: JsonSchema): StructuralSchema {
  return values === undefined ? {} : { enum: listOf(values) };
}

/** Returns the annotations, the default, and the Kubernetes extensions of a schema. */
function annotationsOf(schema: JsonSchema, place: Place): StructuralSchema {
  const { title, description, default: defaultValue } = schema;
  if (defaultValue === null)
    refuse(place, "a default of null has no effect: remove it, the field is then absent");
  return {
    ...(typeof title === "string" ? { title } : {}),
    ...(typeof description === "string" ? { description } : {}),
    ...(defaultValue === undefined || defaultValue === null ? {} : { default: defaultValue }),
    // Extensions are taken as they are. The whole schema is validated like on the server at the end.
    ...(extensionsIn(schema) as StructuralSchema),
  };
}
