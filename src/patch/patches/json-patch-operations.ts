import { fieldOf, isArray, isObject, type JsonObject, jsonTypeName } from "../../schema/index.ts";
import { nonCanonicalOperations } from "./non-canonical-operations.ts";
import { malformed, tooLarge } from "./patch-error.ts";
import type { PatchOptions } from "./patch-options.ts";

/**
 * An operation of a JSON patch. A missing member is `undefined`, and so is one of the wrong type if fields are not
 * validated.
 */
export interface JsonPatchOperation {
  readonly op: string | undefined;
  readonly path: string | undefined;
  readonly from: string | undefined;
  /** The value, or `null` if it is missing. */
  readonly value: unknown;
  /** True if the value is not written as kube-apiserver writes JSON. */
  readonly nonCanonical: boolean;
}

const maxOperations = 10_000;

/** Reads the operations of a JSON patch. Throws a `PatchError` if it is not a JSON patch or has too many operations. */
export function readOperations(
  patch: unknown,
  { fieldValidation = "Warn", text = "" }: PatchOptions,
): JsonPatchOperation[] {
  const reading = fieldValidation === "Ignore" ? lenient : strict;
  const operations = (patch ?? []) as unknown;
  if (!isArray(operations)) throw reading.typeError(operations, reading.patchType);
  const members = operations.map((operation) => membersOf(operation, reading));
  if (members.length > maxOperations) throw tooManyOperations(members.length);
  const nonCanonical = nonCanonicalOperations(text);
  return members.map((operation, index) => operationOf(operation, nonCanonical.has(index)));
}

/** Returns the paths of unknown members of operations, in patch order, such as `[0].foo`. */
export function unknownOperationMembers(patch: unknown): string[] {
  if (!isArray(patch)) return [];
  return patch.flatMap((operation, index) =>
    Object.keys(operation ?? {})
      .filter((name) => !knownMembers.has(name))
      .map((name) => `[${index}].${name}`),
  );
}

const textMembers = ["op", "path", "from"] as const;
const knownMembers: ReadonlySet<string> = new Set([...textMembers, "value"]);

/** The way in which the server decodes operations: into a struct if it validates fields, into maps otherwise. */
interface Reading {
  readonly patchType: string;
  readonly operationType: string;
  readonly checksMembers: boolean;
  typeError(value: unknown, type: string): Error;
}

const strict: Reading = {
  patchType: "Go value of type []handlers.jsonPatchOp",
  operationType: "Go value of type handlers.jsonPatchOp",
  checksMembers: true,
  typeError: (value, type) =>
    malformed(`error decoding patch: json: cannot unmarshal ${jsonTypeName(value)} into ${type}`),
};

const lenient: Reading = {
  patchType: "Go value of type jsonpatch.Patch",
  operationType: "Go value of type jsonpatch.Operation",
  checksMembers: false,
  typeError: (value, type) => malformed(`json: cannot unmarshal ${jsonTypeName(value)} into ${type}`),
};

function membersOf(operation: unknown, reading: Reading): JsonObject {
  if (operation === null) return {};
  if (!isObject(operation)) throw reading.typeError(operation, reading.operationType);
  if (reading.checksMembers) for (const name of Object.keys(operation)) requireText(operation, name, reading);
  return operation;
}

function requireText(operation: JsonObject, name: string, reading: Reading): void {
  const value = operation[name];
  if (name === "value" || !knownMembers.has(name) || value === null || typeof value === "string") return;
  throw reading.typeError(value, `Go struct field jsonPatchOp.${name} of type string`);
}

function operationOf(members: JsonObject, nonCanonical: boolean): JsonPatchOperation {
  const [op, path, from] = textMembers.map((name) => textOf(members, name));
  return { op, path, from, value: fieldOf(members, "value") ?? null, nonCanonical };
}

function textOf(members: JsonObject, name: string): string | undefined {
  const value = fieldOf(members, name);
  return typeof value === "string" ? value : undefined;
}

function tooManyOperations(count: number): Error {
  return tooLarge(
    `Request entity too large: The allowed maximum operations in a JSON patch is ${maxOperations}, got ${count}`,
  );
}
