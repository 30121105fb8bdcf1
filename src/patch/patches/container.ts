import { fieldOf, setField } from "../../schema/index.ts";

/** A mutable object or list. */
export type Container = Record<string, unknown> | unknown[];

export function isContainer(value: unknown): value is Container {
  return typeof value === "object" && value !== null;
}

/** Returns true if the key can have a value: any key of an object, or an existing index of a list. */
export function isReachable(container: Container, key: string): boolean {
  return !Array.isArray(container) || indexIn(container.length, key) !== undefined;
}

/** Returns the value of the key, or `undefined` for a missing key or index. */
export function valueAt(container: Container, key: string): unknown {
  if (!Array.isArray(container)) return fieldOf(container, key);
  const index = indexIn(container.length, key);
  return index === undefined ? undefined : container[index];
}

/** Replaces the value of the key, which must be reachable. */
export function setAt(container: Container, key: string, value: unknown): void {
  if (!Array.isArray(container)) return setField(container, key, value);
  const index = indexIn(container.length, key);
  if (index !== undefined) container[index] = value;
}

/** Sets a key of an object, or inserts before an index of a list. Returns false if the list has no such index. */
export function insertAt(container: Container, key: string, value: unknown): boolean {
  if (!Array.isArray(container)) {
    setField(container, key, value);
    return true;
  }
  const index = key === "-" ? container.length : indexIn(container.length + 1, key);
  if (index === undefined) return false;
  container.splice(index, 0, value);
  return true;
}

/** Removes the value of the key. Returns false if it has no value. */
export function removeAt(container: Container, key: string): boolean {
  if (!Array.isArray(container)) return Object.hasOwn(container, key) && delete container[key];
  const index = indexIn(container.length, key);
  if (index === undefined) return false;
  container.splice(index, 1);
  return true;
}

/**
 * Returns the list index of a key. Like kube-apiserver, it counts negative indexes from the end and ignores leading
 * zeros.
 */
function indexIn(count: number, key: string): number | undefined {
  if (!/^[+-]?\d+$/.test(key)) return undefined;
  const given = Number(key);
  const index = given < 0 ? given + count : given;
  return index >= 0 && index < count ? index : undefined;
}
