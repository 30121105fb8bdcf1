import type { KubeObject } from "../../api/index.ts";
import { isArray, isObject, setField } from "../../schema/index.ts";
import { fieldAt } from "../types/paths.ts";

/**
 * The key of the fields that were sent empty in an object or a part of it. Copies preserve it, JSON does not contain
 * it.
 */
const sentEmpty = Symbol("sent empty");

/** The key of the fields that have a default value. Copies preserve it, JSON does not contain it. */
const defaulted = Symbol("defaulted");

interface MayHaveEmpty {
  [sentEmpty]?: readonly string[];
  [defaulted]?: readonly string[];
}

/** Records which of the fields, given as paths, were sent empty and are absent from the decoded object. */
export function recordSentEmpty(object: KubeObject, sent: unknown, paths: readonly string[]): void {
  for (const path of paths) {
    const steps = path.split(".");
    const [holder, name] = [fieldAt(object, steps.slice(0, -1)), steps.at(-1) ?? ""];
    if (typeof holder !== "object" || holder === null || Object.hasOwn(holder, name)) continue;
    if (isEmpty(fieldAt(sent, steps))) recordEmpty(holder, name);
  }
}

/** Records which of the fields, given as paths, were absent or empty when they were sent, and have a value now. */
export function recordDefaulted(object: KubeObject, sent: unknown, paths: readonly string[]): void {
  for (const path of paths) {
    const steps = path.split(".");
    const [holder, name] = [fieldAt(object, steps.slice(0, -1)), steps.at(-1) ?? ""];
    if (typeof holder !== "object" || holder === null || !Object.hasOwn(holder, name)) continue;
    const value = fieldAt(sent, steps);
    if (value === undefined || isEmpty(value)) markDefaulted(holder, name);
  }
}

function markDefaulted(holder: MayHaveEmpty, name: string): void {
  holder[defaulted] = [...(holder[defaulted] ?? []), name];
}

/** Returns true if the field of an object, or of a part of it, has a default value. */
export function wasDefaulted(object: object, name: string): boolean {
  return (object as MayHaveEmpty)[defaulted]?.includes(name) ?? false;
}

function recordEmpty(holder: MayHaveEmpty, name: string): void {
  holder[sentEmpty] = [...(holder[sentEmpty] ?? []), name];
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

/** Returns true if the field of an object, or of a part of it, was sent empty, and false if it was absent. */
export function wasSentEmpty(object: object, name: string): boolean {
  return (object as MayHaveEmpty)[sentEmpty]?.includes(name) ?? false;
}

/** Returns a deep copy that preserves which fields were sent empty. */
export function markedCopy<T>(value: T): T {
  if (isArray(value)) return value.map(markedCopy) as T; // a list of the same type
  if (!isObject(value)) return value;
  const copy: Record<string, unknown> = { ...value };
  for (const key of Object.keys(value)) setField(copy, key, markedCopy(value[key]));
  return copy as T; // an object of the same type
}
