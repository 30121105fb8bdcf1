import { compareBytes, isArray, isObject, type ListNode } from "../../schema/index.ts";
import { type FieldElement, indexElement, valueElement } from "./field-element.ts";
import { fieldJson } from "./field-json.ts";

/** Returns the steps to the elements of a list, in order. Elements without keys all get the step `keyless`. */
export function elementsIn(list: readonly unknown[], node: ListNode): FieldElement[] {
  return list.map((element, index) => stepTo(element, index, node).step ?? keyless);
}

/** The step to elements without keys. No other element has it, because a list of type `map` has keys. */
export const keyless: FieldElement = "k:{}";

/** Returns the errors of elements without keys. */
export function elementProblems(list: readonly unknown[], node: ListNode): string[] {
  return list.flatMap((element, index) => {
    const { problem } = stepTo(element, index, node);
    return problem === undefined ? [] : [`element ${index}: ${problem}`];
  });
}

/** The step to an element, or the error if it has none. */
export type Step =
  | { readonly step: FieldElement; readonly problem?: undefined }
  | { readonly step?: undefined; readonly problem: string };

export function stepTo(element: unknown, index: number, node: ListNode): Step {
  if (node.type === "atomic") return { step: indexElement(index) };
  return node.type === "set" ? stepToMember(element) : stepByKeys(element, node);
}

function stepToMember(element: unknown): Step {
  if (element === null)
    return { problem: "associative list without keys has an element that's an explicit null" };
  if (isArray(element)) return { problem: "not supported: associative list with lists as elements" };
  if (isObject(element)) return { problem: "associative list without keys has an element that's a map type" };
  return { step: valueElement(element) };
}

function stepByKeys(element: unknown, node: ListNode): Step {
  if (element === null) return { problem: "associative list with keys may not have a null element" };
  if (!isObject(element)) return { problem: "associative list with keys may not have non-map elements" };
  const texts: string[] = [];
  for (const { key, text, defaultValue } of keysOf(node)) {
    const value = Object.hasOwn(element, key) ? element[key] : defaultValue;
    if (value !== undefined) texts.push(`${text}:${fieldJson(value)}`);
  }
  return texts.length > 0 ? { step: `k:{${texts.join(",")}}` } : { problem: keylessProblem(node) };
}

function keylessProblem({ keys }: ListNode): string {
  const names = keys.map((key) => JSON.stringify(key)).join(" ");
  return `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`;
}

interface Key {
  readonly key: string;
  /** The name of the key as it is printed. */
  readonly text: string;
  /** The default, used if an element does not have the key. */
  readonly defaultValue: unknown;
}

/** Returns the keys in printing order. */
function keysOf(node: ListNode): readonly Key[] {
  const cached = keysByNode.get(node);
  if (cached) return cached;
  const keys = node.keys.toSorted(compareBytes).map((key) => ({
    key,
    text: fieldJson(key),
    defaultValue: node.items.object?.fields.get(key)?.default,
  }));
  keysByNode.set(node, keys);
  return keys;
}

const keysByNode = new WeakMap<ListNode, readonly Key[]>();
