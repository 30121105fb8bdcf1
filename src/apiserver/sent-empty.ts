import type { KubeObject } from "../api/index.ts";
import { isArray, isObject, setField } from "../schema/index.ts";
import { fieldAt } from "./paths.ts";

/** Which fields an object, or a part of it, was sent with empty. Copies know it too, and no text tells it. */
const sentEmpty = Symbol("sent empty");

interface Marked {
  [sentEmpty]?: readonly string[];
}

/** Notes which of the fields, as paths, were sent empty, of an object that is told without them. */
export function noteEmpty(object: KubeObject, sent: unknown, paths: readonly string[]): void {
  for (const path of paths) {
    const steps = path.split(".");
    const [holder, name] = [fieldAt(object, steps.slice(0, -1)), steps.at(-1) ?? ""];
    if (typeof holder !== "object" || holder === null || Object.hasOwn(holder, name)) continue;
    if (isEmpty(fieldAt(sent, steps))) note(holder, name);
  }
}

function note(holder: Marked, name: string): void {
  holder[sentEmpty] = [...(holder[sentEmpty] ?? []), name];
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

/** Whether the field of an object, or of a part of it, was sent empty, and not left out. */
export function wasSentEmpty(object: object, name: string): boolean {
  return (object as Marked)[sentEmpty]?.includes(name) ?? false;
}

/** A copy that shares nothing with the value, and knows what was sent empty. */
export function markedCopy<T>(value: T): T {
  if (isArray(value)) return value.map(markedCopy) as T; // the same list of copies
  if (!isObject(value)) return value;
  const copy: Record<string, unknown> = { ...value };
  for (const key of Object.keys(value)) setField(copy, key, markedCopy(value[key]));
  return copy as T; // the same fields, copied
}
