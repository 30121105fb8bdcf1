import type { KubeObject } from "../../api/index.ts";
import { timestamp } from "../../base/index.ts";
import { writeJson } from "../../schema/index.ts";
import { parseStored } from "../codec/document.ts";
import { storable } from "../codec/object-meta.ts";
import type { StoredEntry } from "../storage/storage.ts";
import type { Engine } from "../verbs/engine.ts";

/**
 * Deletes all objects under a prefix. Objects with finalizers are only marked as deleted; they are removed with their
 * last finalizer.
 */
export function deleteInstances(engine: Engine, prefix: string): void {
  for (const stored of engine.storage.list(prefix).items) deleteInstance(engine, stored);
}

function deleteInstance({ storage, clock }: Engine, { key, revision, json }: StoredEntry): void {
  // Only objects are stored under the prefix.
  const object = parseStored(json) as KubeObject;
  const { metadata } = object;
  if (metadata.deletionTimestamp) return;
  if ((metadata.finalizers ?? []).length === 0) {
    storage.remove(key, revision);
    return;
  }
  metadata.deletionTimestamp = timestamp(clock.now());
  metadata.deletionGracePeriodSeconds = 0;
  metadata.generation = (metadata.generation ?? 0) + 1;
  storage.put(key, { expected: revision, json: writeJson(storable(object)) });
}
