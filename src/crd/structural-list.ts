import type { StructuralSchema } from "../schema/index.ts";
import type { JsonSchema } from "./json-schema.ts";
import { eachAt, type Place, refuse } from "./place.ts";
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
