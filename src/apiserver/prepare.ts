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
  { clock, services }: Engine,
  { dryRun }: Pick<WriteOptions, "dryRun">,
): WriteContext {
  return { now: timestamp(clock.now()), dryRun, allocate: services.allocator() };
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

/** @param found nothing where there is no object: the key is told without the store's own prefix then. */
export function uidConflict(call: Call, asked: string, found: string | undefined): StatusError {
  const { resource, namespace, name } = call;
  const key = storageKey(resource, { namespace, name });
  const shown = found === undefined ? key.replace(/^\/registry/, "") : key;
  const why = `Precondition failed: UID in precondition: ${asked}, UID in object meta: ${found ?? ""}`;
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

/** All that the kind's rules have against an object. */
export function objectErrors(resource: Resource, object: KubeObject, before?: KubeObject): FieldError[] {
  return [
    ...metaErrors(object.metadata, metaRules(resource)),
    ...resource.codec.validate(object, before),
    ...(resource.strategy.validate?.(object) ?? []),
  ];
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
