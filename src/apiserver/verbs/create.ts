import type { KubeObject, ObjectMeta } from "../../api/index.ts";
import { runAtOnce, type Steps, TimeSlice, timestamp, uuid, type WaitingSteps } from "../../base/index.ts";
import { writeJson } from "../../schema/index.ts";
import { appliedDraft, visibleOf } from "../codec/applied-draft.ts";
import type { Body } from "../codec/document.ts";
import { storable, unstored } from "../codec/object-meta.ts";
import type { ObjectVersion } from "../codec/object-version.ts";
import { markedCopy } from "../codec/sent-empty.ts";
import { StaleError, type StoredEntry } from "../storage/storage.ts";
import { storageKey } from "../storage/storage-key.ts";
import {
  alreadyExists,
  forbidden,
  namesExhausted,
  StatusError,
  unknownError,
} from "../types/status-error.ts";
import { type WriteOptions, writeOptions } from "../types/write-options.ts";
import { generateName } from "../validation/generate-name.ts";
import { dedupeOwners } from "../validation/owner-references.ts";
import { admitMutating, admitValidating, requireAllocated } from "./admit.ts";
import { convertedForStorage } from "./convert.ts";
import { callBody, checkCustomKind, decodeObject } from "./decode.ts";
import type { Call, Engine } from "./engine.ts";
import { withManagers } from "./field-managers.ts";
import { checkNamespace } from "./namespaces.ts";
import { hasStatus, objectErrors, settleNamespace, throwIfInvalid, writeContext } from "./prepare.ts";
import type { ObjectResult } from "./verb-result.ts";

/** Handles POST: creates an object. */
export async function create(engine: Engine, call: Call): Promise<ObjectResult> {
  const options = writeOptions(call.request, "CreateOptions");
  const slice = new TimeSlice(engine.clock);
  const body = await callBody(call);
  if (slice.over) await slice.pause();
  return slice.run(decodeAndCreate(engine, call, { body, options }));
}

interface Sent {
  readonly body: Body;
  readonly options: WriteOptions;
}

function* decodeAndCreate(engine: Engine, call: Call, { body, options }: Sent): WaitingSteps<ObjectResult> {
  const object = decodeObject(call, body, options.fieldValidation);
  yield;
  removeServerFields(object.metadata);
  settleNamespace(call, object);
  dedupeOwners(object.metadata, call.warnings);
  const owned = yield* withManagers(engine, call, { next: object, options });
  yield;
  const version = yield* createObject(engine, call, { object: owned, options });
  return { type: "object", code: 201, version };
}

/** Removes the fields that only the server sets. */
function removeServerFields(metadata: ObjectMeta): void {
  for (const field of serverFields) Reflect.deleteProperty(metadata, field);
}

const serverFields = [
  "uid",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "selfLink",
];

export interface Creation {
  /** The decoded object, with its namespace and managed fields. */
  readonly object: KubeObject;
  readonly options: WriteOptions;
  /** True for a server-side apply, which ignores the resource version. @default false */
  readonly applied?: boolean | undefined;
  /**
   * True for a write that updates the object if it exists. If the object was created during a pause, the write is then
   * stale, in place of a conflict. @default false
   */
  readonly upsert?: boolean | undefined;
}

/**
 * Stores a new object. A generated name that is taken is generated again, a few times. Throws a `StaleError` if an
 * object of this name was created during a pause.
 */
export function* createObject(engine: Engine, call: Call, sent: Creation): WaitingSteps<ObjectVersion> {
  checkNamespace(engine, call.resource, sent.object);
  admit(engine, call, sent);
  const creation = { ...sent, object: yield* mutated(engine, call, sent) };
  const { metadata } = creation.object;
  metadata.uid = uuid(engine.rng);
  metadata.creationTimestamp = timestamp(engine.clock.now());
  if (metadata.name || !metadata.generateName) return yield* store(engine, call, creation);
  return yield* storeUnderNewName(engine, call, creation);
}

/** Returns the new object after the mutating webhooks. */
function* mutated(engine: Engine, call: Call, { object, options }: Creation): WaitingSteps<KubeObject> {
  return yield* admitMutating(engine, call, {
    operation: "CREATE",
    object,
    options,
    admitAgain: (changed) => admit(engine, call, { object: changed, options }),
  });
}

/** Runs the built-in admission, before a name is generated. */
function admit(engine: Engine, call: Call, { object, options }: Creation): void {
  const { resource } = call;
  const { name, generateName: start = "" } = object.metadata;
  const why = resource.strategy.admit?.(object, writeContext(engine, call, options));
  if (why !== undefined) throw forbidden(resource, name || start, { why });
}

const maxAttempts = 8;

function* storeUnderNewName(
  engine: Engine,
  call: Call,
  { object, ...rest }: Creation,
): WaitingSteps<ObjectVersion> {
  for (let attempt = 1; ; attempt += 1) {
    const draft = markedCopy(object);
    draft.metadata.name = generateName(engine.rng, draft.metadata.generateName ?? "");
    try {
      return yield* store(engine, call, { object: draft, ...rest });
    } catch (error) {
      if (!(error instanceof StatusError) || error.reason !== "AlreadyExists") throw error;
      if (attempt >= maxAttempts) throw namesExhausted(call.resource, draft.metadata.name);
    }
  }
}

function* store(engine: Engine, call: Call, creation: Creation): WaitingSteps<ObjectVersion> {
  const { strategy } = call.resource;
  const prepared = prepareAndCheck(engine, call, creation);
  // Other writes must not run between an allocation and the write that keeps it.
  if (strategy.allocate) runAtOnce(prepared);
  else yield* prepared;
  const { object, options } = creation;
  const waited = yield* admitValidating(engine, call, { operation: "CREATE", object, options });
  if (waited) requireAllocated(engine, call, { object, options });
  const converted = yield* convertedForStorage(call.resource, object, options);
  const stored = put(engine, call, { ...creation, converted });
  return strategy.allocate ? runAtOnce(stored) : yield* stored;
}

function* prepareAndCheck(engine: Engine, call: Call, { object, options }: Creation): Steps<void> {
  prepare(engine, call, { object, options });
  yield;
  yield* check(call, object);
  yield;
  for (const warning of call.resource.strategy.warnings?.(object) ?? []) call.warnings.add(warning);
  yield;
}

interface CheckedCreation extends Creation {
  /** The object in the storage version, if a webhook converts it; in a dry run, converted back again. */
  readonly converted: KubeObject | undefined;
}

/** Stores a checked object. */
function* put(engine: Engine, call: Call, creation: CheckedCreation): Steps<ObjectVersion> {
  const { object, options, applied = false, converted } = creation;
  if (!options.dryRun && !applied && hasVersion(object)) {
    throw unknownError("resourceVersion should not be set on objects to be created");
  }
  const key = storageKey(call.resource, object.metadata);
  requireAbsent(engine.storage.get(key), call, creation);
  if (options.dryRun) {
    const visible = converted ?? (applied ? visibleOf(call.resource.codec, object) : object);
    return { json: writeJson(unstored(visible)), revision: undefined };
  }
  const draft = applied && !converted ? appliedDraft(call.resource, object) : storable(converted ?? object);
  yield;
  const json = writeJson(draft);
  yield;
  requireAbsent(engine.storage.get(key), call, creation); // it may have been created during a pause
  return engine.storage.put(key, { expected: 0, json });
}

/** Throws if the object exists: a `StaleError` for a write that then updates it, else a conflict. */
function requireAbsent(existing: StoredEntry | undefined, { resource }: Call, creation: Creation): void {
  if (!existing) return;
  if (creation.upsert) throw new StaleError(existing.key, 0, existing);
  const why = existing.json.includes('"deletionTimestamp"') ? "object is being deleted: " : "";
  throw alreadyExists(resource, creation.object.metadata.name, why);
}

/** Returns true if the object has a resource version. A text that is not a number is ignored. */
function hasVersion({ metadata: { resourceVersion = "" } }: KubeObject): boolean {
  return /^\d+$/.test(resourceVersion) && !/^0+$/.test(resourceVersion);
}

function prepare(engine: Engine, call: Call, { object, options }: Creation): void {
  const { resource } = call;
  const { strategy } = resource;
  if (hasStatus(resource) && !strategy.keepsStatusOnCreate) resetStatus(object, resource.codec.blank());
  if (strategy.generation) object.metadata.generation = 1;
  const context = writeContext(engine, call, options);
  strategy.prepareCreate?.(object, context);
  // An object that is created through its status subresource gets no allocations.
  if (!call.subresource)
    throwIfInvalid(resource, object, strategy.allocate?.(object, undefined, context) ?? []);
  resource.codec.orderFields?.(object);
}

function resetStatus(
  object: KubeObject & { status?: unknown },
  blank: KubeObject & { status?: unknown },
): void {
  if (blank.status === undefined) delete object.status;
  else object.status = blank.status;
}

function* check({ resource }: Call, object: KubeObject): Steps<void> {
  checkCustomKind(resource, object);
  throwIfInvalid(resource, object, yield* objectErrors(resource, object));
}
