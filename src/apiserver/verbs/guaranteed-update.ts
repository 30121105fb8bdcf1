import type { KubeObject } from "../../api/index.ts";
import { runAtOnce, type Steps, type WaitingSteps, waitFor } from "../../base/index.ts";
import { ignoreManagedFieldsTimestamps } from "../../patch/index.ts";
import { equal, type FieldError, invalid, writeJson } from "../../schema/index.ts";
import { appliedDraft, hiddenDraft, visibleOf } from "../codec/applied-draft.ts";
import { convertAgain } from "../codec/converted-versions.ts";
import { parseStored } from "../codec/document.ts";
import { storable, unstored } from "../codec/object-meta.ts";
import { isStoredIn, versionObject } from "../codec/object-text.ts";
import type { ObjectVersion } from "../codec/object-version.ts";
import { StaleError, type Storage, type StoredEntry } from "../storage/storage.ts";
import { storageKey } from "../storage/storage-key.ts";
import { fieldAt, withField } from "../types/paths.ts";
import type { Resource } from "../types/resource.ts";
import { invalidObject, modified, unknownError } from "../types/status-error.ts";
import type { WriteOptions } from "../types/write-options.ts";
import { metaErrors, metaUpdateErrors, unqualifiedFinalizers } from "../validation/meta-validation.ts";
import { admitMutating, admitValidating, requireAllocated } from "./admit.ts";
import { convertedForStorage } from "./convert.ts";
import { checkCustomKind } from "./decode.ts";
import type { Call, Engine } from "./engine.ts";
import { find } from "./get.ts";
import { contentErrors, hasStatus, metaRules, throwIfInvalid, writeContext } from "./prepare.ts";
import { parseUintProblem } from "./resource-version.ts";

/** An update of a stored object. */
export interface ObjectUpdate {
  readonly options: WriteOptions;
  /** True for a server-side apply. @default false */
  readonly applied?: boolean | undefined;
  /** True if `tryUpdate` does not modify the current object, which is then not copied. @default false */
  readonly readOnly?: boolean | undefined;
  /** Returns the new object, with its managed fields, for the current one. It may modify the current object. */
  tryUpdate(current: KubeObject): WaitingSteps<KubeObject>;
  /** The webhooks of the update. @default those of the resource and subresource */
  readonly admission?: UpdateAdmission | undefined;
}

/** The webhooks of an update. `object` is the new object, `before` the stored one. */
export interface UpdateAdmission {
  /** Returns the object after the mutating webhooks. @default the object */
  mutate?(object: KubeObject, before: KubeObject): WaitingSteps<KubeObject>;
  /** Calls the validating webhooks. Returns true if it has waited for them. */
  validate(object: KubeObject, before: KubeObject): WaitingSteps<boolean>;
}

function admissionOf(engine: Engine, call: Call, options: WriteOptions): UpdateAdmission {
  const operation = "UPDATE";
  return {
    mutate: (object, oldObject) => admitMutating(engine, call, { operation, object, oldObject, options }),
    validate: (object, oldObject) => admitValidating(engine, call, { operation, object, oldObject, options }),
  };
}

/**
 * Updates a stored object by the rules of its kind and subresource. Throws a `StaleError` if the object was changed
 * during a pause; the request is then handled again.
 */
export function* guaranteedUpdate(
  engine: Engine,
  call: Call,
  update: ObjectUpdate,
): WaitingSteps<ObjectVersion> {
  const { options, applied = false, readOnly = false } = update;
  const { admission = admissionOf(engine, call, options) } = update;
  const stored = find(engine, call);
  if (call.resource.converter) yield* waitFor(convertAgain(call.resource, stored));
  const before = versionObject(call.resource, stored);
  yield;
  const current = readOnly ? before : versionObject(call.resource, stored);
  yield;
  const sent = yield* update.tryUpdate(current);
  const updated = admission.mutate ? yield* admission.mutate(sent, before) : sent;
  yield;
  checkVersion(call, updated, before);
  const outcome = { object: updated, before, stored, options, applied };
  return yield* checkAndStore(engine, call, { ...outcome, admission });
}

function* checkAndStore(
  engine: Engine,
  call: Call,
  { admission, ...outcome }: Outcome & { readonly admission: UpdateAdmission },
): WaitingSteps<ObjectVersion> {
  const { before, options } = outcome;
  const { allocate } = call.resource.strategy;
  const checking = prepareAndCheck(engine, call, outcome);
  // Other writes must not run between an allocation and the write that keeps it.
  const object = allocate ? runAtOnce(checking) : yield* checking;
  const waited = yield* admission.validate(object, before);
  if (waited) requireAllocated(engine, call, { object, before, options });
  const converted = yield* convertedForStorage(call.resource, object, options);
  const storing = store(engine, call, { ...outcome, object, converted });
  return allocate ? runAtOnce(storing) : yield* storing;
}

/** Returns the object as it is stored. */
function* prepareAndCheck(engine: Engine, call: Call, outcome: Outcome): Steps<KubeObject> {
  const { before } = outcome;
  const object = prepared(engine, call, outcome);
  yield;
  yield* check(call, object, before);
  warn(call, object, before);
  yield;
  return ignoreManagedFieldsTimestamps({ ...before }, { ...object }) as unknown as KubeObject;
}

/** Adds the warnings of the kind. Updates of a subresource produce none. */
function warn({ resource, subresource, warnings }: Call, object: KubeObject, before: KubeObject): void {
  if (subresource) return;
  for (const warning of resource.strategy.warnings?.(object, before) ?? []) warnings.add(warning);
}

/**
 * Checks the resource version of the request against the current one. Without one, most kinds are updated
 * unconditionally.
 */
function checkVersion({ resource, name }: Call, object: KubeObject, before: KubeObject): void {
  const sent = object.metadata.resourceVersion;
  const current = before.metadata.resourceVersion;
  if (sent && !/^\d+$/.test(sent)) throw unknownError(parseUintProblem(sent));
  if (sent && sent !== "0") {
    if (sent !== current) throw modified(resource, name);
    return;
  }
  if (!(resource.strategy.unconditionalUpdate ?? !resource.custom)) throw versionMissing(resource, name);
  object.metadata.resourceVersion = current;
}

function versionMissing({ group, plural }: Resource, name: string): Error {
  const error = invalid("metadata.resourceVersion", 0, "must be specified for an update");
  return invalidObject({ group, kind: plural }, name, [error]);
}

interface Step {
  readonly object: KubeObject;
  readonly before: KubeObject;
  readonly options: WriteOptions;
}

/**
 * Returns the object with only the changes that the endpoint permits, and with the server's own fields as they were.
 */
function prepared(engine: Engine, call: Call, { object, before, options }: Step): KubeObject {
  const { resource, subresource } = call;
  const next = permittedChanges(call, object, before);
  keepSystemFields(next, before);
  if (subresource?.name === "status") {
    resource.strategy.prepareStatus?.(next, before, writeContext(engine, call, options));
    resource.codec.orderFields?.(next);
    return next;
  }
  if (!subresource) prepareWhole(engine, call, { object: next, before, options });
  if (incrementsGeneration(resource, next, before))
    next.metadata.generation = (before.metadata.generation ?? 0) + 1;
  return next;
}

function prepareWhole(engine: Engine, call: Call, { object, before, options }: Step): void {
  const { strategy } = call.resource;
  const context = writeContext(engine, call, options);
  strategy.prepareUpdate?.(object, before, context);
  throwIfInvalid(call.resource, object, strategy.allocate?.(object, before, context) ?? []);
  call.resource.codec.orderFields?.(object);
}

function permittedChanges(
  { resource, subresource }: Call,
  object: KubeObject,
  before: KubeObject,
): KubeObject {
  if (subresource?.name === "status") return onlyStatus(resource, object, before);
  const part = resource.strategy.parts?.[subresource?.name ?? ""];
  if (part) return part.take(object, before);
  return withOldValues(object, before, hasStatus(resource) ? ["status"] : []);
}

function onlyStatus(resource: Resource, object: KubeObject, before: KubeObject): KubeObject {
  if (!resource.custom) return withOldValues(object, before, resource.strategy.statusKeeps ?? ["spec"]);
  const { resourceVersion, managedFields } = object.metadata;
  const metadata = { ...before.metadata, resourceVersion, managedFields };
  return { ...before, metadata, status: fieldAt(object, ["status"]) } as KubeObject;
}

/** Returns a copy of the object with the old values at these paths: `spec`, `metadata.labels`. */
function withOldValues(object: KubeObject, before: KubeObject, paths: readonly string[]): KubeObject {
  return paths.reduce(
    (result, path) => withField(result, path.split("."), fieldAt(before, path.split("."))),
    object,
  );
}

function keepSystemFields({ metadata }: KubeObject, { metadata: before }: KubeObject): void {
  metadata.uid ||= before.uid;
  metadata.creationTimestamp = before.creationTimestamp;
  metadata.generation = before.generation;
  if (before.deletionTimestamp) metadata.deletionTimestamp = before.deletionTimestamp;
  if (before.deletionGracePeriodSeconds !== undefined) {
    metadata.deletionGracePeriodSeconds ??= before.deletionGracePeriodSeconds;
  }
}

function incrementsGeneration({ strategy }: Resource, object: KubeObject, before: KubeObject): boolean {
  const { generation } = strategy;
  if (generation === undefined) return false;
  if (generation !== "spec") return generation(object, before);
  return !equal(fieldAt(object, ["spec"]), fieldAt(before, ["spec"]));
}

function* check(call: Call, object: KubeObject, before: KubeObject): Steps<void> {
  checkCustomKind(call.resource, object, before);
  throwIfInvalid(call.resource, object, yield* updateErrors(call, object, before));
}

/**
 * Returns the validation errors of an update. Metadata is validated once for every kind and again by the kind, because
 * kube-apiserver reports its errors as often.
 */
function* updateErrors(
  { resource, subresource }: Call,
  object: KubeObject,
  before: KubeObject,
): Steps<FieldError[]> {
  const { strategy } = resource;
  const meta = updatedMetaErrors(resource, object, before);
  yield;
  if (subresource?.name === "status") return [...meta, ...(strategy.validateStatus?.(object, before) ?? [])];
  const part = strategy.parts?.[subresource?.name ?? ""];
  if (part) return [...meta, ...(part.validate?.(object, before) ?? [])];
  const asNew = checkedAsNew.has(`${resource.group}/${resource.kind}`);
  const again = asNew ? metaErrors(object.metadata, metaRules(resource)) : [];
  yield;
  const content = yield* contentErrors(resource, object, before);
  yield;
  return [...meta, ...again, ...content, ...(strategy.validateUpdate?.(object, before) ?? [])];
}

function updatedMetaErrors(resource: Resource, { metadata }: KubeObject, before: KubeObject): FieldError[] {
  const { namespaced } = resource;
  const changes = metaUpdateErrors(metadata, before.metadata);
  const unqualified = metaRules(resource).qualifiedFinalizers ? unqualifiedFinalizers(metadata) : [];
  return [...metaErrors(metadata, { namespaced, ...anyKind }), ...changes, ...changes, ...unqualified];
}

/** The metadata rules that apply to every kind. */
const anyKind = { name: "path-segment", qualifiedFinalizers: false } as const;

/** Kinds whose metadata kube-apiserver validates on updates as on creation, too. */
const checkedAsNew: ReadonlySet<string> = new Set([
  "/ConfigMap",
  "/Endpoints",
  "/Namespace",
  "/Node",
  "/PersistentVolume",
  "/PersistentVolumeClaim",
  "/Pod",
  "/Secret",
  "/ServiceAccount",
  "apps/ControllerRevision",
  "batch/Job",
  "networking.k8s.io/Ingress",
  "networking.k8s.io/IngressClass",
  "rbac.authorization.k8s.io/ClusterRole",
  "rbac.authorization.k8s.io/ClusterRoleBinding",
  "rbac.authorization.k8s.io/Role",
  "rbac.authorization.k8s.io/RoleBinding",
  "storage.k8s.io/StorageClass",
]);

interface Outcome extends Step {
  readonly stored: StoredEntry;
  readonly applied: boolean;
  /** The object in the storage version, if a webhook converts it; in a dry run, converted back again. */
  readonly converted?: KubeObject | undefined;
}

/** Stores the object unless it is unchanged. Removes an object that waited only for its last finalizer. */
function* store(engine: Engine, call: Call, outcome: Outcome): Steps<ObjectVersion> {
  const { stored, options } = outcome;
  const { resource } = call;
  const { storage } = engine;
  if (options.dryRun)
    return { json: writeJson(unstored(visibleObject(resource, outcome))), revision: undefined };
  const next = draftOf(resource, outcome);
  yield;
  const json = writeJson(next);
  yield;
  const unchanged = json === stored.json || equal(next, oldDraft(outcome));
  if (unchanged && !hasOldVersion(resource, stored)) return requireCurrent(storage, stored);
  yield;
  const key = storageKey(resource, next.metadata);
  if (isFullyDeleted(resource, next)) {
    storage.remove(key, stored.revision);
    const { converted, object } = outcome;
    return { json: converted ? writeJson(storable(object)) : json, revision: stored.revision };
  }
  return storage.put(key, { expected: stored.revision, json });
}

/** Returns the object as the response to a dry run contains it. */
function visibleObject({ codec }: Resource, { object, applied, converted }: Outcome): KubeObject {
  return converted ?? (applied ? visibleOf(codec, object) : object);
}

/** Returns the object as it is stored. */
function draftOf(resource: Resource, { object, applied, converted }: Outcome): KubeObject {
  if (converted) return storable(converted);
  return applied ? appliedDraft(resource, object) : storable(object);
}

/** Returns the stored object in the form of `draftOf`. */
function oldDraft({ stored, before, converted }: Outcome): unknown {
  return converted ? parseStored(stored.json) : (hiddenDraft(stored) ?? storable(before));
}

/**
 * Returns true if a custom object is written in its storage version and is stored in another one. Such a write stores
 * the object even if it is unchanged, so that clients can migrate objects to a new storage version.
 */
function hasOldVersion(resource: Resource, { json }: StoredEntry): boolean {
  return resource.definition?.storageVersion === resource.version && !isStoredIn(resource, json);
}

/** Throws a `StaleError` if the object was changed during a pause. */
function requireCurrent(storage: Storage, stored: StoredEntry): StoredEntry {
  const current = storage.get(stored.key);
  if (current?.revision !== stored.revision) throw new StaleError(stored.key, stored.revision, current);
  return stored;
}

/** Returns true if the object is terminating and has no finalizers left. */
function isFullyDeleted({ strategy }: Resource, object: KubeObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = object.metadata;
  if (!deletionTimestamp || finalizers.length > 0 || strategy.deletion?.held(object)) return false;
  return deletionGracePeriodSeconds === 0;
}

/** Replaces a stored object without the checks of its kind. */
export function replaceStored({ storage }: Engine, stored: StoredEntry, object: KubeObject): ObjectVersion {
  return storage.put(stored.key, { expected: stored.revision, json: writeJson(storable(object)) });
}
