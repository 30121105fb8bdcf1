import { deducedNode, type SchemaNode } from "../../schema/index.ts";
import type { FieldElement } from "../values/field-element.ts";
import { FieldSet } from "./field-set.ts";

/**
 * Returns the set with every declared field on the way to its paths: a manager that owns `.spec.replicas` counts as an
 * owner of `.spec`. Keys of maps and elements of lists on the way are not added, because they are owned separately.
 */
export function withNamedFields(set: FieldSet, node: SchemaNode): FieldSet {
  if (set.children.size === 0) return set;
  const children = new Map<FieldElement, FieldSet>();
  for (const [element, below] of set.children) {
    const named = withNamedFields(below, nodeBelow(node, element) ?? deducedNode);
    const declared = element.startsWith("f:") && node.object?.fields.has(element.slice(2)) === true;
    children.set(element, declared && !named.self ? new FieldSet(true, named.children) : named);
  }
  return new FieldSet(set.self, children);
}

/** Returns the schema one step further, or `undefined` if the step is not declared. */
export function nodeBelow({ object, list }: SchemaNode, element: FieldElement): SchemaNode | undefined {
  if (!element.startsWith("f:")) return list?.items;
  return object?.fields.get(element.slice(2)) ?? object?.values;
}
