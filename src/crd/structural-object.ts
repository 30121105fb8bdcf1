import type { StructuralSchema } from "../schema/index.ts";
import { allowsAnything, isRecord, type JsonSchema, listOf } from "./json-schema.ts";
import { eachAt, fieldAt, type Place, refuse } from "./place.ts";
import { numberKeywords } from "./structural-scalar.ts";

/** Converts the schema of a child. */
export type Convert = (schema: unknown, place: Place) => StructuralSchema;

export function listSchema(schema: JsonSchema, place: Place, convert: Convert): StructuralSchema {
  const items = convert(schema.items ?? true, eachAt(place));
  return {
    type: "array",
    items,
    ...numberKeywords(schema, ["minItems", "maxItems"]),
    ...(schema.uniqueItems === true ? setOf(items, place) : {}),
  };
}

/**
 * Converts `uniqueItems` to a list of type `set`. An API server refuses `uniqueItems`, because comparing all elements
 * takes quadratic time.
 */
function setOf({ type = "object" }: StructuralSchema, place: Place): StructuralSchema {
  if (type !== "object" && type !== "array") return { "x-kubernetes-list-type": "set" };
  return refuse(place, "only a list of numbers, strings or booleans can have unique elements");
}

/**
 * Converts an object with fields, or a map. The server prunes undeclared fields, unless additional properties are
 * allowed.
 */
export function objectSchema(given: JsonSchema, place: Place, convert: Convert): StructuralSchema {
  const schema = withNamedKeys(given);
  if (hasKeyRules(schema)) return refuse(place, "an API server cannot validate the keys of a map");
  const { properties, additionalProperties: others = properties === undefined } = schema;
  const size = numberKeywords(schema, ["minProperties", "maxProperties"]);
  if (others !== false && !allowsAnything(others)) {
    if (isRecord(properties) && Object.keys(properties).length > 0) return refuse(place, mixedProperties);
    return { type: "object", additionalProperties: convert(others, eachAt(place)), ...size };
  }
  const fields = fieldsOf(schema, place, convert);
  return { type: "object", ...fields, ...(others === false ? {} : preserveUnknown), ...size };
}

/** The reason for which an object with both is refused. */
export const mixedProperties = "a structural schema has either properties or additionalProperties, not both";
const preserveUnknown: StructuralSchema = { "x-kubernetes-preserve-unknown-fields": true };

/** Converts a map with an enum of keys to an object with these fields. */
function withNamedKeys(schema: JsonSchema): JsonSchema {
  const { propertyNames, additionalProperties, ...rest } = schema;
  const names = isRecord(propertyNames) ? propertyNames.enum : undefined;
  if (names === undefined || rest.properties !== undefined) return schema;
  const properties = Object.fromEntries(listOf(names).map((name) => [name, additionalProperties]));
  return { ...rest, properties };
}

function hasKeyRules({ propertyNames }: JsonSchema): boolean {
  return isRecord(propertyNames) && Object.keys(propertyNames).some((keyword) => keyword !== "type");
}

/** Converts fields. A field with a default is never missing, so it is not required. */
function fieldsOf({ properties, required }: JsonSchema, place: Place, convert: Convert): StructuralSchema {
  if (!isRecord(properties)) return {};
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, convert(field, fieldAt(place, name))]),
  );
  const requiredNames = listOf(required)
    .map(String)
    .filter((name) => fields[name]?.default === undefined);
  return { properties: fields, ...(requiredNames.length === 0 ? {} : { required: requiredNames }) };
}
