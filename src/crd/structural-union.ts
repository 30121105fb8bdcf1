import { equal, type StructuralSchema } from "../schema/index.ts";
import type { JsonSchema } from "./json-schema.ts";
import { type Place, refuse } from "./place.ts";
import { restriction } from "./restriction.ts";
import type { Read } from "./structural-list.ts";

export interface Union {
  readonly word: "anyOf" | "oneOf";
  readonly of: readonly unknown[];
  /** What holds for all of them. */
  readonly beside: JsonSchema;
}

/**
 * Alternatives, `null` not among them. A structural schema says the type of a field outside of them, so they have to
 * have one in common; apart from a whole number or text, for which Kubernetes has a word of its own.
 */
export function union({ word, of, beside }: Union, place: Place, read: Read): StructuralSchema {
  const known = Object.fromEntries(Object.entries(beside).filter(([, value]) => value !== undefined));
  const [first, ...others] = of.map((each) => read(isObject(each) ? { ...known, ...each } : each, place));
  if (first === undefined) return refuse(place, "no value may stand here");
  if (others.every((each) => equal(each, first))) return first;
  const schemas = [first, ...others];
  return sameType(schemas, word) ?? intOrString(schemas) ?? refuse(place, reason(schemas));
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null;
}

function sameType(schemas: readonly StructuralSchema[], word: Union["word"]): StructuralSchema | undefined {
  const [type, ...others] = new Set(schemas.map((each) => each.type));
  if (type === undefined || others.length > 0 || type === "object" || type === "array") return undefined;
  const values = schemas.map((each) => (isEnum(each) ? each.enum : undefined));
  if (values.every((each) => each !== undefined)) return { type, enum: [...new Set(values.flat())] };
  const restrictions = schemas.map(restriction);
  // One that restricts nothing allows what all the others do.
  if (word === "anyOf" && restrictions.some((each) => Object.keys(each).length === 0)) return { type };
  return { type, [word]: restrictions };
}

function isEnum(
  schema: StructuralSchema,
): schema is StructuralSchema & { readonly enum: readonly unknown[] } {
  return schema.enum !== undefined && Object.keys(restriction(schema)).length === 1;
}

/** What bounds a number says nothing of a text, and the other way round, so that they can stand beside each other. */
function intOrString(schemas: readonly StructuralSchema[]): StructuralSchema | undefined {
  const types = schemas.map((each) => each.type).toSorted();
  if (schemas.length !== 2 || types.join() !== "integer,string") return undefined;
  if (schemas.some((each) => each.enum !== undefined)) return undefined;
  return Object.assign({ "x-kubernetes-int-or-string": true }, ...schemas.map(restriction));
}

function reason(schemas: readonly StructuralSchema[]): string {
  const types = [...new Set(schemas.map((each) => each.type ?? "anything"))];
  const union = types.length === 1 ? `several ${types.join()}s` : types.join(" or ");
  return `a field has one type at an API server, or is a whole number or text; got ${union}`;
}
