import type { StructuralSchema } from "../schema/index.ts";
import { restriction } from "./restriction.ts";

/** The words for alternatives. */
export type Alternatives = "anyOf" | "oneOf";

/** What allows the values of each of several schemas, if all are of one type that has no parts. */
export function sameType(
  schemas: readonly StructuralSchema[],
  word: Alternatives,
): StructuralSchema | undefined {
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
