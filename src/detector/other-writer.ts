import type { DeepReadonly, KubeObject } from "../api/index.ts";
import { type FieldPath, type Fields, isRecord, isSame } from "./field-changes.ts";
import type { KeyHistory } from "./key-history.ts";

export interface OtherWriterOptions {
  /** The key of this manager that made the previous version, if any. */
  readonly writer: KeyHistory | undefined;
  /** The object before the write, with managed fields if it was read from the server. */
  readonly before: DeepReadonly<KubeObject>;
  /** The object after the write. */
  readonly response: KubeObject;
  readonly path: FieldPath;
}

/** Describes the writer of a field that this write has set back. */
export function otherWriter({ writer, before, response, path }: OtherWriterOptions): string {
  if (writer) return `controller ${JSON.stringify(writer.controller)} of this manager, for ${writer.key}`;
  const owners = fieldOwners(before, path);
  const ours = fieldOwners(response, path);
  const others = owners.filter((manager) => !ours.includes(manager));
  if (others.length > 0) return `field manager ${named(others)}`;
  if (owners.length > 0) return `another writer with the same field manager ${named(owners)}`;
  return "unknown, no field manager is recorded";
}

function named(managers: readonly string[]): string {
  return managers.map((manager) => JSON.stringify(manager)).join(" and ");
}

/** Returns the field managers of a field, from the object's `managedFields`. For a list, those of any of its items. */
export function fieldOwners(object: DeepReadonly<KubeObject>, path: FieldPath): string[] {
  const entries = object.metadata.managedFields ?? [];
  const owners = entries.filter(({ fieldsV1 }) => isRecord(fieldsV1) && owns(fieldsV1, object, path));
  return [...new Set(owners.map(({ manager }) => manager ?? ""))];
}

/** Descends the set and the object together. An empty set owns everything below. */
function owns(set: Fields, value: unknown, path: FieldPath): boolean {
  const [step, ...rest] = path;
  if (step === undefined || Object.keys(set).length === 0) return true;
  const inner = isRecord(value) || Array.isArray(value) ? (value as Fields)[step] : undefined;
  const name = typeof step === "string" ? `f:${step}` : memberOf(set, inner);
  const deeper = name === undefined ? undefined : set[name];
  return isRecord(deeper) && owns(deeper, inner, rest);
}

/** Returns the name of a list item in a set: by its keys, or by its value. */
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

/** Parses the key of an item. Returns `undefined` for invalid JSON, which no manager then owns. */
function parsed(name: string): unknown {
  try {
    return JSON.parse(name.slice(2));
  } catch {
    return undefined;
  }
}
