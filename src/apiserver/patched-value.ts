import {
  applyJsonPatch,
  applyMergePatch,
  applyStrategicPatch,
  PatchError,
  type PatchFailure,
  strategicPatchText,
  unknownOperationMembers,
} from "../patch/index.ts";
import {
  encodeTyped,
  type JsonDocument,
  JsonSyntaxError,
  readJson,
  type SchemaNode,
  typedSchema,
} from "../schema/index.ts";
import { checkPatchValues, checkValues } from "./body-limit.ts";
import type { Call } from "./engine.ts";
import type { PatchType } from "./patch-type.ts";
import type { Resource } from "./resource.ts";
import { badRequest, patchRejected, type StatusError, tooLarge, unknownError } from "./status-error.ts";
import { writeJson } from "./write-json.ts";
import type { FieldValidation } from "./write-options.ts";

/** A patch that is no apply, as it was sent. */
export interface PatchBody {
  readonly type: Exclude<PatchType, "apply">;
  readonly document: JsonDocument;
  /** As it was sent. */
  readonly text: string;
  readonly fieldValidation: FieldValidation;
}

type PatchManner = Pick<PatchBody, "type" | "fieldValidation">;

/** Reads a patch. What is no JSON is refused in the words of its type. */
export function readPatch({ request, resource }: Call, { type, fieldValidation }: PatchManner): PatchBody {
  if (type === "json") checkPatchValues(request.body);
  else checkValues(request.body, resource);
  const text = request.body.toString();
  try {
    return { type, fieldValidation, text, document: readJson(text) };
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw badRequest(syntaxText(error, { type, fieldValidation }));
    throw error;
  }
}

/** Patches are read by other means where nobody asks about fields. */
function syntaxText({ message }: Error, { type, fieldValidation }: PatchManner): string {
  if (fieldValidation !== "Ignore" && type !== "strategic") return `error decoding patch: ${message}`;
  return type === "merge" ? "Invalid JSON Patch" : message;
}

/** What a patch makes of a value. */
export function patchedValue(
  value: object,
  { type, document, text, fieldValidation }: PatchBody,
  node: SchemaNode,
): unknown {
  const fields = { ...value };
  const options = { fieldValidation, text };
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
  failed: unknownError,
};

/** What validation of fields has against the patch itself. */
export function patchProblems({ type, document }: PatchBody): string[] {
  const duplicates = document.duplicates.map((path) => `duplicate field "${path}"`);
  if (type !== "json") return duplicates;
  const unknown = unknownOperationMembers(document.value).map((path) => `unknown field "${path}"`);
  return [...duplicates, ...unknown].map((problem) => `json patch ${problem}`);
}

/** What a patch was applied to. */
export interface Patching {
  readonly current: object;
  readonly resource: Pick<Resource, "node" | "custom" | "group" | "version" | "kind">;
}

/** As the server names what it refuses: a strategic patch itself, otherwise the object that came of it. */
export function printedPatch({ current, resource }: Patching, body: PatchBody): string {
  const { type, document } = body;
  if (type === "strategic")
    return strategicPatchText({ ...current }, { ...(document.value as object) }, resource.node);
  const written = patchedValue(asWritten(current, resource), body, resource.node);
  return writeJson(sortedWhere(written, touchedBy(type, document.value)));
}

/** The object with its fields in the order of the real server's types; custom ones are maps to it, and sorted. */
function asWritten(object: object, kind: Patching["resource"]): object {
  if (kind.custom) return sorted(object) as object;
  const type = typedSchema(kind);
  // What is written of an object is one.
  return type ? (encodeTyped(object, type) as object) : object;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isPlain(value)) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, sorted(value[key])]));
}

/** The objects that a patch goes through, as an object of them. */
function touchedBy(type: PatchBody["type"], patch: unknown): unknown {
  if (type === "merge") return patch;
  const touched = passage();
  for (const step of Array.isArray(patch) ? patch : []) {
    const pointers = movers.has(step?.op) ? [step?.from, step?.path] : [step?.path];
    for (const pointer of pointers) if (typeof pointer === "string") pass(touched, pointer);
  }
  return touched;
}

/** Steps that look at where they take something from. */
const movers: ReadonlySet<unknown> = new Set(["move", "copy"]);

type Passage = { [name: string]: Passage };

/** Every name is one of the patch's own. */
const passage = (): Passage => Object.create(null);

function pass(touched: Passage, pointer: string): void {
  let at = touched;
  for (const part of pointer.split("/").slice(1, -1)) {
    at = at[part.replaceAll("~1", "/").replaceAll("~0", "~")] ??= passage();
  }
}

/** The real server writes what the patch reached with sorted keys, and the rest as it was. */
function sortedWhere(value: unknown, touched: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(touched)) return value.map((item) => sortedWhere(item, item));
  if (!isPlain(touched)) return value;
  if (Array.isArray(value)) return value.map((item, at) => sortedWhere(item, touched[at]));
  if (!isPlain(value)) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, sortedWhere(value[key], touched[key])]));
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
