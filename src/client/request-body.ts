import { apiVersionOf, type Kind, kindName, type ObjectKey, type Owner, withOwner } from "../api/index.ts";
import type { DeleteOptions } from "./options.ts";
import type { JsonPatchStep } from "./patch.ts";

/**
 * Returns the request body for an object, with the `apiVersion` and `kind` of the kind and the namespace of the target.
 */
export function objectBody(kind: Kind, object: ObjectToSend, target: BodyTarget): string {
  checkName(kind, "apiVersion", { expected: apiVersionOf(kind), got: object.apiVersion });
  checkName(kind, "kind", { expected: kind.kind, got: object.kind });
  const { namespace, owner } = target;
  const metadata = namespace === undefined ? object.metadata : { ...object.metadata, namespace };
  const named = { ...object, apiVersion: apiVersionOf(kind), kind: kind.kind, metadata };
  return jsonBody(owner ? withOwner(named, owner, { controller: true }) : named);
}

/** An object as callers write it, without the fields that the server sets. */
export interface ObjectToSend {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly metadata: object;
}

export interface BodyTarget extends Pick<ObjectKey, "namespace"> {
  readonly owner?: Owner | undefined;
}

/** A patch whose object type is not known. */
export type AnyPatch =
  | { readonly json: readonly JsonPatchStep[] }
  | { readonly merge: unknown }
  | { readonly strategic: unknown };

/** Returns the body and content type of a patch. */
export function patchBody(patch: AnyPatch): { readonly body: string; readonly type: string } {
  if ("json" in patch) return { body: escapedJson(patch.json), type: "application/json-patch+json" };
  if ("merge" in patch) return { body: jsonBody(patch.merge), type: "application/merge-patch+json" };
  return { body: jsonBody(patch.strategic), type: "application/strategic-merge-patch+json" };
}

/** Returns JSON with Go's escapes, because the server's `test` operation compares the JSON text. */
function escapedJson(value: unknown): string {
  return jsonBody(value).replace(/[<>&\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/** Returns the body of a deletion, or `undefined` if it would have only defaults. */
export function deleteBody(options: DeleteOptions): string | undefined {
  const { uid, resourceVersion, propagation, graceSeconds, dryRun } = options;
  const preconditions =
    uid === undefined && resourceVersion === undefined ? undefined : { uid, resourceVersion };
  const body = {
    preconditions,
    propagationPolicy: propagation,
    gracePeriodSeconds: graceSeconds,
    dryRun: dryRun ? ["All"] : undefined,
  };
  if (Object.values(body).every((value) => value === undefined)) return undefined;
  return JSON.stringify({ apiVersion: "v1", kind: "DeleteOptions", ...body });
}

/** The content type of server-side apply. JSON is valid YAML, so the client sends JSON. */
export const applyType = "application/apply-patch+yaml";

function checkName(
  kind: Kind,
  field: string,
  { expected, got }: { readonly expected: string; readonly got: unknown },
): void {
  if (got === undefined || got === expected) return;
  throw new TypeError(`expected ${field} ${expected} for ${kindName(kind)}, got ${JSON.stringify(got)}`);
}

/**
 * Returns `value` as JSON for the server.
 *
 * It refuses integers from 2^53 up to 2^64, which JavaScript cannot represent exactly: `JSON.parse` has already rounded
 * them when the object was read (9007199254740993 becomes 9007199254740992), and the write would store the rounded
 * value. The check costs one scan of the text, and nothing on reads. Exact numbers would slow down every read and need
 * another type than `number`. Larger numbers are floating-point numbers to an API server, and stay the same.
 *
 * @throws {RangeError} with the path of the number
 */
export function jsonBody(value: unknown): string {
  const text = JSON.stringify(value);
  if (!longNumber.test(text)) return text;
  const found = inexactNumber(JSON.parse(text), "");
  if (!found) return text;
  throw new RangeError(
    `expected integers below 2^53, which JavaScript represents exactly, got ${found.value} at ${found.path}, ` +
      "whose last digits may have been lost when it was read: write only the other fields, with patch or apply",
  );
}

/** Matches the number of digits of 2^53. Such digits may also be part of a string, so a match needs the full check. */
const longNumber = /[0-9]{16}/;

interface InexactNumber {
  readonly path: string;
  readonly value: number;
}

function inexactNumber(value: unknown, path: string): InexactNumber | undefined {
  if (typeof value === "number") return isInexact(value) ? { path: path || "the top", value } : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    const found = inexactNumber(member, Array.isArray(value) ? `${path}[${key}]` : pathTo(path, key));
    if (found) return found;
  }
  return undefined;
}

function isInexact(value: number): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 2 ** 64;
}

function pathTo(path: string, key: string): string {
  if (!/^[\w-]+$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === "" ? key : `${path}.${key}`;
}
