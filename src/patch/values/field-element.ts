import { compareBytes, isArray, isObject, type JsonObject } from "../../schema/index.ts";
import { fieldJson } from "./field-json.ts";
import { TypedError } from "./typed-error.ts";

/**
 * One step of a path in the notation of `fieldsV1`. Equal steps are equal strings, so a step may be a key of a `Map`.
 *
 * - `f:replicas`: a field of an object
 * - `k:{"name":"web"}`: the element of a list with these keys
 * - `v:"a"`: an element of a set
 * - `i:0`: the element of a list at this index
 *
 * Create steps only with `fieldElement`, `keyElement`, `valueElement` or `parseElement`, which encode values
 * canonically.
 */
export type FieldElement = `${"f" | "k" | "v" | "i"}:${string}`;

/** The steps from the root of an object. */
export type FieldPath = readonly FieldElement[];

export function fieldElement(name: string): FieldElement {
  return `f:${name}`;
}

/** @param keys The keys of the element and their values, in any order. */
export function keyElement(keys: JsonObject): FieldElement {
  return `k:${fieldJson(keys)}`;
}

export function valueElement(value: unknown): FieldElement {
  return `v:${fieldJson(value)}`;
}

export function indexElement(index: number): FieldElement {
  return `i:${index}`;
}

/**
 * Parses a step of any client, which may have spaces or another order of keys. Returns `undefined` for an unknown type
 * of step.
 *
 * @throws {TypedError} if the string is not a step
 */
export function parseElement(text: string): FieldElement | undefined {
  if (text[1] !== ":")
    throw new TypedError(`expected a path element like "f:name", got ${JSON.stringify(text)}`);
  const rest = text.slice(2);
  switch (text[0]) {
    case "f":
      return fieldElement(rest);
    case "k":
      return isPlain(text) ? text : parseKeys(text, parseJson(text));
    case "v":
      return valueElement(parseJson(text));
    case "i":
      return parseIndex(text, rest);
    default:
      return undefined;
  }
}

/**
 * Returns true for a single key whose value has only one encoding, which needs no parsing. Almost all keys are of this
 * form.
 */
function isPlain(text: string): text is FieldElement {
  return /^k:\{"\w+":"[-\w./ ]*"\}$/.test(text);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.slice(2));
  } catch (cause) {
    throw new TypedError(`expected JSON after "${text.slice(0, 2)}" of a path element, got ${text}`, {
      cause,
    });
  }
}

function parseKeys(text: string, keys: unknown): FieldElement {
  if (!isObject(keys)) throw new TypedError(`expected an object of keys in a path element, got ${text}`);
  return keyElement(keys);
}

function parseIndex(text: string, rest: string): FieldElement {
  if (!/^-?\d{1,15}$/.test(rest)) throw new TypedError(`expected an index in a path element, got ${text}`);
  return indexElement(Number(rest));
}

/**
 * Formats a path: `.spec.containers[name="web"].ports[containerPort=80,protocol="TCP"]`, `.metadata.finalizers[="a"]`.
 */
export function printPath(path: FieldPath): string {
  return path.map(printElement).join("");
}

export function printElement(element: FieldElement): string {
  const rest = element.slice(2);
  if (element.startsWith("f:")) return `.${rest}`;
  if (element.startsWith("v:")) return `[=${printed(JSON.parse(rest))}]`;
  if (element.startsWith("i:")) return `[${rest}]`;
  const keys = Object.entries(JSON.parse(rest) as JsonObject); // `k:` precedes an object, see `keyElement`
  return `[${keys.map(([key, value]) => `${key}=${printed(value)}`).join(",")}]`;
}

/** Formats a value like kube-apiserver. Only invalid steps have values that are not scalars. */
function printed(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (isArray(value)) return `[${value.map(printed).join(",")}]`;
  if (!isObject(value)) return fieldJson(value);
  return Object.entries(value)
    .map(([key, field]) => `${key}=${printed(field)}`)
    .join("");
}

/**
 * Sorts steps in the server's order: fields, keys, values, indexes. Each type is sorted by value, numbers numerically.
 */
export function sortElements(elements: Iterable<FieldElement>): FieldElement[] {
  const unsorted = [...elements];
  if (unsorted.length < 2) return unsorted;
  if (unsorted.every(isField) || unsorted.every(isOrderedByText)) return unsorted.sort(compareBytes);
  const sortable = unsorted.map((element) => ({ element, ...sortKeys(element) }));
  sortable.sort((one, other) => one.sort - other.sort || compareValues(one.value, other.value));
  return sortable.map(({ element }) => element);
}

/**
 * Returns true if the elements are in the order of `sortElements`. Returns false if only parsing them could decide it.
 */
export function isInOrder(elements: readonly string[]): boolean {
  if (elements.length < 2) return true;
  if (!elements.every(isField) && !elements.every(isOrderedByText)) return false;
  return elements.every(
    (element, index) => index === 0 || compareBytes(elements[index - 1] ?? "", element) < 0,
  );
}

const isField = (element: string): boolean => element.startsWith("f:");

/** Returns true for a key with a string whose characters all sort after the closing quote. */
const isOrderedByText = (element: string): boolean => /^k:\{"\w+":"[-\w./]*"\}$/.test(element);

function sortKeys(element: FieldElement): { readonly sort: number; readonly value: unknown } {
  const rest = element.slice(2);
  if (element.startsWith("f:")) return { sort: 0, value: rest };
  if (element.startsWith("i:")) return { sort: 3, value: Number(rest) };
  const value: unknown = JSON.parse(rest);
  return isObject(value) && element.startsWith("k:")
    ? { sort: 1, value: sortedFields(value) }
    : { sort: 2, value };
}

/** Compares values by type (numbers, strings, booleans, lists, objects, null), then by value. */
function compareValues(one: unknown, other: unknown): number {
  if (typeof one === "string" && typeof other === "string") return compareBytes(one, other);
  const difference = typeRank(one) - typeRank(other);
  if (difference !== 0) return difference;
  if (isArray(one) && isArray(other)) return compareLists(one, other);
  if (isObject(one) && isObject(other)) return compareLists(sortedFields(one), sortedFields(other));
  return Number(one) - Number(other);
}

function typeRank(value: unknown): number {
  if (value === null) return 5;
  if (typeof value === "object") return isArray(value) ? 3 : 4;
  return ["number", "string", "boolean"].indexOf(typeof value);
}

function compareLists(one: readonly unknown[], other: readonly unknown[]): number {
  for (const [index, value] of one.entries()) {
    if (index >= other.length) return 1;
    const difference = compareValues(value, other[index]);
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}

/** Returns sorted names and values in alternation. */
function sortedFields(object: JsonObject): readonly unknown[] {
  const keys = Object.keys(object).sort(compareBytes);
  return keys.flatMap((key) => [key, [object[key]]]);
}
