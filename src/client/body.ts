import { apiVersionOf, type Kind, kindName, type ObjectKey, type Owner, withOwner } from "../api/index.ts";
import { jsonBody } from "./json-body.ts";
import type { Patch } from "./options.ts";

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

/** Returns the body and content type of a patch. */
export function patchBody(patch: Patch): { readonly body: string; readonly type: string } {
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
