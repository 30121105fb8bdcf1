import { equal, type StructuralSchema } from "../schema/index.ts";
import { allowsAnything, isRecord, type JsonSchema } from "./json-schema.ts";
import { fieldAt, type Place, refuse } from "./place.ts";
import { restriction } from "./restriction.ts";
import type { Read } from "./structural-list.ts";
import { mixed } from "./structural-object.ts";

interface Surroundings {
  /** What stands beside `allOf`, and is one more of them. */
  readonly beside: JsonSchema;
  readonly place: Place;
  readonly read: Read;
}

/** What has to keep to several schemas: objects become one with the fields of all, scalars have to pass each. */
export function intersection(
  all: readonly unknown[],
  { beside, place, read }: Surroundings,
): StructuralSchema {
  const parts = [...ownPart(beside), ...all].filter(isRecord);
  const type = beside.type ?? parts.find((each) => each.type !== undefined)?.type;
  const [first, ...others] = parts.map((each) => read(type === undefined ? each : { type, ...each }, place));
  if (first === undefined) return refuse(place, "expected a type, got none");
  if (others.some((each) => each.type !== first.type)) return refuse(place, "no value has two types at once");
  if (others.length === 0) return first;
  if (first.type === "object") return others.reduce((one, other) => joined(one, other, place), first);
  if (first.type === "array") return refuse(place, "a list has one schema at an API server, got several");
  return { ...first, allOf: [...(first.allOf ?? []), ...others.map(restriction)] };
}

/** Nothing where only the type and what tells no more of values stands there. */
function ownPart({ type: _, ...beside }: JsonSchema): JsonSchema[] {
  const words = Object.entries(beside).filter(([word]) => !word.startsWith("x-kubernetes-"));
  const own = Object.fromEntries(words);
  return allowsAnything(own) ? [] : [own];
}

function joined(one: StructuralSchema, other: StructuralSchema, place: Place): StructuralSchema {
  if ([one, other].some((each) => each.additionalProperties !== undefined)) return refuse(place, mixed);
  const properties = { ...one.properties };
  for (const [name, field] of Object.entries(other.properties ?? {})) {
    const known = properties[name];
    if (known && !equal(known, field)) refuse(fieldAt(place, name), "two schemas, and they differ");
    properties[name] = field;
  }
  const required = [...new Set([...(one.required ?? []), ...(other.required ?? [])])];
  return { ...one, ...other, properties, ...(required.length === 0 ? {} : { required }) };
}
