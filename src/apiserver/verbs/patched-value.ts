import {
  applyJsonPatch,
  applyMergePatch,
  applyStrategicPatch,
  PatchError,
  type PatchFailure,
  strategicPatchText,
  unknownOperationMembers,
} from "../../patch/index.ts";
import {
  encodeTyped,
  type JsonDocument,
  JsonSyntaxError,
  readJson,
  type SchemaNode,
  typedSchema,
  writeJson,
} from "../../schema/index.ts";
import { checkPatchValues, checkValues } from "../codec/body-limit.ts";
import type { Resource } from "../types/resource.ts";
import {
  badRequest,
  patchRejected,
  type StatusError,
  tooLarge,
  unknownError,
} from "../types/status-error.ts";
import type { FieldValidation } from "../types/write-options.ts";
import type { Call } from "./engine.ts";
import type { PatchType } from "./patch-type.ts";

/** A patch that is not an apply. */
export interface PatchBody {
  readonly type: Exclude<PatchType, "apply">;
  readonly document: JsonDocument;
  /** The body as it was sent. */
  readonly text: string;
  readonly fieldValidation: FieldValidation;
}

type PatchFormat = Pick<PatchBody, "type" | "fieldValidation">;

/** Reads a patch. Invalid JSON is refused with the message of the patch type. */
export function readPatch({ request, resource }: Call, { type, fieldValidation }: PatchFormat): PatchBody {
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

/**
 * Returns the message for invalid JSON. kube-apiserver reads patches with another decoder if it does not validate
 * fields.
 */
function syntaxText({ message }: Error, { type, fieldValidation }: PatchFormat): string {
  if (fieldValidation !== "Ignore" && type !== "strategic") return `error decoding patch: ${message}`;
  return type === "merge" ? "Invalid JSON Patch" : message;
}

/** Returns the value that results from a patch. */
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

/** Returns the errors that field validation finds in the patch itself. */
export function patchProblems({ type, document }: PatchBody): string[] {
  const duplicates = document.duplicates.map((path) => `duplicate field "${path}"`);
  if (type !== "json") return duplicates;
  const unknown = unknownOperationMembers(document.value).map((path) => `unknown field "${path}"`);
  return [...duplicates, ...unknown].map((problem) => `json patch ${problem}`);
}

/** The object that a patch is applied to. */
export interface Patching {
  readonly current: object;
  readonly resource: Pick<Resource, "node" | "custom" | "group" | "version" | "kind">;
}

/**
 * Returns the text by which kube-apiserver names what it refuses: the strategic merge patch itself, otherwise the
 * resulting object.
 */
export function printedPatch({ current, resource }: Patching, body: PatchBody): string {
  const { type, document } = body;
  if (type === "strategic")
    return strategicPatchText({ ...current }, { ...(document.value as object) }, resource.node);
  const written = patchedValue(asWritten(current, resource), body, resource.node);
  return writeJson(sortVisited(written, visitedBy(type, document.value)));
}

/**
 * Returns the object with its fields in the order of the Go types. Custom objects are maps in Go, so their keys are
 * sorted.
 */
function asWritten(object: object, kind: Patching["resource"]): object {
  if (kind.custom) return sorted(object) as object;
  const type = typedSchema(kind);
  // An encoded object is an object.
  return type ? (encodeTyped(object, type) as object) : object;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isPlain(value)) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, sorted(value[key])]));
}

/** Returns the objects that a patch visits, as a tree. */
function visitedBy(type: PatchBody["type"], patch: unknown): unknown {
  if (type === "merge") return patch;
  const visited = newNode();
  for (const step of Array.isArray(patch) ? patch : []) {
    const pointers = fromOperations.has(step?.op) ? [step?.from, step?.path] : [step?.path];
    for (const pointer of pointers) if (typeof pointer === "string") visit(visited, pointer);
  }
  return visited;
}

/** Operations that also read the value at their `from` path. */
const fromOperations: ReadonlySet<unknown> = new Set(["move", "copy"]);

type VisitedNode = { [name: string]: VisitedNode };

/** Creates a node without a prototype, because its names come from the patch. */
const newNode = (): VisitedNode => Object.create(null);

function visit(visited: VisitedNode, pointer: string): void {
  let at = visited;
  for (const part of pointer.split("/").slice(1, -1)) {
    at = at[part.replaceAll("~1", "/").replaceAll("~0", "~")] ??= newNode();
  }
}

/** Sorts the keys of the objects that the patch visits, as kube-apiserver does, and keeps the rest. */
function sortVisited(value: unknown, visited: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(visited)) return value.map((item) => sortVisited(item, item));
  if (!isPlain(visited)) return value;
  if (Array.isArray(value)) return value.map((item, at) => sortVisited(item, visited[at]));
  if (!isPlain(value)) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, sortVisited(value[key], visited[key])]));
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
