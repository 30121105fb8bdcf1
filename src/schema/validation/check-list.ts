import type { CompiledSchema } from "../structure/compiled-schema.ts";
import type { StructuralSchema } from "../structure/structural-schema.ts";
import type { Walk } from "../structure/walk.ts";
import { tooMany } from "../values/field-error.ts";
import { goJson } from "../values/go-text.ts";

/** Reports invalid elements, then errors of the list as a whole. Returns two plus the match count of the elements. */
export function checkList({ schema, items }: CompiledSchema, value: readonly unknown[], walk: Walk): number {
  let matches = 2;
  if (items) for (const [index, element] of value.entries()) matches += walk.checkItem(items, index, element);
  checkLength(schema, value, walk);
  return matches;
}

function checkLength(schema: StructuralSchema, value: readonly unknown[], walk: Walk): void {
  const { minItems, maxItems, uniqueItems } = schema;
  const { length } = value;
  if (minItems !== undefined && length < minItems)
    walk.reportBound(length, `should have at least ${minItems} items`);
  if (maxItems !== undefined && length > maxItems) walk.report(tooMany(walk.fieldPath(), length, maxItems));
  if (uniqueItems && hasEqualElements(value)) walk.reportBound("", "shouldn't contain duplicates");
}

function hasEqualElements(value: readonly unknown[]): boolean {
  return new Set(value.map(goJson)).size < value.length;
}
