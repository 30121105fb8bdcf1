import { deducedNode, type SchemaNode } from "../../schema/index.ts";
import type { FieldElement } from "../values/field-element.ts";
import { FieldSet } from "./field-set.ts";
import { nodeBelow } from "./named-fields.ts";

/**
 * Adapts a stored set to the current schema: a manager that owned parts of a value that has become atomic owns the
 * whole value. The ownership of a value that has become granular, and of fields that are no longer declared, does not
 * change.
 */
export function reconcileFields(set: FieldSet, node: SchemaNode): FieldSet {
  if (set.children.size === 0 || node === deducedNode) return set;
  let children: Map<FieldElement, FieldSet> | undefined;
  for (const [element, below] of set.children) {
    const childNode = below.children.size > 0 ? nodeBelow(node, element) : undefined;
    const reconciled = childNode ? reconcileBelow(below, childNode) : below;
    if (reconciled === below) continue;
    children ??= new Map(set.children);
    children.set(element, reconciled);
  }
  return children ? new FieldSet(set.self, children) : set;
}

function reconcileBelow(below: FieldSet, node: SchemaNode): FieldSet {
  if (isAtomic(node)) return new FieldSet(true, new Map());
  return reconcileFields(below, node);
}

function isAtomic({ object, list }: SchemaNode): boolean {
  return object ? object.type === "atomic" : list?.type === "atomic";
}
