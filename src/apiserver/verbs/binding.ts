import type { Binding, Pod } from "../../api/types/core/v1.ts";
import { timestamp } from "../../base/index.ts";
import { errorText, notSupported, required } from "../../schema/index.ts";
import { storedObject } from "../codec/object-text.ts";
import { storageKey } from "../storage/storage-key.ts";
import type { Resource } from "../types/resource.ts";
import { badRequest, conflict, notFound, unknownError } from "../types/status-error.ts";
import type { Call, Engine } from "./engine.ts";
import { replaceStored } from "./guaranteed-update.ts";
import { sentObject } from "./sent-object.ts";
import type { ValueResult } from "./verb-result.ts";
import { createdStatus } from "./verb-result.ts";

/** Handles POST of a Pod's binding: assigns the Pod to a node, once. */
export async function bindPod(engine: Engine, call: Call): Promise<ValueResult> {
  const { object, options, validate } = await sentObject<Binding>(engine, call);
  if (object.metadata.name !== call.name)
    throw badRequest("name in URL does not match name in Binding object");
  await validate();
  return bind(engine, { ...call, binding: object, dryRun: options.dryRun });
}

/** Handles POST of a Binding object, which old schedulers send. */
export async function createBinding(engine: Engine, call: Call): Promise<ValueResult> {
  const { object, options, validate } = await sentObject<Binding>(engine, call);
  if (!object.metadata.name) throw badRequest("Name parameter required.");
  await validate();
  const resource = engine.registry.get({ group: "", version: "v1", plural: "pods" });
  if (!resource) throw notFound({ group: "", plural: "pods" }, object.metadata.name);
  return bind(engine, { ...call, resource, binding: object, dryRun: options.dryRun });
}

interface Bind {
  /** The resource of Pods. */
  readonly resource: Resource;
  readonly namespace: string | undefined;
  readonly binding: Binding;
  readonly dryRun: boolean;
}

function bind(engine: Engine, { resource, namespace, binding, dryRun }: Bind): ValueResult {
  const { name } = binding.metadata;
  checkTarget(binding);
  const stored = engine.storage.get(storageKey(resource, { namespace, name }));
  if (!stored) throw notFound(resource, name);
  const pod = storedObject(resource, stored) as Pod; // Pods are stored under this key
  checkUnassigned(pod);
  if (!dryRun) replaceStored(engine, stored, withNode(engine, pod, binding));
  return createdStatus();
}

function checkTarget({ target }: Binding): void {
  const { kind = "", name = "" } = target;
  if (kind !== "" && kind !== "Node")
    throw unknownError(errorText(notSupported("target.kind", kind, ["Node", "<empty>"])));
  if (name === "") throw unknownError(errorText(required("target.name")));
}

function checkUnassigned({ metadata, spec }: Pod): void {
  const { name } = metadata;
  const subresource = { group: "", plural: "pods/binding" };
  if (metadata.deletionTimestamp) {
    throw conflict(subresource, name, `pod ${name} is being deleted, cannot be assigned to a host`);
  }
  if (spec.nodeName) {
    throw conflict(subresource, name, `pod ${name} is already assigned to node "${spec.nodeName}"`);
  }
}

function withNode({ clock }: Engine, pod: Pod, { metadata, target }: Binding): Pod {
  const { labels, annotations } = pod.metadata;
  const scheduled = {
    type: "PodScheduled",
    status: "True",
    lastProbeTime: null,
    lastTransitionTime: timestamp(clock.now()),
  };
  const others = (pod.status?.conditions ?? []).filter(({ type }) => type !== "PodScheduled");
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      labels: { ...labels, ...metadata.labels },
      annotations: { ...annotations, ...metadata.annotations },
    },
    spec: { ...pod.spec, nodeName: target.name },
    // An unknown time is encoded as null.
    status: { ...pod.status, conditions: [...others, scheduled] as NonNullable<Pod["status"]>["conditions"] },
  };
}
