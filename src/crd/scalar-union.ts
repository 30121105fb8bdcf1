import type { StructuralSchema } from "../schema/index.ts";
import { restriction } from "./restriction.ts";

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
