import type { KubeObject } from "../api/index.ts";
import { timestamp } from "../base/index.ts";
import type { FieldError } from "../schema/index.ts";
import { type Call, type Engine, storageKey } from "./engine.ts";
import { type MetaRules, metaErrors } from "./meta-validation.ts";
import type { Resource, WriteContext } from "./resource.ts";
import { badRequest, conflict, type StatusError } from "./status-error.ts";
import type { WriteOptions } from "./write-options.ts";

/** What preparing an object may need of the server. */
export function writeContext(
  { clock, allocate }: Engine,
  { dryRun }: Pick<WriteOptions, "dryRun">,
): WriteContext {
  return { now: timestamp(clock.now()), dryRun, allocate };
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

/** A uid that was sent must be that of what is there. */
export function checkUid(
  call: Call,
  { metadata: { uid } }: KubeObject,
  { metadata: current }: KubeObject,
): void {
  if (uid && uid !== current.uid) throw uidConflict(call, uid, current.uid);
}

export function uidConflict({ resource, namespace, name }: Call, asked: string, found: string): StatusError {
  const key = storageKey(resource, { namespace, name });
  const why = `Precondition failed: UID in precondition: ${asked}, UID in object meta: ${found}`;
  const error = `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`;
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

/** All that the kind's rules have against an object. */
export function objectErrors(resource: Resource, object: KubeObject, before?: KubeObject): FieldError[] {
  return [
    ...metaErrors(object.metadata, metaRules(resource)),
    ...resource.codec.validate(object, before),
    ...(resource.strategy.validate?.(object) ?? []),
  ];
}

/** Kinds about the API itself are checked as custom ones are. */
const unqualifiedGroups: ReadonlySet<string> = new Set(["apiextensions.k8s.io", "apiregistration.k8s.io"]);

function metaRules({ custom, group, namespaced, strategy }: Resource): MetaRules {
  return {
    namespaced,
    name: strategy.name ?? "dns-subdomain",
    qualifiedFinalizers: !custom && !unqualifiedGroups.has(group),
  };
}

export function hasStatus({ subresources }: Resource): boolean {
  return subresources.some(({ name }) => name === "status");
}
