import type { StructuralSchema } from "../schema/index.ts";
import {
  allowsAnything,
  isRecord,
  type JsonSchema,
  jsonType,
  listOf,
  resolvePointer,
} from "./json-schema.ts";
import { type Place, refuse } from "./place.ts";
import { unrepresentable } from "./schema.ts";
import { intersection } from "./structural-intersection.ts";
import { listSchema } from "./structural-list.ts";
import { objectSchema } from "./structural-object.ts";
import { numberSchema, stringSchema } from "./structural-scalar.ts";
import { union } from "./structural-union.ts";

/**
 * Converts a JSON Schema to an equivalent structural schema, or the closest one. Records keywords without an equivalent
 * in `place.problems`, and continues to find all of them.
 */
export function structuralOf(given: unknown, place: Place): StructuralSchema {
  if (allowsAnything(given)) return { ...anyValue, ...(isRecord(given) ? annotationsOf(given, place) : {}) };
  if (!isRecord(given)) return refuse(place, noValue);
  if (typeof given.$ref === "string") return resolveReference(given, given.$ref, place);
  const unsupported = unsupportedIn(given);
  if (unsupported !== undefined) return refuse(place, unsupported);
  const { schema, nullable } = withoutNull(given);
  const value = valueSchema(schema, place);
  return { ...(nullable ? nullableSchema(value) : value), ...annotationsOf(given, place) };
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
  const unrepresentableType = schema[unrepresentable];
  if (unrepresentableType === "transform")
    return "transforms are not supported: an API server stores the input and runs no code";
  if (unrepresentableType !== undefined)
    return `JSON has no ${String(unrepresentableType)}${adviceFor(String(unrepresentableType))}`;
  if (schema.contentEncoding === "binary") return "JSON has no file";
  if (isRecord(schema.not) && allowsAnything(schema.not)) return noValue;
  if (schema.prefixItems !== undefined) return "expected one schema for all elements of a list, got a tuple";
  const keyword = unsupportedKeywords.find((each) => schema[each] !== undefined && schema[each] !== false);
  return keyword && `the keyword ${keyword} is not supported in a CustomResourceDefinition`;
}

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
      return union(
        {
          keyword: "anyOf",
          of: [
            { ...schema, type: "integer" },
            { ...schema, type: "string" },
          ],
          beside: {},
        },
        place,
        structuralOf,
      );
    case "":
      return refuse(place, "expected a type, got none");
    default:
      return refuse(place, type === "null" ? "the schema allows only null" : severalTypes(type));
  }
}

function severalTypes(types: string): string {
  return `expected one type, or an integer or string, got ${types.replaceAll(",", " or ")}`;
}

function withConst({ const: value, ...schema }: JsonSchema): JsonSchema {
  return { ...schema, enum: [value] };
}

/** Returns the declared type, or the type that other keywords imply. Several types are sorted. */
function typeOf({ type, enum: values, properties, additionalProperties, items }: JsonSchema): string {
  if (type !== undefined) return [type].flat().toSorted().join();
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
  const own = Object.entries(schema).filter(([keyword]) => keyword.startsWith("x-kubernetes-"));
  return {
    ...(typeof title === "string" ? { title } : {}),
    ...(typeof description === "string" ? { description } : {}),
    ...(defaultValue === undefined || defaultValue === null ? {} : { default: defaultValue }),
    // Extensions are taken as they are. The whole schema is validated like on the server at the end.
    ...(Object.fromEntries(own) as StructuralSchema),
  };
}
