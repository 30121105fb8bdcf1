import type { ListNode } from "../schema/index.ts";
import { type FieldElement, indexElement, keyElement, valueElement } from "./field-element.ts";
import { isList, isObject, setField } from "./json-value.ts";

/** The steps to the elements of a list, in its order. Elements that have none get one that leads to all of those. */
export function elementsIn(list: readonly unknown[], node: ListNode): FieldElement[] {
  return list.map((element, index) => stepTo(element, index, node).step ?? keyless);
}

const keyless: FieldElement = "k:{}";

/** What is wrong with the first element that has no step, if any. */
export function elementFault(list: readonly unknown[], node: ListNode): string | undefined {
  for (const [index, element] of list.entries()) {
    const { fault } = stepTo(element, index, node);
    if (fault !== undefined) return `element ${index}: ${fault}`;
  }
  return undefined;
}

/** The step to an element, or why there is none. */
export type Step =
  | { readonly step: FieldElement; readonly fault?: undefined }
  | { readonly step?: undefined; readonly fault: string };

export function stepTo(element: unknown, index: number, node: ListNode): Step {
  if (node.type === "atomic") return { step: indexElement(index) };
  return node.type === "set" ? stepToMember(element) : stepByKeys(element, node);
}

function stepToMember(element: unknown): Step {
  if (element === null)
    return { fault: "associative list without keys has an element that's an explicit null" };
  if (isList(element)) return { fault: "not supported: associative list with lists as elements" };
  if (isObject(element)) return { fault: "associative list without keys has an element that's a map type" };
  return { step: valueElement(element) };
}

function stepByKeys(element: unknown, node: ListNode): Step {
  if (element === null) return { fault: "associative list with keys may not have a null element" };
  if (!isObject(element)) return { fault: "associative list with keys may not have non-map elements" };
  const values: Record<string, unknown> = {};
  for (const key of node.keys) {
    const value = Object.hasOwn(element, key) ? element[key] : defaultOf(node, key);
    if (value !== undefined) setField(values, key, value);
  }
  if (Object.keys(values).length > 0) return { step: keyElement(values) };
  const keys = node.keys.map((key) => JSON.stringify(key)).join(" ");
  return {
    fault: `associative list with keys has an element that omits all key fields [${keys}] (and doesn't have default values for any key fields)`,
  };
}

function defaultOf(node: ListNode, key: string): unknown {
  return node.items.object?.fields.get(key)?.default;
}
