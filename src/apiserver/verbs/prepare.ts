import type { KubeObject } from "../../api/index.ts";
import { type Steps, timestamp } from "../../base/index.ts";
import type { FieldError } from "../../schema/index.ts";
import { parseStored } from "../codec/document.ts";
import { storageKey } from "../storage/storage-key.ts";
import type { Resource, WriteContext } from "../types/resource.ts";
import {
  badRequest,
  conflict,
  invalidObject,
  type StatusError,
  unknownError,
} from "../types/status-error.ts";
import type { WriteOptions } from "../types/write-options.ts";
import { type MetaRules, metaErrors } from "../validation/meta-validation.ts";
import type { Call, Engine } from "./engine.ts";
import { parseUintProblem } from "./resource-version.ts";

/** Returns the server state that the strategy of a kind may need for a write. */
export function writeContext(
  { clock, services, storage }: Engine,
  { request }: Call,
  { dryRun }: Pick<WriteOptions, "dryRun">,
): WriteContext {
  return {
    now: timestamp(clock.now()),
    dryRun,
    user: request.user,
    stored(key) {
      const stored = storage.get(`/registry/${key}`);
      // Only objects are stored.
      return stored && (parseStored(stored.json) as KubeObject);
    },
    storedUnder: (prefix) =>
      // Only objects are stored.
      storage.list(`/registry/${prefix}`).items.map(({ json }) => parseStored(json) as KubeObject),
    allocate: services.allocator(dryRun),
  };
}

/** Throws a `StatusError` if the object has another name than the path. */
export function checkName({ name }: Call, { metadata }: KubeObject): void {
  if (!metadata.name) {
    throw badRequest(
      `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
    );
  }
  if (metadata.name === name) return;
  throw badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${name})`);
}

/** Throws a `StatusError` if the resource version of an object to be created is not a number. */
export function checkVersionText({ metadata: { resourceVersion: text = "" } }: KubeObject): void {
  if (text !== "" && !/^\d+$/.test(text)) throw unknownError(parseUintProblem(text));
}

export interface UidCheck {
  /** Absent if the object does not exist. */
  readonly found?: KubeObject | undefined;
  readonly dryRun: boolean;
}

/** Throws a conflict if the uid of the request is not that of the stored object. */
export function checkUid(call: Call, { metadata: { uid } }: KubeObject, { found, dryRun }: UidCheck): void {
  if (uid && uid !== found?.metadata.uid) throw uidConflict(call, uid, { found, dryRun });
}

/** Returns the conflict of a uid. In a dry run, kube-apiserver omits the prefix of the storage from the key. */
function uidConflict(call: Call, uid: string, { found, dryRun }: UidCheck): StatusError {
  const { resource, namespace, name } = call;
  const key = storageKey(resource, { namespace, name });
  const shownKey = dryRun ? key.replace(/^\/registry/, "") : key;
  const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${found?.metadata.uid ?? ""}`;
  const error = `StorageError: invalid object, Code: 4, Key: ${shownKey}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`;
  return conflict(resource, name, error);
}

/** Sets the namespace of the path. Throws a `StatusError` if the object has another one. */
export function settleNamespace({ resource, namespace }: Call, { metadata }: KubeObject): void {
  if (!resource.namespaced) {
    delete metadata.namespace;
  } else if (!metadata.namespace) {
    metadata.namespace = namespace;
  } else if (metadata.namespace !== namespace) {
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
}

/** Throws a `StatusError` if there are validation errors. */
export function throwIfInvalid(
  { group, kind, strategy }: Resource,
  { metadata }: KubeObject,
  errors: readonly FieldError[],
): void {
  const refused = { group: strategy.refusedAs ?? group, kind };
  if (errors.length > 0) throw invalidObject(refused, metadata.name ?? "", errors);
}

/** Returns the validation errors of an object. */
export function* objectErrors(
  resource: Resource,
  object: KubeObject,
  before?: KubeObject,
): Steps<FieldError[]> {
  const meta = metaErrors(object.metadata, metaRules(resource));
  yield;
  return [...meta, ...(yield* contentErrors(resource, object, before))];
}

/** Returns the validation errors of an object, except those of its metadata. */
export function* contentErrors(
  { codec, strategy }: Resource,
  object: KubeObject,
  before?: KubeObject,
): Steps<FieldError[]> {
  const bySchema = codec.validate(object, before);
  yield;
  const byKind = strategy.validate?.(object) ?? [];
  yield;
  return [...bySchema, ...byKind, ...(before ? [] : (strategy.validateCreate?.(object) ?? []))];
}

/** Groups whose metadata is validated like that of custom kinds. */
const unqualifiedGroups: ReadonlySet<string> = new Set([
  "admissionregistration.k8s.io",
  "apiextensions.k8s.io",
  "apiregistration.k8s.io",
  "coordination.k8s.io",
  "node.k8s.io",
]);

export function metaRules({ custom, group, namespaced, strategy }: Resource): MetaRules {
  return {
    namespaced,
    name: strategy.name ?? "dns-subdomain",
    qualifiedFinalizers: !custom && !unqualifiedGroups.has(group),
  };
}

export function hasStatus({ subresources }: Resource): boolean {
  return subresources.some(({ name }) => name === "status");
}
