import { equal, type StructuralSchema } from "../schema/index.ts";
import { isExtension, type JsonSchema } from "./json-schema.ts";
import { type Place, refuse } from "./place.ts";
import { restriction } from "./restriction.ts";
import { type Alternatives, scalarUnion } from "./scalar-union.ts";
import type { Convert } from "./structural-list.ts";
import { objectUnion } from "./structural-object-union.ts";

export interface Union {
  readonly keyword: Alternatives;
  readonly of: readonly unknown[];
  /** The keywords that apply to all alternatives. */
  readonly beside: JsonSchema;
}

/**
 * Converts alternatives without `null`. A structural schema declares types outside of alternatives, so all alternatives
 * must have the same types. The exception is an integer or string, for which Kubernetes has an extension.
 */
export function union({ keyword, of, beside }: Union, place: Place, convert: Convert): StructuralSchema {
  // The caller adds the extensions of the union itself.
  const common = Object.fromEntries(
    Object.entries(beside).filter(([keyword, value]) => value !== undefined && !isExtension(keyword)),
  );
  const [first, ...others] = of.map((each) => convert(isObject(each) ? { ...common, ...each } : each, place));
  if (first === undefined) return refuse(place, "the schema allows no value");
  if (others.every((each) => equal(each, first))) return first;
  const schemas = [first, ...others];
  if (schemas.some((each) => each["x-kubernetes-validations"])) return refuse(place, ruleOfAlternative);
  return (
    scalarUnion(schemas, keyword) ??
    intOrString(schemas) ??
    objectUnion(schemas, keyword, place) ??
    refuse(place, reason(schemas))
  );
}

const ruleOfAlternative =
  "an API server cannot validate one alternative of a union by a rule: add the rule to the union";

function isObject(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null;
}

/**
 * Converts an integer or string. Bounds of a number do not apply to a string and vice versa, so both can be combined.
 */
function intOrString(schemas: readonly StructuralSchema[]): StructuralSchema | undefined {
  const types = schemas.map((each) => each.type).toSorted();
  if (schemas.length !== 2 || types.join() !== "integer,string") return undefined;
  if (schemas.some((each) => each.enum !== undefined)) return undefined;
  return Object.assign({ "x-kubernetes-int-or-string": true }, ...schemas.map(restriction));
}

function reason(schemas: readonly StructuralSchema[]): string {
  const types = [...new Set(schemas.map((each) => each.type ?? "anything"))];
  const union = types.length === 1 ? `several of type ${types.join()}` : types.join(" or ");
  return `expected one type, or an integer or string, got ${union}`;
}
