import type { StructuralSchema } from "../schema/index.ts";
import type { JsonSchema } from "./json-schema.ts";
import { eachAt, type Place, refuse } from "./place.ts";
import { numbers } from "./structural-scalar.ts";

/** Reads the schema of a part. */
export type Read = (schema: unknown, place: Place) => StructuralSchema;

export function listSchema(schema: JsonSchema, place: Place, read: Read): StructuralSchema {
  const items = read(schema.items ?? true, eachAt(place));
  return {
    type: "array",
    items,
    ...numbers(schema, ["minItems", "maxItems"]),
    ...(schema.uniqueItems === true ? setOf(items, place) : {}),
  };
}

/** Checking any two elements is quadratic, and an API server refuses to; it can for what is not deep. */
function setOf({ type = "object" }: StructuralSchema, place: Place): StructuralSchema {
  if (type !== "object" && type !== "array") return { "x-kubernetes-list-type": "set" };
  return refuse(place, "only a list of numbers, texts or booleans can be told to have no element twice");
}
