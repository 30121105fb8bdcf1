import type { StructuralSchema } from "../schema/index.ts";

/** What a schema demands of a value of its type: all that may stand inside `anyOf`, `oneOf` and `allOf`. */
export function restriction(schema: StructuralSchema): StructuralSchema {
  const { type: _, title: __, description: ___, default: ____, nullable: _____, ...rest } = schema;
  const words = Object.entries(rest).filter(([word]) => !word.startsWith("x-kubernetes-"));
  return Object.fromEntries(words);
}
