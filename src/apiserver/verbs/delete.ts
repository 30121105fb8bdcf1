import type { KubeObject, ObjectMeta } from "../../api/index.ts";
import { TimeSlice, timestamp, type WaitingSteps, waitFor } from "../../base/index.ts";
import { writeJson } from "../../schema/index.ts";
import { convertAgain } from "../codec/converted-versions.ts";
import { parseStored } from "../codec/document.ts";
import { storable } from "../codec/object-meta.ts";
import { versionObject } from "../codec/object-text.ts";
import type { ObjectVersion } from "../codec/object-version.ts";
import type { StoredEntry } from "../storage/storage.ts";
import type { Resource } from "../types/resource.ts";
import { conflict, forbidden } from "../types/status-error.ts";
import { admitDeletion } from "./admit.ts";
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
  const deletion = await new TimeSlice(engine.clock).run(deleteObject(engine, call, options));
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

interface AdmittedOptions extends DeleteOptions {
  /** True if the request deletes a collection. Webhooks then see no name. @default false */
  readonly collection?: boolean | undefined;
}

/**
 * Deletes an object that the webhooks of its deletion admit. Throws a `StaleError` if it was changed while they were
 * called.
 */
export function* deleteObject(
  engine: Engine,
  call: Call,
  { collection = false, ...options }: AdmittedOptions,
): WaitingSteps<Deletion> {
  const stored = find(engine, call);
  if (call.resource.converter) yield* waitFor(convertAgain(call.resource, stored));
  const before = versionObject(call.resource, stored);
  checkPreconditions(call, before, options);
  checkProtected(call);
  const visible = visibleOptions(call.resource, before, { ...options, collection });
  const admission = { dryRun: options.dryRun, options: visible, name: collection ? "" : call.name };
  yield* admitDeletion(engine, call, { ...admission, oldObject: before });
  return yield* deleteAdmitted(engine, call, {
    stored,
    before,
    options,
    *admitRemoval(terminating) {
      const oldObject = versionObject(call.resource, terminating);
      yield* admitDeletion(engine, call, { ...admission, oldObject });
    },
  });
}

/**
 * Returns the options as webhooks see them: with the grace period of the object, and the uid of a kind that is deleted
 * in two steps. kube-apiserver sets the grace period in the options of a single deletion.
 */
function visibleOptions(
  { strategy }: Resource,
  object: KubeObject,
  { dryRun, collection, ...options }: AdmittedOptions,
): object {
  const { deletionTimestamp, uid } = object.metadata;
  const graceful = !collection && !deletionTimestamp && strategy.graceSeconds;
  const preconditions = strategy.deletion ? { uid, ...options.preconditions } : options.preconditions;
  return {
    kind: "DeleteOptions",
    apiVersion: "meta.k8s.io/v1",
    ...options,
    ...(graceful && { gracePeriodSeconds: graceful(object, options.gracePeriodSeconds) }),
    ...(preconditions && { preconditions }),
    ...(dryRun && { dryRun: ["All"] }),
  };
}

interface AdmittedObject {
  readonly stored: StoredEntry;
  readonly before: KubeObject;
  readonly options: DeleteOptions;
  /** Admits the removal of an object that has been stored as terminating. @default it is admitted */
  admitRemoval?(terminating: StoredEntry): WaitingSteps<void>;
}

/** Deletes an admitted object. */
export function* deleteAdmitted(
  engine: Engine,
  call: Call,
  { stored, before, options, admitRemoval }: AdmittedObject,
): WaitingSteps<Deletion> {
  if (options.propagationPolicy === undefined && options.orphanDependents === undefined) {
    call.warnings.add(call.resource.strategy.orphanWarning ?? "");
  }
  const { object, waits } = markForDeletion(engine, call.resource, { object: before, options });
  if (waits) {
    const draft = call.resource.converter ? inStoredVersion(object, stored) : object;
    return { type: "terminating", object, version: store(engine, { object: draft, stored, options }) };
  }
  const terminating = storeTerminating(engine, call.resource, { object, stored, options });
  if (terminating !== stored && admitRemoval) yield* admitRemoval(terminating);
  const version = remove(engine, call.resource, { object, stored: terminating, options });
  return { type: "deleted", object, version };
}

/** Returns the stored object, of another version, with the metadata of a deletion. */
function inStoredVersion({ metadata }: KubeObject, { json }: StoredEntry): KubeObject {
  // Only objects are stored.
  const stored = parseStored(json) as KubeObject;
  const { labels, annotations } = stored.metadata;
  return { ...stored, metadata: { ...metadata, labels, annotations } };
}

/** Throws a conflict if the object is not the one that the options name. */
export function checkPreconditions(
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

/**
 * Removes an object. The result has the revision of the removal, and the object as stored or as last markForDeletion.
 */
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
