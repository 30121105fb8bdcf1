import {
  applyJsonPatch,
  applyMergePatch,
  applyStrategicPatch,
  PatchError,
  type PatchFailure,
  strategicPatchText,
  unknownStepMembers,
} from "../patch/index.ts";
import { type JsonDocument, JsonSyntaxError, readJson, type SchemaNode } from "../schema/index.ts";
import type { PatchType } from "./patch-type.ts";
import { badRequest, patchRejected, type StatusError, tooLarge, unexplained } from "./status-error.ts";
import { writeJson } from "./write-json.ts";
import type { FieldValidation } from "./write-options.ts";

/** A patch that is no apply, as it was sent. */
export interface PatchBody {
  readonly type: Exclude<PatchType, "apply">;
  readonly document: JsonDocument;
  readonly fieldValidation: FieldValidation;
}

/** Reads a patch. What is no JSON is refused in the words of its type. */
export function readPatch(bytes: Buffer, { type, fieldValidation }: Omit<PatchBody, "document">): PatchBody {
  try {
    return { type, fieldValidation, document: readJson(bytes.toString()) };
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw badRequest(syntaxText(error, { type, fieldValidation }));
    throw error;
  }
}

/** Patches are read by other means where nobody asks about fields. */
function syntaxText({ message }: Error, { type, fieldValidation }: Omit<PatchBody, "document">): string {
  if (fieldValidation !== "Ignore" && type !== "strategic") return `error decoding patch: ${message}`;
  return type === "merge" ? "Invalid JSON Patch" : message;
}

/** What a patch makes of a value. */
export function patchedValue(
  value: object,
  { type, document, fieldValidation }: PatchBody,
  node: SchemaNode,
): unknown {
  const fields = { ...value };
  const options = { fieldValidation };
  try {
    if (type === "json") return applyJsonPatch(fields, document.value, options);
    if (type === "merge") return applyMergePatch(fields, document.value, options);
    return applyStrategicPatch(fields, document.value, node);
  } catch (error) {
    if (error instanceof PatchError) throw refusals[error.failure](error.message);
    throw error;
  }
}

const refusals: Readonly<Record<PatchFailure, (message: string) => StatusError>> = {
  malformed: badRequest,
  inapplicable: patchRejected,
  tooLarge,
  failed: unexplained,
};

/** What validation of fields has against the patch itself. */
export function patchProblems({ type, document }: PatchBody): string[] {
  const duplicates = document.duplicates.map((path) => `duplicate field "${path}"`);
  if (type !== "json") return duplicates;
  const unknown = unknownStepMembers(document.value).map((path) => `unknown field "${path}"`);
  return [...duplicates, ...unknown].map((problem) => `json patch ${problem}`);
}

/** What a patch was applied to and what came of it. */
export interface Patching {
  readonly current: object;
  readonly value: unknown;
  readonly node: SchemaNode;
}

/** As the server names what it refuses: a strategic patch itself, otherwise the object that came of it. */
export function printedPatch({ current, value, node }: Patching, { type, document }: PatchBody): string {
  if (type !== "strategic") return writeJson(sortedWhere(value, type === "merge" ? document.value : {}));
  return strategicPatchText({ ...current }, { ...(document.value as object) }, node);
}

/** The real server writes what the patch reached with sorted keys, and the rest as it was. */
function sortedWhere(value: unknown, touched: unknown): unknown {
  if (!isPlain(value) || !isPlain(touched)) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, sortedWhere(value[key], touched[key])]));
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
