import type { StoredEntry } from "../storage/storage.ts";
import { storageKey } from "../storage/storage-key.ts";
import { badRequest, notFound, unknownError } from "../types/status-error.ts";
import type { Call, Engine } from "./engine.ts";
import { awaitRevision, parseVersion } from "./resource-version.ts";
import type { ObjectResult } from "./verb-result.ts";

/** Handles GET of an object. */
export async function get(engine: Engine, call: Call): Promise<ObjectResult> {
  if (!["0", "false", undefined].includes(call.request.query.get("export")?.toLowerCase())) {
    throw badRequest("the export parameter, deprecated since v1.14, is no longer supported");
  }
  const minRevision = parseVersion(call.request.query.get("resourceVersion"), unknownError);
  await awaitRevision(engine, call.request, minRevision);
  return { type: "object", code: 200, version: find(engine, call) };
}

/** Returns the stored entry of the requested object. Throws a 404 if it does not exist. */
export function find({ storage }: Engine, { resource, namespace, name }: Call): StoredEntry {
  const stored = storage.get(storageKey(resource, { namespace, name }));
  if (!stored) throw notFound(resource, name);
  return stored;
}
