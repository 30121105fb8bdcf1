import { goString, goTypeName, goValue, isArray, isObject } from "../../schema/index.ts";
import { failed, inapplicable } from "./patch-error.ts";

/** Returns the identity of a list element: the value of the merge key, or the scalar itself. */
export type Identity = (element: unknown) => unknown;

/** Returns an identity function, which throws for an element without the key. */
export function identityBy(key: string | undefined): Identity {
  if (key === undefined) return (element) => element;
  return (element) => {
    if (!isObject(element)) throw wrongType("map[string]interface {}", element);
    if (Object.hasOwn(element, key)) return element[key];
    throw failed(`map: ${goValue(element)} does not contain declared merge key: ${key}`);
  };
}

export function wrongType(expected: string, got: unknown): Error {
  return failed(`expected a ${expected}, but received a ${got === null ? goString(got) : goTypeName(got)}`);
}

/**
 * Returns true if the elements of both lists are objects. Throws if their types differ, if they are lists, or if there
 * are none.
 */
export function areObjects(original: readonly unknown[], patch: readonly unknown[]): boolean {
  const [first, ...others] = [...original, ...patch];
  if (first === undefined) throw failed("no elements in any of the given slices");
  if (isArray(first)) throw inapplicable("expected a list of objects or scalars, got lists in it");
  const type = goTypeName(first);
  if (first !== null && others.every((element) => goTypeName(element) === type)) return isObject(first);
  throw failed(`list element types are not identical: ${goValue([original, patch])}`);
}
