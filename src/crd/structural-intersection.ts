import { equal, type StructuralSchema } from "../schema/index.ts";
import { allowsAnything, isExtension, isRecord, type JsonSchema } from "./json-schema.ts";
import { fieldAt, type Place, refuse } from "./place.ts";
import { restriction } from "./restriction.ts";
import type { Convert } from "./structural-object.ts";
import { mixedProperties } from "./structural-object.ts";

interface IntersectionContext {
  /** The keywords beside `allOf`, which form one more schema. */
  readonly beside: JsonSchema;
  readonly place: Place;
  readonly convert: Convert;
}

/** Converts `allOf`: objects are joined into one with the fields of all, scalars must satisfy every schema. */
export function intersection(
  all: readonly unknown[],
  { beside, place, convert }: IntersectionContext,
): StructuralSchema {
  const parts = [...ownPart(beside), ...all].filter(isRecord);
  const type = beside.type ?? parts.find((each) => each.type !== undefined)?.type;
  const [first, ...others] = parts.map((each) =>
    convert(type === undefined ? each : { type, ...each }, place),
  );
  if (first === undefined) return refuse(place, "expected a type, got none");
  if (others.some((each) => each.type !== first.type))
    return refuse(place, "the schemas of an intersection have different types");
  if (others.length === 0) return first;
  if (first.type === "array") return refuse(place, "expected one schema for a list, got several");
  const joint =
    first.type === "object"
      ? others.reduce((one, other) => joined(one, other, place), first)
      : { ...first, allOf: [...(first.allOf ?? []), ...others.map(restriction)] };
  const rules = [first, ...others].flatMap((each) => each["x-kubernetes-validations"] ?? []);
  return rules.length === 0 ? joint : { ...joint, "x-kubernetes-validations": rules };
}

/** Returns the keywords beside `allOf` as a schema, or nothing if only a type and annotations are there. */
function ownPart({ type: _, ...beside }: JsonSchema): JsonSchema[] {
  const keywords = Object.entries(beside).filter(([keyword]) => !isExtension(keyword));
  const own = Object.fromEntries(keywords);
  return allowsAnything(own) ? [] : [own];
}

function joined(one: StructuralSchema, other: StructuralSchema, place: Place): StructuralSchema {
  if ([one, other].some((each) => each.additionalProperties !== undefined))
    return refuse(place, mixedProperties);
  const properties = { ...one.properties };
  for (const [name, field] of Object.entries(other.properties ?? {})) {
    const existing = properties[name];
    if (existing && !equal(existing, field))
      refuse(fieldAt(place, name), "the field has different schemas in the intersection");
    properties[name] = field;
  }
  const required = [...new Set([...(one.required ?? []), ...(other.required ?? [])])];
  return { ...one, ...other, properties, ...(required.length === 0 ? {} : { required }) };
}
