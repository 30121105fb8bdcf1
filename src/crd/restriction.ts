import type { StructuralSchema } from "../schema/index.ts";

/**
 * Returns the keywords of a schema that restrict values of its type: those that `anyOf`, `oneOf` and `allOf` may
 * contain.
 */
export function restriction(schema: StructuralSchema): StructuralSchema {
  const { type: _, title: __, description: ___, default: ____, nullable: _____, ...rest } = schema;
  const keywords = Object.entries(rest).filter(([keyword]) => !keyword.startsWith("x-kubernetes-"));
  return Object.fromEntries(keywords);
}
