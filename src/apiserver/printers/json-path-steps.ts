import { isObject } from "../../schema/index.ts";

/** Returns the values that a path finds in a value, in order. */
export type JsonPath = (value: unknown) => readonly unknown[];

export function fieldOf(name: string): JsonPath {
  return (value) => (isObject(value) && Object.hasOwn(value, name) ? [value[name]] : []);
}

/** Returns the elements of a list, or the values of an object sorted by key. */
export function childrenOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (!isObject(value)) return [];
  return Object.keys(value)
    .sort()
    .map((key) => value[key]);
}

/** Returns the value and all nested values, each before its children. */
export function descendantsOf(value: unknown): readonly unknown[] {
  const found: unknown[] = [];
  const pending = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    found.push(next);
    for (const child of childrenOf(next).toReversed()) pending.push(child);
  }
  return found;
}

/**
 * Returns a step that selects elements of a list: `2`, `-1`, `1:3`, `::2`. Returns `undefined` if the text is not a
 * slice.
 */
export function sliceOf(text: string): JsonPath | undefined {
  const [match, start = "", end, step = ""] = /^(-?\d*)(?::(-?\d*))?(?::(-?\d*))?$/.exec(text) ?? [];
  if (match === undefined) return undefined;
  if (match === "") return () => [];
  const range = { start: Number(start), end: endOf(start, end), step: step === "" ? 1 : Number(step) };
  return (value) => (Array.isArray(value) ? elementsOf(value, range) : []);
}

interface Range {
  readonly start: number;
  /** Exclusive; `undefined` is the end of the list. */
  readonly end: number | undefined;
  readonly step: number;
}

function endOf(start: string, end: string | undefined): number | undefined {
  if (end === "") return undefined;
  if (end !== undefined) return Number(end);
  return start === "-1" ? undefined : Number(start) + 1;
}

/** Returns the elements of a span. A span that exceeds the list selects nothing. */
function elementsOf(list: readonly unknown[], range: Range): unknown[] {
  const start = range.start < 0 ? range.start + list.length : range.start;
  const requestedEnd = range.end ?? list.length;
  const end = requestedEnd < 0 ? requestedEnd + list.length : requestedEnd;
  if (start < 0 || end > list.length || start >= end || range.step <= 0) return [];
  return list.slice(start, end).filter((_, index) => index % range.step === 0);
}

/** Removes the backslashes of escaped characters. */
export function unescaped(text: string): string {
  return text.replace(/\\(.)/gs, "$1");
}
