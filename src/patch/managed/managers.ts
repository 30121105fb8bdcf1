import type { ManagedFieldsEntry } from "../../api/index.ts";
import { compareBytes, fieldOf, isArray, isObject, type JsonObject } from "../../schema/index.ts";
import { TypedError } from "../values/typed-error.ts";
import type { FieldSet } from "./field-set.ts";
import { parseFields, printFields } from "./fields-v1.ts";

/** A field manager of an object: an entry of `managedFields`. */
export interface Manager {
  readonly name: string;
  readonly operation: "Apply" | "Update";
  /** The API version to which `fields` refer. */
  readonly apiVersion: string;
  /** `""` for the main resource. */
  readonly subresource: string;
  /**
   * The time of its last change of the object, RFC 3339 in whole seconds. Absent if it only shares fields that others
   * set.
   */
  readonly time?: string | undefined;
  readonly fields: FieldSet;
}

/** The managers of an object by `identityOf`. None of them has an empty set of fields. */
export type Managers = ReadonlyMap<string, Manager>;

/** Returns the identity of a manager. The API version of an apply and the time are not part of it. */
export function identityOf({ name, operation, apiVersion, subresource }: Omit<Manager, "fields">): string {
  return JSON.stringify({
    manager: name === "" ? undefined : name,
    operation,
    apiVersion: operation === "Apply" ? undefined : apiVersion,
    subresource: subresource === "" ? undefined : subresource,
  });
}

/**
 * Parses `metadata.managedFields`. The last of several entries with the same identity wins.
 *
 * @throws {TypedError} if an entry is invalid
 */
export function parseManagers(entries: unknown): Managers {
  const managers = new Map<string, Manager>();
  for (const [index, entry] of (isArray(entries) ? entries : []).entries()) {
    const manager = parseEntry(entry, index);
    managers.set(identityOf(manager), manager);
  }
  return managers;
}

/** Returns the error of an invalid `metadata.managedFields`, or `undefined`. */
export function managersFault(entries: unknown): string | undefined {
  try {
    parseManagers(entries);
    return undefined;
  } catch (error) {
    if (error instanceof TypedError) return error.message;
    throw error;
  }
}

function parseEntry(entry: unknown, index: number): Manager {
  const fields = isObject(entry) ? entry : {};
  const operation = fieldOf(fields, "operation");
  if (operation !== "Apply" && operation !== "Update")
    throw new TypedError("operation must be `Apply` or `Update`");
  const apiVersion = textOf(fields, "apiVersion");
  if (apiVersion === "") throw new TypedError("apiVersion must not be empty");
  requireFieldsV1(textOf(fields, "fieldsType"), index);
  return {
    name: textOf(fields, "manager"),
    operation,
    apiVersion,
    subresource: textOf(fields, "subresource"),
    time: textOf(fields, "time") || undefined,
    fields: parseFields(fieldOf(fields, "fieldsV1") ?? {}),
  };
}

function textOf(entry: JsonObject, key: string): string {
  const value = fieldOf(entry, key);
  return typeof value === "string" ? value : "";
}

function requireFieldsV1(type: string, index: number): void {
  if (type === "FieldsV1") return;
  const problem = type === "" ? "missing fieldsType" : `invalid fieldsType ${JSON.stringify(type)}`;
  throw new TypedError(`${problem} in managed fields entry ${index}`);
}

/** Encodes managers as `metadata.managedFields` in the server's order, or returns `undefined` without managers. */
export function printManagers(managers: Iterable<Manager>): ManagedFieldsEntry[] | undefined {
  const sorted = [...managers].sort(compareManagers);
  return sorted.length === 0 ? undefined : sorted.map(printManager);
}

/** Compares by operation, then by time. An entry without a time is the oldest. */
function compareManagers(one: Manager, other: Manager): number {
  return (
    compareBytes(one.operation, other.operation) ||
    compareBytes(one.time ?? "", other.time ?? "") ||
    compareBytes(one.name, other.name) ||
    compareBytes(one.apiVersion, other.apiVersion) ||
    compareBytes(one.subresource, other.subresource)
  );
}

function printManager({
  name,
  operation,
  apiVersion,
  subresource,
  time,
  fields,
}: Manager): ManagedFieldsEntry {
  return {
    manager: name,
    operation,
    apiVersion,
    ...(time !== undefined && { time }),
    fieldsType: "FieldsV1",
    fieldsV1: printFields(fields),
    ...(subresource !== "" && { subresource }),
  };
}
