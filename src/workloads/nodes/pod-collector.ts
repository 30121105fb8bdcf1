import { conditionOf } from "../../api/index.ts";
import { Node, Pod, type PodCondition } from "../../api/types/core/v1.ts";
import { timestamp } from "../../base/index.ts";
import { type Client, isConflict, isNotFound } from "../../client/index.ts";
import { type Controller, controller, watches } from "../../controller/index.ts";
import { isFinished, type PodView } from "../pods/pod-state.ts";
import { podsByNode } from "./pods-by-node.ts";

/** Deletes the Pods of a node that has not existed for 40 seconds: it may have been replaced meanwhile. */
export function podCollector(): Controller {
  /** When each missing node that has Pods was missed first. */
  const missedAtMs = new Map<string, number>();
  return controller({
    name: "pod-garbage-collector",
    for: Node,
    indexes: [podsByNode],
    on: [watches(Pod, ({ spec }) => (spec.nodeName ? [{ name: spec.nodeName }] : []), { when: isAdded })],
    async reconcile({ name }, context) {
      const { cache, client } = context;
      const nowMs = context.now();
      const pods = cache.of(Node).view({ name }) ? [] : cache.by(podsByNode, name);
      if (pods.length === 0) {
        missedAtMs.delete(name);
        return undefined;
      }
      const sinceMs = missedAtMs.get(name) ?? nowMs;
      missedAtMs.set(name, sinceMs);
      const leftMs = sinceMs + quarantineMs - nowMs;
      if (leftMs > 0) return { requeueAfterMs: leftMs };
      if (await client.get(Node, name, { resourceVersion: "" })) return undefined;
      for (const pod of pods) await collectPod(client, pod, nowMs);
      return undefined;
    },
  });
}

/** How long a node is missing before its Pods are deleted, as in kube-controller-manager. */
const quarantineMs = 40_000;

function isAdded({ type }: { readonly type: string }): boolean {
  return type === "added";
}

/** Ends a Pod that no kubelet will end, and deletes it without a grace period. */
async function collectPod(client: Client, pod: PodView, nowMs: number): Promise<void> {
  const { uid } = pod.metadata;
  try {
    if (!isFinished(pod)) {
      const strategic = {
        metadata: { uid },
        status: { phase: "Failed" as const, conditions: [disruption(pod, nowMs)] },
      };
      await client.patch(Pod, pod.metadata, { strategic }, { subresource: "status" });
    }
    await client.delete(Pod, pod.metadata, { uid, graceSeconds: 0 });
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error; // deleted, or replaced by another of the same name
  }
}

function disruption({ status, metadata }: PodView, nowMs: number): PodCondition {
  const current = conditionOf(status?.conditions, "DisruptionTarget");
  return {
    type: "DisruptionTarget",
    status: "True",
    reason: "DeletionByPodGC",
    message: "PodGC: node no longer exists",
    observedGeneration: metadata.generation,
    lastTransitionTime: current?.status === "True" ? current.lastTransitionTime : timestamp(nowMs),
  };
}
