import type { Steps } from "../base/index.ts";
import type { SchemaNode } from "../schema/index.ts";
import type { FieldSet } from "./field-set.ts";
import { fieldsOf } from "./fields-of.ts";
import { withNamedFields } from "./named-fields.ts";
import { removePaths } from "./remove-paths.ts";

export interface Pruning {
  readonly node: SchemaNode;
  /** What the manager owned by its last apply. */
  readonly last: FieldSet;
  /** What all managers own now, the applying one by its new configuration. */
  readonly owned: FieldSet;
}

/**
 * The merged value without what the manager applied before and does not apply any more, unless somebody owns it.
 *
 * An element of a list goes when nobody owns the element itself, whoever owns fields in it. What was not applied
 * before stays, also where all around it goes.
 */
export function* pruneUnowned(merged: unknown, { node, last, owned }: Pruning): Steps<unknown> {
  if (last.difference(owned).isEmpty) return merged;
  const named = (set: FieldSet): FieldSet => withNamedFields(set, node);
  const placesOf = (value: unknown): FieldSet => named(fieldsOf(value, node));

  const all = placesOf(merged);
  yield;
  const remaining = removePaths(merged, named(last), node);
  yield;
  const untouched = placesOf(remaining);
  yield;
  const unowned = all.difference(untouched.union(named(owned)));
  yield;
  const without = removePaths(merged, unowned, node);
  yield;
  const kept = placesOf(without);
  yield;
  return removePaths(merged, all.difference(kept).intersection(named(last)), node);
}
