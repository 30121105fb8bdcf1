import { equal, type StructuralSchema } from "../schema/index.ts";
import type { JsonSchema } from "./json-schema.ts";
import { type Place, refuse } from "./place.ts";
import { restriction } from "./restriction.ts";
import { type Alternatives, sameType } from "./same-type.ts";
import type { Read } from "./structural-list.ts";
import { objectUnion } from "./structural-object-union.ts";

export interface Union {
  readonly word: Alternatives;
  readonly of: readonly unknown[];
  /** What holds for all of them. */
  readonly beside: JsonSchema;
}

/**
 * Alternatives, `null` not among them. A structural schema says the types of a field and of all inside it apart from
 * them, so they have to have these in common; but for a whole number or text, for which Kubernetes has a word of its own.
 */
export function union({ word, of, beside }: Union, place: Place, read: Read): StructuralSchema {
  const known = Object.fromEntries(Object.entries(beside).filter(([, value]) => value !== undefined));
  const [first, ...others] = of.map((each) => read(isObject(each) ? { ...known, ...each } : each, place));
  if (first === undefined) return refuse(place, "no value may stand here");
  if (others.every((each) => equal(each, first))) return first;
  const schemas = [first, ...others];
  return (
    sameType(schemas, word) ??
    intOrString(schemas) ??
    objectUnion(schemas, word, place) ??
    refuse(place, reason(schemas))
  );
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null;
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
  const union = types.length === 1 ? `several of type ${types.join()}` : types.join(" or ");
  return `a field has one type at an API server, or is a whole number or text; got ${union}`;
}
