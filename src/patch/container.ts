import { fieldOf, setField } from "../schema/index.ts";

/** An object or a list that is being changed. */
export type Container = Record<string, unknown> | unknown[];

export function isContainer(value: unknown): value is Container {
  return typeof value === "object" && value !== null;
}

/** Whether there is something under the key, or could be: every key of an object, the places of a list. */
export function reaches(container: Container, key: string): boolean {
  return !Array.isArray(container) || placeOf(container.length, key) !== undefined;
}

/** What is under the key. Nothing under an object's key is `undefined`, as is every place that a list has not. */
export function valueAt(container: Container, key: string): unknown {
  if (!Array.isArray(container)) return fieldOf(container, key);
  const place = placeOf(container.length, key);
  return place === undefined ? undefined : container[place];
}

/** Replaces what is under the key, which must be in reach. */
export function setAt(container: Container, key: string, value: unknown): void {
  if (!Array.isArray(container)) return setField(container, key, value);
  const place = placeOf(container.length, key);
  if (place !== undefined) container[place] = value;
}

/** Puts a value under an object's key, or in front of a place of a list. Returns whether there is such a place. */
export function insertAt(container: Container, key: string, value: unknown): boolean {
  if (!Array.isArray(container)) {
    setField(container, key, value);
    return true;
  }
  const place = key === "-" ? container.length : placeOf(container.length + 1, key);
  if (place === undefined) return false;
  container.splice(place, 0, value);
  return true;
}

/** Takes what is under the key away. Returns whether there was something. */
export function removeAt(container: Container, key: string): boolean {
  if (!Array.isArray(container)) return Object.hasOwn(container, key) && delete container[key];
  const place = placeOf(container.length, key);
  if (place === undefined) return false;
  container.splice(place, 1);
  return true;
}

/** One of so many places. Negative ones count from the end, and zeros in front mean nothing, as in the real server. */
function placeOf(count: number, key: string): number | undefined {
  if (!/^[+-]?\d+$/.test(key)) return undefined;
  const given = Number(key);
  const place = given < 0 ? given + count : given;
  return place >= 0 && place < count ? place : undefined;
}
