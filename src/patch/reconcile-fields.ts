import { deducedNode, type SchemaNode } from "../schema/index.ts";
import type { FieldElement } from "./field-element.ts";
import { FieldSet } from "./field-set.ts";
import { nodeBelow } from "./named-fields.ts";

/**
 * A stored set as the schema of today understands it: who owned parts of what has become atomic, owns it whole. What
 * has become granular stays owned as it was, and so do fields that are no longer declared.
 */
export function reconcileFields(set: FieldSet, node: SchemaNode): FieldSet {
  if (set.children.size === 0 || node === deducedNode) return set;
  let children: Map<FieldElement, FieldSet> | undefined;
  for (const [element, below] of set.children) {
    const there = below.children.size > 0 ? nodeBelow(node, element) : undefined;
    const reconciled = there ? reconcileBelow(below, there) : below;
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
