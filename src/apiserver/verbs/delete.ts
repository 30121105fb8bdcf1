import type { KubeObject, ObjectMeta } from "../../api/index.ts";
import { timestamp } from "../../base/index.ts";
import { writeJson } from "../../schema/index.ts";
import { storable } from "../codec/object-meta.ts";
import { type ObjectVersion, versionObject } from "../codec/object-text.ts";
import type { StoredEntry } from "../storage/storage.ts";
import type { Resource } from "../types/resource.ts";
import { conflict, forbidden } from "../types/status-error.ts";
import { type DeleteOptions, deleteOptions } from "./delete-options.ts";
import type { Call, Engine } from "./engine.ts";
import { find } from "./get.ts";
import type { ObjectResult, ValueResult } from "./verb-result.ts";
import { successStatus } from "./verb-result.ts";

/**
 * Handles DELETE of an object: removes it at once, or marks it as terminating until its finalizers and grace period are
 * done.
 */
export async function deleteNamed(engine: Engine, call: Call): Promise<ObjectResult | ValueResult> {
  const options = await deleteOptions(call);
  const deletion = deleteObject(engine, call, options);
  const { resource } = call;
  if (deletion.type === "terminating") {
    const code = options.orphanDependents === false ? 202 : 200;
    return { type: "object", code, version: deletion.version };
  }
  if (resource.strategy.returnsDeleted) return { type: "object", code: 200, version: deletion.version };
  const { group, plural } = resource;
  const { name, uid } = deletion.object.metadata;
  return successStatus({ name, ...(group !== "" && { group }), kind: plural, uid });
}

/** The result of a deletion: the object as it last was, or as it is while terminating. */
export interface Deletion {
  readonly type: "deleted" | "terminating";
  readonly object: KubeObject;
  readonly version: ObjectVersion;
}

export function deleteObject(engine: Engine, call: Call, options: DeleteOptions): Deletion {
  const stored = find(engine, call);
  const before = versionObject(call.resource, stored);
  checkPreconditions(call, before, options);
  checkProtected(call);
  if (options.propagationPolicy === undefined && options.orphanDependents === undefined) {
    call.warnings.add(call.resource.strategy.orphanWarning ?? "");
  }
  const { object, waits } = markForDeletion(engine, call.resource, { object: before, options });
  const version = waits
    ? store(engine, { object, stored, options })
    : remove(engine, call.resource, {
        object,
        stored: storeTerminating(engine, call.resource, { object, stored, options }),
        options,
      });
  return { type: waits ? "terminating" : "deleted", object, version };
}

function checkPreconditions(
  { resource, name }: Call,
  { metadata }: KubeObject,
  { preconditions }: DeleteOptions,
): void {
  const { uid, resourceVersion } = preconditions ?? {};
  const named = { group: resource.group, plural: resource.kind };
  if (uid !== undefined && uid !== metadata.uid) {
    throw conflict(
      named,
      name,
      `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
    );
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    throw conflict(
      named,
      name,
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`,
    );
  }
}

const protectedNamespaces: ReadonlySet<string> = new Set(["default", "kube-system", "kube-public"]);

function checkProtected({ resource, name }: Call): void {
  if (resource.group !== "" || resource.plural !== "namespaces" || !protectedNamespaces.has(name)) return;
  throw forbidden(resource, name, { why: "this namespace may not be deleted" });
}

interface Marking {
  readonly object: KubeObject;
  readonly options: DeleteOptions;
}

interface Marked {
  readonly object: KubeObject;
  readonly waits: boolean;
}

/** Returns the object as it is after the deletion, and whether it has to wait. */
function markForDeletion(engine: Engine, resource: Resource, { object, options }: Marking): Marked {
  const { deletion, graceSeconds } = resource.strategy;
  const finalizers = collectorFinalizers(resource, object, options);
  const grace = graceSeconds?.(object, options.gracePeriodSeconds) ?? 0;
  const next = { ...object, metadata: { ...object.metadata, finalizers } };
  const waits = finalizers.length > 0 || grace > 0 || (deletion?.held(next) ?? false);
  if (deletion) {
    if (!next.metadata.deletionTimestamp) deletion.mark(next, timestamp(engine.clock.now()));
  } else if (waits || graceSeconds) {
    mark(engine, next.metadata, grace);
  }
  return { object: next, waits };
}

/** Marks the object as terminating. A second deletion can only shorten the grace period. */
function mark({ clock }: Engine, metadata: ObjectMeta, grace: number): void {
  const { deletionTimestamp, deletionGracePeriodSeconds: before = 0 } = metadata;
  if (deletionTimestamp !== undefined && grace >= before) return;
  const now = clock.now();
  const sinceMs = deletionTimestamp === undefined ? now : timeOf(deletionTimestamp) - before * 1000;
  metadata.deletionTimestamp = timestamp(Math.max(sinceMs + grace * 1000, now));
  metadata.deletionGracePeriodSeconds = grace;
  if (deletionTimestamp === undefined && metadata.generation) metadata.generation += 1;
}

/** Parses a timestamp that this server wrote. */
function timeOf(text: string): number {
  // biome-ignore lint/style/noRestrictedGlobals: reads a text, not the clock
  return Date.parse(text);
}

/** Returns the finalizers after a deletion with the requested propagation policy. */
function collectorFinalizers(resource: Resource, { metadata }: KubeObject, options: DeleteOptions): string[] {
  const finalizers = metadata.finalizers ?? [];
  const policyFinalizer = collectorFinalizer(resource, finalizers, options);
  const isOther = (one: string): boolean => one !== "orphan" && one !== "foregroundDeletion";
  const others = finalizers.filter(isOther);
  if (policyFinalizer === undefined) return others;
  return finalizers.includes(policyFinalizer)
    ? finalizers.filter((one) => one === policyFinalizer || isOther(one))
    : [...others, policyFinalizer];
}

function collectorFinalizer(
  { strategy }: Resource,
  finalizers: readonly string[],
  { propagationPolicy, orphanDependents }: DeleteOptions,
): string | undefined {
  if (propagationPolicy === "Orphan" || orphanDependents === true) return "orphan";
  if (propagationPolicy === "Foreground") return "foregroundDeletion";
  if (propagationPolicy === "Background" || orphanDependents === false) return undefined;
  const existing = finalizers.find((one) => one === "orphan" || one === "foregroundDeletion");
  return existing ?? (strategy.orphansByDefault ? "orphan" : undefined);
}

interface Outcome {
  readonly object: KubeObject;
  readonly stored: StoredEntry;
  readonly options: DeleteOptions;
}

function store({ storage }: Engine, { object, stored, options }: Outcome): ObjectVersion {
  const json = writeJson(storable(object));
  if (json === stored.json) return stored;
  if (options.dryRun) return { json, revision: stored.revision };
  return storage.put(stored.key, { expected: stored.revision, json });
}

/** Stores an object with a grace period as terminating before it is removed, so that watches see it terminating. */
function storeTerminating(engine: Engine, { strategy }: Resource, outcome: Outcome): StoredEntry {
  const { stored, options } = outcome;
  if (!strategy.graceSeconds || options.dryRun) return stored;
  const { json, revision = stored.revision } = store(engine, outcome);
  return { key: stored.key, json, revision };
}

/** Removes an object. The result has the revision of the removal, and the object as stored or as last markForDeletion. */
function remove(
  { storage }: Engine,
  { strategy }: Resource,
  { object, stored, options }: Outcome,
): ObjectVersion {
  const visibleToWatches = strategy.graceSeconds || strategy.deletion;
  const json = visibleToWatches ? writeJson(storable(object)) : stored.json;
  if (options.dryRun) return { json, revision: stored.revision };
  return { json, revision: storage.remove(stored.key, stored.revision).revision };
}
