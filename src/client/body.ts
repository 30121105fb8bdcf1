import { apiVersionOf, type Kind, kindName, type ObjectKey, type Owner, withOwner } from "../api/index.ts";
import { jsonBody } from "./json-body.ts";
import type { Patch } from "./options.ts";

/** What is sent for an object: `apiVersion` and `kind` from the kind, its namespace from the key. */
export function objectBody(kind: Kind, object: ObjectToSend, target: Target): string {
  checkName(kind, "apiVersion", { expected: apiVersionOf(kind), got: object.apiVersion });
  checkName(kind, "kind", { expected: kind.kind, got: object.kind });
  const { namespace, owner } = target;
  const metadata = namespace === undefined ? object.metadata : { ...object.metadata, namespace };
  const named = { ...object, apiVersion: apiVersionOf(kind), kind: kind.kind, metadata };
  return jsonBody(owner ? withOwner(named, owner, { controller: true }) : named);
}

/** An object on its way out: as much of one as a person writes. */
export interface ObjectToSend {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly metadata: object;
}

export interface Target extends Pick<ObjectKey, "namespace"> {
  readonly owner?: Owner | undefined;
}

/** The body and content type of a patch. */
export function patchBody(patch: Patch): { readonly body: string; readonly type: string } {
  if ("json" in patch) return { body: goJson(patch.json), type: "application/json-patch+json" };
  if ("merge" in patch) return { body: jsonBody(patch.merge), type: "application/merge-patch+json" };
  return { body: jsonBody(patch.strategic), type: "application/strategic-merge-patch+json" };
}

/** As Go writes it: the server's `test` compares texts, not what they mean. */
function goJson(value: unknown): string {
  return jsonBody(value).replace(/[<>&\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/** JSON is YAML, so JSON is what is sent. */
export const applyType = "application/apply-patch+yaml";

function checkName(
  kind: Kind,
  field: string,
  { expected, got }: { readonly expected: string; readonly got: unknown },
): void {
  if (got === undefined || got === expected) return;
  throw new TypeError(`expected ${field} ${expected} for ${kindName(kind)}, got ${JSON.stringify(got)}`);
}
