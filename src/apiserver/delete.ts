import type { KubeObject } from "../api/index.ts";
import { timestamp } from "../base/index.ts";
import type { ObjectAnswer, PlainAnswer } from "./answer.ts";
import { success } from "./answer.ts";
import { type DeleteOptions, deleteOptions } from "./delete-options.ts";
import { type Call, type Engine, storageKey } from "./engine.ts";
import { find } from "./get.ts";
import { storable } from "./object-meta.ts";
import { type Version, versionObject } from "./object-text.ts";
import { writeContext } from "./prepare.ts";
import type { Resource } from "./resource.ts";
import { conflict, forbidden } from "./status-error.ts";
import type { Stored } from "./storage.ts";
import { writeJson } from "./write-json.ts";

/** DELETE of an object: it goes at once, or waits for its finalizers and its grace. */
export async function deleteNamed(engine: Engine, call: Call): Promise<ObjectAnswer | PlainAnswer> {
  const options = await deleteOptions(call);
  const deletion = deleteObject(engine, call, options);
  const { resource } = call;
  if (deletion.type === "waiting") {
    const code = options.orphanDependents === false ? 202 : 200;
    return { type: "object", code, version: deletion.version };
  }
  if (resource.strategy.returnsDeleted) return { type: "object", code: 200, version: deletion.version };
  const { group, plural } = resource;
  const { name, uid } = deletion.object.metadata;
  return success({ name, ...(group !== "" && { group }), kind: plural, uid });
}

export type Deletion =
  | { readonly type: "gone"; readonly object: KubeObject; readonly version: Version }
  | { readonly type: "waiting"; readonly version: Version };

export function deleteObject(engine: Engine, call: Call, options: DeleteOptions): Deletion {
  const stored = find(engine, call);
  const object = versionObject(call.resource, stored);
  checkPreconditions(call, object, options);
  checkProtected(call);
  const marked = markedForDeletion(engine, call.resource, { object, options });
  if (marked) return { type: "waiting", version: store(engine, call, { marked, stored, options }) };
  if (!options.dryRun) engine.storage.remove(stored.key, stored.revision);
  return { type: "gone", object, version: stored };
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

/** The object as it waits to go, or nothing if it may go at once. */
function markedForDeletion(
  engine: Engine,
  resource: Resource,
  { object, options }: Marking,
): KubeObject | undefined {
  const { strategy } = resource;
  const finalizers = collectorFinalizers(resource, object, options);
  const grace = strategy.graceSeconds?.(object, options.gracePeriodSeconds) ?? 0;
  const next = { ...object, metadata: { ...object.metadata, finalizers } };
  if (finalizers.length === 0 && grace === 0 && !strategy.deletion?.held(next)) return undefined;
  if (!strategy.deletion) mark(engine, next, grace);
  else if (!next.metadata.deletionTimestamp) strategy.deletion.mark(next, writeContext(engine, options));
  return next;
}

/** A second deletion can only make the wait shorter. */
function mark({ clock }: Engine, { metadata }: KubeObject, grace: number): void {
  const marked = metadata.deletionTimestamp !== undefined;
  if (marked && grace >= (metadata.deletionGracePeriodSeconds ?? 0)) return;
  metadata.deletionTimestamp = timestamp(clock.now() + grace * 1000);
  metadata.deletionGracePeriodSeconds = grace;
  if (!marked && metadata.generation) metadata.generation += 1;
}

/** The finalizers the object has once it is deleted in the way that was asked for. */
function collectorFinalizers(resource: Resource, { metadata }: KubeObject, options: DeleteOptions): string[] {
  const finalizers = metadata.finalizers ?? [];
  const wanted = collectorFinalizer(resource, finalizers, options);
  const others = finalizers.filter((one) => one !== "orphan" && one !== "foregroundDeletion");
  if (wanted === undefined) return others;
  return finalizers.includes(wanted)
    ? finalizers.filter((one) => one === wanted || others.includes(one))
    : [...others, wanted];
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

function store(
  { storage }: Engine,
  { resource }: Call,
  { marked, stored, options }: { marked: KubeObject; stored: Stored; options: DeleteOptions },
): Version {
  const json = writeJson(storable(marked));
  if (json === stored.json) return stored;
  if (options.dryRun) return { json, revision: stored.revision };
  return storage.put(storageKey(resource, marked.metadata), { expected: stored.revision, json });
}
