import type { KubeObject } from "../api/index.ts";
import { type Steps, timestamp } from "../base/index.ts";
import type { FieldError } from "../schema/index.ts";
import { parseStored } from "./document.ts";
import { type Call, type Engine, storageKey } from "./engine.ts";
import { type MetaRules, metaErrors } from "./meta-validation.ts";
import type { Resource, WriteContext } from "./resource.ts";
import { badRequest, conflict, type StatusError, unknownError } from "./status-error.ts";
import { parseUintFault } from "./versions.ts";
import type { WriteOptions } from "./write-options.ts";

/** What preparing an object may need of the server. */
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
      // What is stored was an object when it was written.
      return stored && (parseStored(stored.json) as KubeObject);
    },
    storedUnder: (prefix) =>
      // As above.
      storage.list(`/registry/${prefix}`).items.map(({ json }) => parseStored(json) as KubeObject),
    allocate: services.allocator(dryRun),
  };
}

/** The name in an object must be the one in the path. */
export function checkName({ name }: Call, { metadata }: KubeObject): void {
  if (!metadata.name) {
    throw badRequest(
      `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
    );
  }
  if (metadata.name === name) return;
  throw badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${name})`);
}

/** Of an object that is not there: there is nothing to compare the version with that was sent, but it has to be one. */
export function checkVersionText({ metadata: { resourceVersion: text = "" } }: KubeObject): void {
  if (text !== "" && !/^\d+$/.test(text)) throw unknownError(parseUintFault(text));
}

export interface UidCheck {
  /** Absent where there is no object. */
  readonly found?: KubeObject | undefined;
  readonly dryRun: boolean;
}

/** A uid that was sent must be that of what is there. */
export function checkUid(call: Call, { metadata: { uid } }: KubeObject, { found, dryRun }: UidCheck): void {
  if (uid && uid !== found?.metadata.uid) throw uidConflict(call, uid, { found, dryRun });
}

/** The key is told without the store's own prefix where the store was not reached. */
function uidConflict(call: Call, asked: string, { found, dryRun }: UidCheck): StatusError {
  const { resource, namespace, name } = call;
  const key = storageKey(resource, { namespace, name });
  const shown = dryRun ? key.replace(/^\/registry/, "") : key;
  const why = `Precondition failed: UID in precondition: ${asked}, UID in object meta: ${found?.metadata.uid ?? ""}`;
  const error = `StorageError: invalid object, Code: 4, Key: ${shown}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`;
  return conflict(resource, name, error);
}

/** Gives the object the namespace of the path. One that says another is refused. */
export function settleNamespace({ resource, namespace }: Call, { metadata }: KubeObject): void {
  if (!resource.namespaced) {
    delete metadata.namespace;
  } else if (!metadata.namespace) {
    metadata.namespace = namespace;
  } else if (metadata.namespace !== namespace) {
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
}

/** What an invalid object is refused as. */
export function refusedKind({ group, kind, strategy }: Resource): Pick<Resource, "group" | "kind"> {
  return { group: strategy.refusedAs ?? group, kind };
}

/** All that the kind's rules have against an object. */
export function* objectErrors(
  resource: Resource,
  object: KubeObject,
  before?: KubeObject,
): Steps<FieldError[]> {
  const meta = metaErrors(object.metadata, metaRules(resource));
  yield;
  return [...meta, ...(yield* contentErrors(resource, object, before))];
}

/** The same, but for metadata. */
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

/** Groups whose metadata is checked as that of custom kinds. */
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
