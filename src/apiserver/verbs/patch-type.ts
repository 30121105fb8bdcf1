import { type FieldError, forbidden, required } from "../../schema/index.ts";
import { mediaType } from "../codec/media-type.ts";
import { invalidObject, unknownPatchType, unsupportedMediaType } from "../types/status-error.ts";
import { optionErrors, type WriteOptions, writeOptions } from "../types/write-options.ts";
import type { Call } from "./engine.ts";
import { boolean } from "./list-options.ts";

export type PatchType = "json" | "merge" | "strategic" | "apply";

const types: ReadonlyMap<string, PatchType> = new Map([
  ["application/json-patch+json", "json"],
  ["application/merge-patch+json", "merge"],
  ["application/strategic-merge-patch+json", "strategic"],
  ["application/apply-patch+yaml", "apply"],
]);

/**
 * Returns the patch type of a request. Custom kinds do not support strategic merge patches, and their error lists the
 * supported types.
 */
export function patchType({ request, resource }: Call): PatchType {
  const type = types.get(mediaType(request.headers["content-type"] ?? "").type);
  if (type && !(type === "strategic" && resource.custom)) return type;
  if (!resource.custom) throw unknownPatchType();
  throw unsupportedMediaType([...types.keys()].filter((type) => types.get(type) !== "strategic"));
}

export interface PatchOptions extends WriteOptions {
  /** True if an apply takes over fields of other managers. */
  readonly force: boolean;
}

export function patchOptions({ request }: Call, type: PatchType): PatchOptions {
  const { query } = request;
  const errors = [...applyErrors(query, type), ...optionErrors(query)];
  if (errors.length > 0) throw invalidObject({ group: "meta.k8s.io", kind: "PatchOptions" }, "", errors);
  return { ...writeOptions(request, "PatchOptions"), force: boolean(query, "force") ?? false };
}

function applyErrors(query: URLSearchParams, type: PatchType): FieldError[] {
  if (type === "apply") {
    return query.get("fieldManager") ? [] : [required("fieldManager", "is required for apply patch")];
  }
  return query.has("force") ? [forbidden("force", "may not be specified for non-apply patch")] : [];
}
