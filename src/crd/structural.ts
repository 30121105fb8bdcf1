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
 * A JSON Schema as the structural schema that says the same, or as near as one comes. What has no counterpart is noted
 * in `place.problems`, and reading goes on to find the rest.
 */
export function structuralOf(given: unknown, place: Place): StructuralSchema {
  if (allowsAnything(given)) return { ...anything, ...(isRecord(given) ? annotationsOf(given, place) : {}) };
  if (!isRecord(given)) return refuse(place, nothing);
  if (typeof given.$ref === "string") return referred(given, given.$ref, place);
  const unsupported = unsupportedIn(given);
  if (unsupported !== undefined) return refuse(place, unsupported);
  const { schema, nullable } = withoutNull(given);
  const value = valueSchema(schema, place);
  return { ...(nullable ? nullableSchema(value) : value), ...annotationsOf(given, place) };
}

const nothing = "no value may stand here";
const anything: StructuralSchema = { "x-kubernetes-preserve-unknown-fields": true };

/** What stands beside a reference is more of the same schema. */
function referred({ $ref, ...beside }: JsonSchema, reference: string, place: Place): StructuralSchema {
  if (place.followed.includes(reference)) {
    return refuse(place, "the schema contains itself, and one of an API server has to end");
  }
  const target = resolvePointer(place.root, reference);
  if (target === undefined) return refuse(place, `expected ${String($ref)} to be in the schema, got nothing`);
  const whole = isRecord(target) ? { ...target, ...beside } : target;
  return structuralOf(whole, { ...place, followed: [...place.followed, reference] });
}

function unsupportedIn(schema: JsonSchema): string | undefined {
  const foreign = schema[unrepresentable];
  if (foreign === "transform") return "a transform: an API server keeps what was written and runs no code";
  if (foreign !== undefined) return `JSON has no ${String(foreign)}${adviceFor(String(foreign))}`;
  if (schema.contentEncoding === "binary") return "JSON has no file";
  if (isRecord(schema.not) && allowsAnything(schema.not)) return nothing;
  if (schema.prefixItems !== undefined)
    return "the elements of a list have one schema at an API server, got a tuple";
  const word = refusedWords.find((each) => schema[each] !== undefined && schema[each] !== false);
  return word && `the keyword ${word} has no counterpart at an API server`;
}

function adviceFor(type: string): string {
  if (type === "map") return "; an object of such values is z.record(z.string(), …)";
  return type === "date" ? "; a time is text, such as z.iso.datetime()" : "";
}

const refusedWords = [
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

/** The schema of all values but `null`, which JSON Schema can allow in four ways. */
function withoutNull(given: JsonSchema): WithoutNull {
  const schema: Record<string, unknown> = { ...given };
  let nullable = false;
  for (const word of ["type", "enum", "anyOf", "oneOf"] as const) {
    const all = schema[word];
    if (!Array.isArray(all)) continue;
    const rest = all.filter((each) => !isNull(word, each));
    if (rest.length === all.length || rest.length === 0) continue;
    nullable = true;
    schema[word] = rest;
  }
  return { schema, nullable };
}

function isNull(word: string, part: unknown): boolean {
  if (word === "type") return part === "null";
  if (word === "enum") return part === null;
  return isRecord(part) && (part.type === "null" || part.const === null);
}

/** An API server lets an `enum` refuse `null` whatever `nullable` says, but not one inside `allOf`. */
function nullableSchema({ enum: values, ...schema }: StructuralSchema): StructuralSchema {
  const nullable = { ...schema, nullable: true };
  return values ? { ...nullable, allOf: [...(schema.allOf ?? []), { enum: values }] } : nullable;
}

function valueSchema(schema: JsonSchema, place: Place): StructuralSchema {
  const { anyOf, oneOf, allOf, ...rest } = schema;
  if (anyOf !== undefined)
    return union(
      { word: "anyOf", of: listOf(anyOf), beside: { ...rest, oneOf, allOf } },
      place,
      structuralOf,
    );
  if (oneOf !== undefined)
    return union({ word: "oneOf", of: listOf(oneOf), beside: { ...rest, allOf } }, place, structuralOf);
  if (allOf !== undefined) return intersection(listOf(allOf), { beside: rest, place, read: structuralOf });
  return plainSchema(rest, place);
}

/** Without alternatives. */
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
          word: "anyOf",
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
      return refuse(place, type === "null" ? "nothing but null may stand here" : severalTypes(type));
  }
}

function severalTypes(types: string): string {
  return `a field has one type at an API server, or is a whole number or text; got ${types.replaceAll(",", " or ")}`;
}

function withConst({ const: value, ...schema }: JsonSchema): JsonSchema {
  return { ...schema, enum: [value] };
}

/** The type the schema gives, or else the one that its other words are about. Several are told in order. */
function typeOf({ type, enum: values, properties, additionalProperties, items }: JsonSchema): string {
  if (type !== undefined) return [type].flat().toSorted().join();
  if (values !== undefined) return [...new Set(listOf(values).map(jsonType))].toSorted().join();
  if (properties !== undefined || additionalProperties !== undefined) return "object";
  return items === undefined ? "" : "array";
}

function enumOf({ enum: values }: JsonSchema): StructuralSchema {
  return values === undefined ? {} : { enum: listOf(values) };
}

/** What is said to people, the default, and what is meant for Kubernetes alone. */
function annotationsOf(schema: JsonSchema, place: Place): StructuralSchema {
  const { title, description, default: filling } = schema;
  if (filling === null)
    refuse(place, "a default of null is none at an API server; leave it out, the field is then absent");
  const own = Object.entries(schema).filter(([word]) => word.startsWith("x-kubernetes-"));
  return {
    ...(typeof title === "string" ? { title } : {}),
    ...(typeof description === "string" ? { description } : {}),
    ...(filling === undefined || filling === null ? {} : { default: filling }),
    // Who writes Kubernetes' own words knows them; the whole is checked as the server does in the end.
    ...(Object.fromEntries(own) as StructuralSchema),
  };
}
