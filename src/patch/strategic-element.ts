import { isArray, isObject } from "../schema/index.ts";
import { goText, goTypeOf } from "./go-words.ts";
import { failed, inapplicable } from "./patch-error.ts";

/** What tells an element from others: the value of the merge key, or a scalar itself. */
export type Identity = (element: unknown) => unknown;

/** Throws for an element that has not the key. */
export function identityBy(key: string | undefined): Identity {
  if (key === undefined) return (element) => element;
  return (element) => {
    if (!isObject(element)) throw wrongType("map[string]interface {}", element);
    if (Object.hasOwn(element, key)) return element[key];
    throw failed(`map: ${goText(element)} does not contain declared merge key: ${key}`);
  };
}

export function wrongType(expected: string, got: unknown): Error {
  return failed(`expected a ${expected}, but received a ${goTypeOf(got)}`);
}

/** Whether the elements of both lists are objects. Throws where they are not all of one type, are lists, or none. */
export function areObjects(original: readonly unknown[], patch: readonly unknown[]): boolean {
  const [first, ...others] = [...original, ...patch];
  if (first === undefined) throw failed("no elements in any of the given slices");
  if (isArray(first)) throw inapplicable("expected a list of objects or scalars, got lists in it");
  const type = goTypeOf(first);
  if (first !== null && others.every((element) => goTypeOf(element) === type)) return isObject(first);
  throw failed(`list element types are not identical: ${goText([original, patch])}`);
}
