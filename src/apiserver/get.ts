import type { ObjectAnswer } from "./answer.ts";
import { type Call, type Engine, storageKey } from "./engine.ts";
import { badRequest, notFound, unexplained } from "./status-error.ts";
import type { Stored } from "./storage.ts";
import { awaitRevision, parseVersion } from "./versions.ts";

/** GET of an object. */
export async function get(engine: Engine, call: Call): Promise<ObjectAnswer> {
  if (!["0", "false", undefined].includes(call.request.query.get("export")?.toLowerCase())) {
    throw badRequest("the export parameter, deprecated since v1.14, is no longer supported");
  }
  const wanted = parseVersion(call.request.query.get("resourceVersion"), unexplained);
  await awaitRevision(engine, call.request, wanted);
  return { type: "object", code: 200, version: find(engine, call) };
}

/** What is stored under the name that was called, or the refusal that there is nothing. */
export function find({ storage }: Engine, { resource, namespace, name }: Call): Stored {
  const stored = storage.get(storageKey(resource, { namespace, name }));
  if (!stored) throw notFound(resource, name);
  return stored;
}
