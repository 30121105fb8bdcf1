import { equal, type StructuralSchema } from "../schema/index.ts";
import { isExtension, type JsonSchema } from "./json-schema.ts";
import { fieldAt, type Place, refuse } from "./place.ts";
import { restriction } from "./restriction.ts";
import type { Convert } from "./structural-object.ts";

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

/**
 * Merges several object schemas into one: it declares the fields of all, and the differences between them are
 * alternatives. An object that matches one alternative may have fields of the others.
 */
export function objectUnion(
  schemas: readonly StructuralSchema[],
  keyword: Alternatives,
  place: Place,
): StructuralSchema | undefined {
  if (schemas.some((each) => each.type !== "object")) return undefined;
  if (schemas.some((each) => each.properties === undefined || each[preserveUnknown]))
    return refuse(place, undeclaredFields);
  const names = new Set(schemas.flatMap((each) => Object.keys(each.properties ?? {})));
  const properties = Object.fromEntries(
    Array.from(names, (name) => [name, commonField(name, schemas, fieldAt(place, name))]),
  );
  const required = [...names].filter((name) => schemas.every((each) => each.required?.includes(name)));
  return {
    type: "object",
    properties,
    ...(required.length === 0 ? {} : { required }),
    [keyword]: schemas.map((each) => alternative(each, properties)),
  };
}

const preserveUnknown = "x-kubernetes-preserve-unknown-fields";
const undeclaredFields = "every alternative that is an object must declare its fields";

/** Returns the schema of a field in all alternatives that have it. */
function commonField(name: string, schemas: readonly StructuralSchema[], place: Place): StructuralSchema {
  const fields = schemas.flatMap((each) => each.properties?.[name] ?? []);
  const [first = {}, ...others] = fields;
  const everywhere = fields.length === schemas.length;
  if (!everywhere && fields.some((each) => each.default !== undefined)) {
    return refuse(place, "an API server would set the default in the other alternatives too");
  }
  if (others.every((each) => equal(withoutAnnotations(each), withoutAnnotations(first)))) return first;
  const special = fields.some(
    (each) => each.nullable || each.default !== undefined || each["x-kubernetes-validations"],
  );
  const common = special ? undefined : scalarUnion(fields, "anyOf");
  return (
    common ??
    refuse(place, "the schemas of this field in the alternatives may differ only in the values they allow")
  );
}

function withoutAnnotations({ title: _, description: __, ...schema }: StructuralSchema): StructuralSchema {
  return schema;
}

function alternative(
  schema: StructuralSchema,
  common: Readonly<Record<string, StructuralSchema>>,
): StructuralSchema {
  const { properties = {}, ...rest } = schema;
  const special = Object.entries(properties).filter(
    ([name, field]) => !equal(withoutAnnotations(field), withoutAnnotations(common[name] ?? {})),
  );
  const fields = special.map(([name, field]) => [name, restriction(field)]);
  return { ...restriction(rest), ...(fields.length === 0 ? {} : { properties: Object.fromEntries(fields) }) };
}

/** The keywords of alternatives. */
export type Alternatives = "anyOf" | "oneOf";

/**
 * Returns a schema that allows the values of all given schemas if they have the same scalar type, otherwise
 * `undefined`.
 */
export function scalarUnion(
  schemas: readonly StructuralSchema[],
  keyword: Alternatives,
): StructuralSchema | undefined {
  const [type, ...others] = new Set(schemas.map((each) => each.type));
  if (type === undefined || others.length > 0 || type === "object" || type === "array") return undefined;
  const values = schemas.map((each) => (isEnum(each) ? each.enum : undefined));
  if (values.every((each) => each !== undefined)) return { type, enum: [...new Set(values.flat())] };
  const restrictions = schemas.map(restriction);
  // An alternative without restrictions allows everything that the others allow.
  if (keyword === "anyOf" && restrictions.some((each) => Object.keys(each).length === 0)) return { type };
  return { type, [keyword]: restrictions };
}

function isEnum(
  schema: StructuralSchema,
): schema is StructuralSchema & { readonly enum: readonly unknown[] } {
  return schema.enum !== undefined && Object.keys(restriction(schema)).length === 1;
}
