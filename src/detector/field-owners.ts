import type { DeepReadonly, KubeObject } from "../api/index.ts";
import { type FieldPath, type Fields, isRecord, isSame } from "./field-changes.ts";

/** Who manages the field, by what the object's `managedFields` say. Of a list, who manages anything in it. */
export function fieldOwners(object: DeepReadonly<KubeObject>, path: FieldPath): string[] {
  const entries = object.metadata.managedFields ?? [];
  const owners = entries.filter(({ fieldsV1 }) => isRecord(fieldsV1) && owns(fieldsV1, object, path));
  return [...new Set(owners.map(({ manager }) => manager ?? ""))];
}

/** Walks down the set and the object together. An empty set is everything below. */
function owns(set: Fields, value: unknown, path: FieldPath): boolean {
  const [step, ...rest] = path;
  if (step === undefined || Object.keys(set).length === 0) return true;
  const inner = isRecord(value) || Array.isArray(value) ? (value as Fields)[step] : undefined;
  const name = typeof step === "string" ? `f:${step}` : memberOf(set, inner);
  const deeper = name === undefined ? undefined : set[name];
  return isRecord(deeper) && owns(deeper, inner, rest);
}

/** The name that a set has for an item of a list: by its keys, or by the value itself. */
function memberOf(set: Fields, item: unknown): string | undefined {
  return Object.keys(set).find((name) => {
    if (name.startsWith("v:")) return isSame(parsed(name), item);
    const keys = name.startsWith("k:") ? parsed(name) : undefined;
    return (
      isRecord(keys) &&
      isRecord(item) &&
      Object.entries(keys).every(([key, value]) => isSame(item[key], value))
    );
  });
}

/** A server wrote it, so it can be read; where it cannot, nobody owns it. */
function parsed(name: string): unknown {
  try {
    return JSON.parse(name.slice(2));
  } catch {
    return undefined;
  }
}
