import {
  CustomResourceDefinition,
  type CustomResourceDefinitionStatus,
} from "../../api/types/apiextensions/v1.ts";
import { timestamp } from "../../base/index.ts";
import { equal } from "../../schema/index.ts";
import { parseStored } from "../document.ts";
import type { Engine } from "../engine.ts";
import { storable } from "../object-meta.ts";
import type { Resource, Strategy } from "../resource.ts";
import { forbidden } from "../status-error.ts";
import type { StoredEntry } from "../storage.ts";
import { writeJson } from "../write-json.ts";
import { type ConditionState, holds, withCondition } from "./conditions.ts";
import { customPrefix, resourceFromDefinition } from "./custom-resource.ts";
import { cleanupFinalizer, definitionResource } from "./definition-resource.ts";
import { deleteInstances } from "./instances.ts";
import { nameDefinition } from "./names.ts";

/**
 * Serves what CustomResourceDefinitions define, for as long as they do. To be called once the built-in kinds are
 * registered. Disposing it ends that; what is served then stays.
 *
 * A definition is acted on after the write of it has returned and before anything else can be asked: its answer is
 * the definition as sent, and the next read finds it established.
 */
export function serveCustomKinds(engine: Engine): Disposable {
  const builtin = engine.registry.get(definitions);
  if (!builtin) throw new Error("expected customresourcedefinitions to be registered, got none");
  const resource = definitionResource(builtin);
  engine.registry.add(resource);
  return new CustomKinds(engine, resource.storagePrefix);
}

const { group, version, plural = "customresourcedefinitions" } = CustomResourceDefinition;
const definitions = { group, version, plural };

class CustomKinds implements Disposable {
  readonly #engine: Engine;
  readonly #prefix: string;
  readonly #changes: Disposable;
  /** What is served because of each definition. */
  readonly #served = new Map<string, Served>();
  #waiting = false;
  #closed = false;

  constructor(engine: Engine, prefix: string) {
    this.#engine = engine;
    this.#prefix = prefix;
    this.#changes = engine.storage.onChange(prefix, () => this.#wake());
    this.#sync();
  }

  [Symbol.dispose](): void {
    this.#closed = true;
    this.#changes[Symbol.dispose]();
    for (const { instances } of this.#served.values()) instances[Symbol.dispose]();
  }

  /** Once for all changes of one turn, and never amid one. */
  #wake(): void {
    if (this.#waiting) return;
    this.#waiting = true;
    queueMicrotask(() => {
      this.#waiting = false;
      if (!this.#closed) this.#sync();
    });
  }

  /** Brings everything to where the definitions want it. A write of its own wakes it again. */
  #sync(): void {
    const found = this.#engine.storage.list(this.#prefix).items;
    this.#withdraw(new Set(found.map(({ key }) => key)));
    // What is stored under the prefix has been checked to be a definition.
    const parsed = found.map((stored) => ({
      stored,
      crd: parseStored(stored.json) as CustomResourceDefinition,
    }));
    for (const { stored, crd } of parsed) {
      const others = parsed.filter((one) => one.stored !== stored).map((one) => one.crd);
      if (this.#settle(stored, crd, others)) return;
    }
  }

  /** Does the next thing there is to do for a definition. True if that changed it: all is to be looked at again. */
  #settle(
    stored: StoredEntry,
    crd: CustomResourceDefinition,
    others: readonly CustomResourceDefinition[],
  ): boolean {
    const status = crd.metadata.deletionTimestamp ? this.#terminated(crd) : this.#named(crd, others);
    if (!equal(status, crd.status ?? {})) return this.#store(stored, { ...crd, status });
    if (this.#isDone(crd)) return this.#release(stored, crd);
    this.#serve(stored, crd);
    return false;
  }

  /** Names first; what has them is established with the next step. */
  #named(
    crd: CustomResourceDefinition,
    others: readonly CustomResourceDefinition[],
  ): CustomResourceDefinitionStatus {
    const { accepted, condition } = nameDefinition(crd, others);
    const named = this.#with(crd, condition);
    const established = establishment(crd, condition);
    const conditions = established
      ? this.#with({ ...crd, status: named }, established).conditions
      : named.conditions;
    return { ...named, acceptedNames: accepted, ...(conditions && { conditions }) };
  }

  /** Whoever goes takes its instances along. */
  #terminated(crd: CustomResourceDefinition): CustomResourceDefinitionStatus {
    if (!crd.metadata.finalizers?.includes(cleanupFinalizer)) return crd.status ?? {};
    if (!inProgress(crd)) return this.#with(crd, deleting);
    deleteInstances(this.#engine, customPrefix(crd.spec));
    return crd.status ?? {};
  }

  #isDone({ spec, metadata }: CustomResourceDefinition): boolean {
    if (!metadata.deletionTimestamp || !metadata.finalizers?.includes(cleanupFinalizer)) return false;
    return this.#engine.storage.list(customPrefix(spec), { limit: 1 }).items.length === 0;
  }

  #release(stored: StoredEntry, crd: CustomResourceDefinition): boolean {
    const finalizers = crd.metadata.finalizers?.filter((one) => one !== cleanupFinalizer) ?? [];
    if (finalizers.length === 0) this.#engine.storage.remove(stored.key, stored.revision);
    else
      this.#store(stored, {
        ...crd,
        status: this.#with(crd, deleted),
        metadata: { ...crd.metadata, finalizers },
      });
    return true;
  }

  #with({ status }: CustomResourceDefinition, condition: ConditionState): CustomResourceDefinitionStatus {
    const now = timestamp(this.#engine.clock.now());
    return { ...status, conditions: withCondition(status?.conditions ?? [], condition, now) };
  }

  #store({ key, revision }: StoredEntry, crd: CustomResourceDefinition): true {
    this.#engine.storage.put(key, { expected: revision, json: writeJson(storable(crd)) });
    return true;
  }

  #serve({ key }: StoredEntry, crd: CustomResourceDefinition): void {
    if (!holds(crd, "Established")) return;
    const source = servedPart(crd);
    const before = this.#served.get(key);
    if (before && equal(before.source, source)) return;
    const resources = crd.spec.versions
      .filter(({ served }) => served)
      .map((one) => this.#closing(key, resourceFromDefinition(crd, one, this.#engine.storage.revision)));
    for (const one of resources) this.#engine.registry.add(one);
    for (const one of before?.resources ?? []) {
      if (!resources.some(({ version: kept }) => kept === one.version)) this.#engine.registry.remove(one);
    }
    before?.instances[Symbol.dispose]();
    this.#served.set(key, { source, resources, instances: this.#follow(crd) });
  }

  /** Subscribed after the watches are, so that these tell of the last instance before they end. */
  #follow({ spec }: CustomResourceDefinition): Disposable {
    return this.#engine.storage.onChange(customPrefix(spec), ({ after }) => {
      if (!after) this.#wake();
    });
  }

  /** The resource, but for that nothing is made of a kind that is going. */
  #closing(key: string, resource: Resource): Resource {
    const refuse: Strategy["prepareCreate"] = ({ metadata }) => {
      if (!this.#engine.storage.get(key)?.json.includes('"deletionTimestamp":"')) return;
      throw forbidden(resource, metadata.name, {
        why: "create not allowed while custom resource definition is terminating",
      });
    };
    return { ...resource, strategy: { ...resource.strategy, prepareCreate: refuse } };
  }

  #withdraw(left: ReadonlySet<string>): void {
    for (const [key, { resources, instances }] of this.#served) {
      if (left.has(key)) continue;
      instances[Symbol.dispose]();
      for (const one of resources) this.#engine.registry.remove(one);
      this.#served.delete(key);
    }
  }
}

interface Served {
  /** What of the definition the resources are made of. */
  readonly source: unknown;
  readonly resources: readonly Resource[];
  /** Tells of instances that go. */
  readonly instances: Disposable;
}

function servedPart({ spec, status, metadata }: CustomResourceDefinition): unknown {
  return { spec, names: status?.acceptedNames, uid: metadata.uid };
}

/** The next step on the way to being established, given the condition of the names; nothing if there is none. */
function establishment(crd: CustomResourceDefinition, names: ConditionState): ConditionState | undefined {
  if (holds(crd, "Established")) return undefined;
  if (names.status !== "True") return notAccepted;
  return holds(crd, "NamesAccepted") ? established : installing;
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

function inProgress({ status }: CustomResourceDefinition): boolean {
  return status?.conditions?.some(({ reason }) => reason === deleting.reason) ?? false;
}
