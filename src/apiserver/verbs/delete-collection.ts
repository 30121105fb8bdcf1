import type { KubeObject } from "../../api/index.ts";
import { TimeSlice, type WaitingSteps } from "../../base/index.ts";
import { parseStored } from "../codec/document.ts";
import { StaleError, type StoredEntry } from "../storage/storage.ts";
import { StatusError } from "../types/status-error.ts";
import { selectionOf } from "../watch/selection.ts";
import { deleteObject } from "./delete.ts";
import { type DeleteOptions, deleteOptions } from "./delete-options.ts";
import type { Call, Engine } from "./engine.ts";
import { metadataOf, pageOf } from "./list.ts";
import { listOptions } from "./list-options.ts";
import type { ListResult } from "./verb-result.ts";

/** Handles DELETE of a collection: deletes each selected object like a single one. Returns the objects as they were. */
export async function deleteCollection(engine: Engine, call: Call): Promise<ListResult> {
  const { query } = call.request;
  const { limit } = listOptions(query, { watch: false });
  const selection = selectionOf(call.resource, query);
  const options = await deleteOptions(call);
  const page = await pageOf(engine, call, {
    selection,
    start: { revision: undefined },
    limit: limit || Number.POSITIVE_INFINITY,
  });
  const slice = new TimeSlice(engine.clock);
  for (const stored of page.items) {
    await slice.run(deleteOne(engine, call, { stored, options }));
    if (slice.over) await slice.pause();
  }
  return { type: "list", metadata: metadataOf(call, page), items: page.items };
}

function* deleteOne(
  engine: Engine,
  call: Call,
  { stored, options }: { stored: StoredEntry; options: DeleteOptions },
): WaitingSteps<void> {
  const { metadata } = parseStored(stored.json) as KubeObject;
  const one = { ...call, namespace: metadata.namespace, name: metadata.name };
  for (;;) {
    try {
      yield* deleteObject(engine, one, { ...options, collection: true });
      return;
    } catch (error) {
      // Another request has already deleted the object.
      if (error instanceof StatusError && error.code === 404) return;
      // Another request has changed the object while webhooks were called.
      if (!(error instanceof StaleError)) throw error;
    }
  }
}
