import { isTrue, type KubeObject, type ManagedFieldsEntry } from "../../api/index.ts";
import {
  CustomResourceDefinition,
  type CustomResourceDefinitionStatus,
} from "../../api/types/apiextensions/v1.ts";
import { runAtOnce, timestamp } from "../../base/index.ts";
import { equal, writeJson } from "../../schema/index.ts";
import { parseStored } from "../codec/document.ts";
import { storable } from "../codec/object-meta.ts";
import type { StoredEntry } from "../storage/storage.ts";
import type { Resource, Strategy } from "../types/resource.ts";
import { forbidden } from "../types/status-error.ts";
import type { Engine } from "../verbs/engine.ts";
import { withManagers } from "../verbs/field-managers.ts";
import { acceptNames } from "./accepted-names.ts";
import { type ConditionState, withStoredCondition } from "./conditions.ts";
import { conversionWebhook } from "./conversion-webhook.ts";
import { cleanupFinalizer, definitionResource } from "./definition-resource.ts";
import { deleteInstances } from "./delete-instances.ts";
import { customPrefix, resourceFromDefinition } from "./resource-from-definition.ts";

/**
 * Serves the resources that CustomResourceDefinitions define. Call it once the built-in resources are registered.
 * Disposing the result stops watching the definitions; the resources that are served at that time stay registered.
 *
 * A definition takes effect after its write has returned and before the next request is handled: the response to the
 * write has the definition as sent, and the next read returns it established.
 */
export function serveCustomResources(engine: Engine): Disposable {
  const builtin = engine.registry.get(definitions);
  if (!builtin) throw new Error("expected customresourcedefinitions to be registered, got none");
  const resource = definitionResource(builtin);
  engine.registry.add(resource);
  return new CustomResources(engine, resource);
}

const { group, version, plural = "customresourcedefinitions" } = CustomResourceDefinition;
const definitions = { group, version, plural };

class CustomResources implements Disposable {
  readonly #engine: Engine;
  /** The resource of the definitions themselves. */
  readonly #definitions: Resource;
  readonly #changes: Disposable;
  /** The resources of each definition, by storage key. */
  readonly #served = new Map<string, Served>();
  #syncScheduled = false;
  #closed = false;

  constructor(engine: Engine, definitions: Resource) {
    this.#engine = engine;
    this.#definitions = definitions;
    this.#changes = engine.storage.onChange(definitions.storagePrefix, () => this.#scheduleSync());
    this.#sync();
  }

  [Symbol.dispose](): void {
    this.#closed = true;
    this.#changes[Symbol.dispose]();
    for (const { instances } of this.#served.values()) instances[Symbol.dispose]();
  }

  /** Schedules one sync for all changes of the current turn of the event loop. The sync never runs inside a write. */
  #scheduleSync(): void {
    if (this.#syncScheduled) return;
    this.#syncScheduled = true;
    queueMicrotask(() => {
      this.#syncScheduled = false;
      if (!this.#closed) this.#sync();
    });
  }

  /**
   * Brings every definition one step closer to its desired state. Each write of a definition schedules another sync.
   */
  #sync(): void {
    const found = this.#engine.storage.list(this.#definitions.storagePrefix).items;
    this.#stopServing(new Set(found.map(({ key }) => key)));
    // Objects under this prefix are validated before they are stored.
    const parsed = found.map((stored) => ({
      stored,
      crd: parseStored(stored.json) as CustomResourceDefinition,
    }));
    for (const { stored, crd } of parsed) {
      const others = parsed.filter((one) => one.stored !== stored).map((one) => one.crd);
      if (this.#syncDefinition(stored, crd, others)) return;
    }
  }

  /**
   * Performs the next step for a definition. Returns true if the definition was written, so that the sync starts over.
   */
  #syncDefinition(
    stored: StoredEntry,
    crd: CustomResourceDefinition,
    others: readonly CustomResourceDefinition[],
  ): boolean {
    const status = crd.metadata.deletionTimestamp
      ? this.#terminatingStatus(crd)
      : this.#statusWithNames(crd, others);
    if (!equal(status, crd.status ?? {})) return this.#store(stored, { ...crd, status });
    if (this.#isCleanedUp(crd)) return this.#removeCleanupFinalizer(stored, crd);
    this.#serve(stored, crd);
    return false;
  }

  /**
   * Returns the status with the accepted names. The definition is established in the step after its names are accepted.
   */
  #statusWithNames(
    crd: CustomResourceDefinition,
    others: readonly CustomResourceDefinition[],
  ): CustomResourceDefinitionStatus {
    const { accepted, condition } = acceptNames(crd, others);
    const named = this.#statusWith(crd, condition);
    const established = establishment(crd, condition);
    const conditions = established
      ? this.#statusWith({ ...crd, status: named }, established).conditions
      : named.conditions;
    return { ...named, acceptedNames: accepted, ...(conditions && { conditions }) };
  }

  /** Returns the status of a definition that is being deleted, and deletes its instances. */
  #terminatingStatus(crd: CustomResourceDefinition): CustomResourceDefinitionStatus {
    if (!crd.metadata.finalizers?.includes(cleanupFinalizer)) return crd.status ?? {};
    if (!isDeletingInstances(crd)) return this.#statusWith(crd, deleting);
    deleteInstances(this.#engine, customPrefix(crd.spec));
    return crd.status ?? {};
  }

  /** Returns true if the definition is being deleted and has no instances left. */
  #isCleanedUp({ spec, metadata }: CustomResourceDefinition): boolean {
    if (!metadata.deletionTimestamp || !metadata.finalizers?.includes(cleanupFinalizer)) return false;
    return this.#engine.storage.list(customPrefix(spec), { limit: 1 }).items.length === 0;
  }

  /** Removes the cleanup finalizer, and with the last finalizer the definition. Returns true. */
  #removeCleanupFinalizer(stored: StoredEntry, crd: CustomResourceDefinition): boolean {
    const finalizers = crd.metadata.finalizers?.filter((one) => one !== cleanupFinalizer) ?? [];
    if (finalizers.length === 0) this.#engine.storage.remove(stored.key, stored.revision);
    else
      this.#store(stored, {
        ...crd,
        status: this.#statusWith(crd, deleted),
        metadata: { ...crd.metadata, finalizers },
      });
    return true;
  }

  #statusWith(
    { status }: CustomResourceDefinition,
    condition: ConditionState,
  ): CustomResourceDefinitionStatus {
    const now = timestamp(this.#engine.clock.now());
    return { ...status, conditions: withStoredCondition(status?.conditions ?? [], condition, now) };
  }

  /** Stores a definition as an update of its status by the server. */
  #store({ key, revision, json }: StoredEntry, crd: CustomResourceDefinition): true {
    const live = parseStored(json) as CustomResourceDefinition;
    const managedFields = this.#managedFields(live, crd);
    const metadata = { ...crd.metadata, ...(managedFields && { managedFields }) };
    this.#engine.storage.put(key, { expected: revision, json: writeJson(storable({ ...crd, metadata })) });
    return true;
  }

  /** Returns the managed fields after an update of the status. The spec, which may be large, is not compared. */
  #managedFields(
    live: CustomResourceDefinition,
    next: CustomResourceDefinition,
  ): ManagedFieldsEntry[] | undefined {
    const subresource = this.#definitions.subresources.find(({ name }) => name === "status");
    const target = { resource: this.#definitions, subresource };
    const tracked = { live: withoutSpec(live), next: withoutSpec(next), options: { manager } };
    return runAtOnce(withManagers(this.#engine, target, tracked)).metadata.managedFields;
  }

  #serve({ key }: StoredEntry, crd: CustomResourceDefinition): void {
    if (!isTrue(crd.status?.conditions, "Established")) return;
    const source = servedPart(crd);
    const before = this.#served.get(key);
    if (before && equal(before.source, source)) return;
    const { storage } = this.#engine;
    const context = { revision: storage.revision, webhook: conversionWebhook(this.#engine, crd) };
    const resources = crd.spec.versions
      .filter(({ served }) => served)
      .map((one) => this.#withTerminationCheck(key, resourceFromDefinition(crd, one, context)));
    for (const one of resources) this.#engine.registry.add(one);
    for (const one of before?.resources ?? []) {
      if (!resources.some(({ version }) => version === one.version)) this.#engine.registry.remove(one);
    }
    before?.instances[Symbol.dispose]();
    this.#served.set(key, { source, resources, instances: this.#watchInstances(crd) });
  }

  /**
   * Syncs when an instance is removed. The subscription is made after those of the watches, so that watches send the
   * last event before they end.
   */
  #watchInstances({ spec }: CustomResourceDefinition): Disposable {
    return this.#engine.storage.onChange(customPrefix(spec), ({ after }) => {
      if (!after) this.#scheduleSync();
    });
  }

  /** Returns the resource with a strategy that rejects creates while its definition is being deleted. */
  #withTerminationCheck(key: string, resource: Resource): Resource {
    const refuse: Strategy["prepareCreate"] = ({ metadata }) => {
      if (!this.#engine.storage.get(key)?.json.includes('"deletionTimestamp":"')) return;
      throw forbidden(resource, metadata.name, {
        why: "create not allowed while custom resource definition is terminating",
      });
    };
    return { ...resource, strategy: { ...resource.strategy, prepareCreate: refuse } };
  }

  /** Stops serving the resources of removed definitions. */
  #stopServing(remaining: ReadonlySet<string>): void {
    for (const [key, { resources, instances }] of this.#served) {
      if (remaining.has(key)) continue;
      instances[Symbol.dispose]();
      for (const one of resources) this.#engine.registry.remove(one);
      this.#served.delete(key);
    }
  }
}

interface Served {
  /** The parts of the definition that the resources are made from. */
  readonly source: unknown;
  readonly resources: readonly Resource[];
  /** The subscription to removals of instances. */
  readonly instances: Disposable;
}

/** The field manager of the server's own writes. */
const manager = "kube-apiserver";

function withoutSpec({ spec: _, ...rest }: CustomResourceDefinition): KubeObject {
  return rest;
}

function servedPart({ spec, status, metadata }: CustomResourceDefinition): unknown {
  return { spec, names: status?.acceptedNames, uid: metadata.uid };
}

/**
 * Returns the next `Established` condition, given the condition of the names, or `undefined` if the definition is
 * established already.
 */
function establishment(crd: CustomResourceDefinition, names: ConditionState): ConditionState | undefined {
  if (isTrue(crd.status?.conditions, "Established")) return undefined;
  if (names.status !== "True") return notAccepted;
  return isTrue(crd.status?.conditions, "NamesAccepted") ? established : installing;
}

const notAccepted: ConditionState = {
  type: "Established",
  status: "False",
  reason: "NotAccepted",
  message: "not all names are accepted",
};

const installing: ConditionState = {
  type: "Established",
  status: "False",
  reason: "Installing",
  message: "the initial names have been accepted",
};

const established: ConditionState = {
  type: "Established",
  status: "True",
  reason: "InitialNamesAccepted",
  message: "the initial names have been accepted",
};

const deleting: ConditionState = {
  type: "Terminating",
  status: "True",
  reason: "InstanceDeletionInProgress",
  message: "CustomResource deletion is in progress",
};

const deleted: ConditionState = {
  type: "Terminating",
  status: "False",
  reason: "InstanceDeletionCompleted",
  message: "removed all instances",
};

function isDeletingInstances({ status }: CustomResourceDefinition): boolean {
  return status?.conditions?.some(({ reason }) => reason === deleting.reason) ?? false;
}
