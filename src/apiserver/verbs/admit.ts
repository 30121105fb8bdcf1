import type { KubeObject } from "../../api/index.ts";
import { type WaitingSteps, waitFor } from "../../base/index.ts";
import { managersFault } from "../../patch/index.ts";
import type { AdmissionAttributes, GroupVersionKind, Operation } from "../admission/attributes.ts";
import { plainDocument } from "../codec/document.ts";
import { typeMetaProblem } from "../codec/type-meta.ts";
import { StaleError } from "../storage/storage.ts";
import { storageKey } from "../storage/storage-key.ts";
import type { ServerRequest } from "../types/exchange.ts";
import type { Resource } from "../types/resource.ts";
import { internal, unknownError } from "../types/status-error.ts";
import type { Warnings } from "../types/warnings.ts";
import type { WriteOptions } from "../types/write-options.ts";
import { dedupeOwners } from "../validation/owner-references.ts";
import { kindProblem } from "./decode.ts";
import type { Call, Engine } from "./engine.ts";
import { settleNamespace, writeContext } from "./prepare.ts";

/** A write as webhooks see it. */
export interface AdmittedWrite {
  readonly operation: Exclude<Operation, "DELETE">;
  readonly object: KubeObject;
  /** The stored object. Absent in a creation. */
  readonly oldObject?: KubeObject | undefined;
  readonly options: Pick<WriteOptions, "dryRun">;
  /** The resource whose codec decodes patched objects. @default that of the call */
  readonly resource?: Resource | undefined;
  /** Runs the built-in admission again, after a webhook has changed the object. @default none */
  readonly admitAgain?: ((object: KubeObject) => void) | undefined;
}

/** Calls the mutating webhooks of a write. Returns its object with their changes: the same one if there are none. */
export function* admitMutating(engine: Engine, call: Call, write: AdmittedWrite): WaitingSteps<KubeObject> {
  const { admission } = engine;
  const { object, resource = call.resource, admitAgain } = write;
  if (!admission.mutates({ kind: kindOf(call) })) return object;
  const decode = (value: unknown): KubeObject => decodedPatch(resource, value);
  const changed = yield* waitFor(admission.mutate(attributesOf(call, write), { decode, admitAgain }));
  if (!changed || changed === object || !changed.metadata) return object;
  settleNamespace(call, changed); // a webhook must not move the object
  dedupeOwners(changed.metadata, call.warnings, " after mutating admission happens");
  restoreManagers(changed, object, call.warnings);
  return changed;
}

/** Decodes an object that a webhook has patched. */
function decodedPatch(resource: Resource, value: unknown): KubeObject {
  const fault = typeMetaProblem(value);
  if (fault !== undefined) throw internal(fault);
  const wrong = resource.custom ? undefined : kindProblem(resource, value);
  if (wrong !== undefined) throw unknownError(wrong);
  return resource.codec.decode(plainDocument(value)).object;
}

/** Restores the managed fields if a webhook has made them invalid, with a warning. */
function restoreManagers(changed: KubeObject, { metadata }: KubeObject, warnings: Warnings): void {
  const fault = managersFault(changed.metadata.managedFields);
  if (fault === undefined) return;
  changed.metadata.managedFields = metadata.managedFields;
  warnings.add(
    ".metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating " +
      `admission controller; please fix your requests: ${fault}`,
  );
}

/** Calls the validating webhooks of a write. Returns true if it has waited for them. */
export function* admitValidating(
  { admission }: Engine,
  call: Call,
  write: AdmittedWrite,
): WaitingSteps<boolean> {
  if (!admission.validates({ kind: kindOf(call) })) return false;
  yield* waitFor(admission.validate(attributesOf(call, write)));
  return true;
}

export interface AdmittedDeletion {
  readonly oldObject: KubeObject;
  /** The DeleteOptions as webhooks see them. */
  readonly options: object;
  readonly dryRun: boolean;
  /** Empty for each object of a collection. */
  readonly name: string;
}

/** Calls the webhooks of a deletion, the mutating ones first. They can only deny it. */
export function* admitDeletion(
  { admission }: Engine,
  call: Call,
  deletion: AdmittedDeletion,
): WaitingSteps<void> {
  const kind = kindOf(call);
  const attributes: AdmissionAttributes = {
    ...commonAttributes(call),
    ...deletion,
    operation: "DELETE",
    kind,
  };
  const decode = (): never => {
    throw new Error("expected no patch of a deletion, got one");
  };
  if (admission.mutates(attributes)) yield* waitFor(admission.mutate(attributes, { decode }));
  if (admission.validates(attributes)) yield* waitFor(admission.validate(attributes));
}

/**
 * Throws a `StaleError` if another write has taken the allocated addresses while webhooks were called. The write then
 * starts again.
 */
export function requireAllocated(
  engine: Engine,
  call: Call,
  { object, before, options }: AllocatedWrite,
): void {
  const { strategy } = call.resource;
  const context = writeContext(engine, call, options);
  const errors = strategy.allocate?.(structuredClone(object), before, context) ?? [];
  if (errors.length > 0) throw new StaleError(storageKey(call.resource, object.metadata), 0, undefined);
}

interface AllocatedWrite {
  readonly object: KubeObject;
  readonly before?: KubeObject | undefined;
  readonly options: Pick<WriteOptions, "dryRun">;
}

function attributesOf(call: Call, write: AdmittedWrite): AdmissionAttributes {
  const { operation, object, oldObject, options } = write;
  const common = commonAttributes(call);
  const name = common.name || (object.metadata?.name ?? "");
  return {
    ...common,
    operation,
    name,
    namespace: common.namespace || (isNamespace(call) ? name : ""),
    object,
    oldObject,
    options: operation === "CONNECT" ? undefined : optionsOf(call.request, operation),
    dryRun: options.dryRun,
  };
}

type CommonAttributes = Omit<AdmissionAttributes, "operation" | "options" | "dryRun">;

function commonAttributes(call: Call): CommonAttributes {
  const { request, resource, subresource, namespace = "", name, warnings, endsAtMs } = call;
  return {
    resource,
    subresource: subresource?.name ?? "",
    kind: kindOf(call),
    name,
    namespace: namespace || (isNamespace(call) ? name : ""),
    user: request.user,
    warnings,
    signal: request.signal,
    endsAtMs,
  };
}

function isNamespace({ resource }: Call): boolean {
  return resource.group === "" && resource.plural === "namespaces";
}

/** Returns the kind of the request's body. */
function kindOf({ resource, subresource }: Call): GroupVersionKind {
  const { group, version, kind } = subresource ?? resource;
  return { group, version, kind };
}

/** Returns the options of a write as webhooks see them. A patch has UpdateOptions. */
function optionsOf({ query }: ServerRequest, operation: "CREATE" | "UPDATE"): object {
  const [dryRun, manager, validation] = [
    query.getAll("dryRun"),
    query.get("fieldManager"),
    query.get("fieldValidation"),
  ];
  return {
    kind: operation === "CREATE" ? "CreateOptions" : "UpdateOptions",
    apiVersion: "meta.k8s.io/v1",
    ...(dryRun.length > 0 && { dryRun }),
    ...(manager && { fieldManager: manager }),
    ...(validation && { fieldValidation: validation }),
  };
}
