import type { Steps } from "../../base/index.ts";
import type { SchemaNode } from "../../schema/index.ts";
import type { FieldSet } from "./field-set.ts";
import { fieldsOf } from "./fields-of.ts";
import { withNamedFields } from "./named-fields.ts";
import { removePaths } from "./remove-paths.ts";

export interface Pruning {
  readonly node: SchemaNode;
  /** The fields that the manager owned by its last apply. */
  readonly last: FieldSet;
  /** The fields that all managers own now, the applying one by its new configuration. */
  readonly owned: FieldSet;
}

/**
 * Returns the merged value without the fields that the manager applied before and no longer applies, unless another
 * manager owns them.
 *
 * An element of a list is removed if no manager owns the element itself, even if one owns fields in it. Fields that
 * were not applied before stay, also inside a removed parent.
 */
export function* pruneUnowned(merged: unknown, { node, last, owned }: Pruning): Steps<unknown> {
  if (last.difference(owned).isEmpty) return merged;
  const named = (set: FieldSet): FieldSet => withNamedFields(set, node);
  const pathsOf = (value: unknown): FieldSet => named(fieldsOf(value, node));

  const all = pathsOf(merged);
  yield;
  const remaining = removePaths(merged, named(last), node);
  yield;
  const untouched = pathsOf(remaining);
  yield;
  const unowned = all.difference(untouched.union(named(owned)));
  yield;
  const without = removePaths(merged, unowned, node);
  yield;
  const remainingPaths = pathsOf(without);
  yield;
  return removePaths(merged, all.difference(remainingPaths).intersection(named(last)), node);
}
