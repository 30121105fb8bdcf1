import type { CompiledSchema } from "./compiled-schema.ts";
import { tooMany } from "./field-error.ts";
import { goJson } from "./go-text.ts";
import type { StructuralSchema } from "./structural-schema.ts";
import type { Walk } from "./walk.ts";

/** Reports elements that break their schema, then what is wrong with the list as a whole. Counts two for the list. */
export function checkList({ schema, items }: CompiledSchema, value: readonly unknown[], walk: Walk): number {
  let matches = 2;
  if (items) for (const [index, element] of value.entries()) matches += walk.checkItem(items, index, element);
  checkLength(schema, value, walk);
  return matches;
}

function checkLength(schema: StructuralSchema, value: readonly unknown[], walk: Walk): void {
  const { minItems: least, maxItems: most, uniqueItems } = schema;
  const { length } = value;
  if (least !== undefined && length < least) walk.reportBound(length, `should have at least ${least} items`);
  if (most !== undefined && length > most) walk.report(tooMany(walk.fieldPath(), length, most));
  if (uniqueItems && hasEqualElements(value)) walk.reportBound("", "shouldn't contain duplicates");
}

function hasEqualElements(value: readonly unknown[]): boolean {
  return new Set(value.map(goJson)).size < value.length;
}
