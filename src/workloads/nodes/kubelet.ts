import type { Frozen } from "../../api/index.ts";
import { Node, Pod } from "../../api/types/core/v1.ts";
import { timestampMs } from "../../base/index.ts";
import { type Context, type Controller, controller, type Requeue, watches } from "../../controller/index.ts";
import { writeStatus } from "../owning/write-status.ts";
import { isFinished, isTerminating, type PodView } from "../pods/pod-state.ts";
import type { PodAddresses } from "./pod-addresses.ts";
import { behaviorOf, InvalidBehaviorError, type PodBehavior } from "./pod-behavior.ts";
import { podStep, stoppedStatus } from "./pod-step.ts";
import { podsByNode } from "./pods-by-node.ts";

export interface KubeletOptions {
  /** Returns true for nodes that this program simulates. */
  readonly simulates: (node: Frozen<Node>) => boolean;
  /** How Pods behave that have no annotations about it. */
  readonly behavior: (pod: PodView) => PodBehavior;
  readonly addresses: PodAddresses;
}

/** Runs the Pods of simulated nodes: starts, restarts, ends and deletes them, and reports their status. */
export function kubelet(options: KubeletOptions): Controller {
  return controller({
    name: "kubelet",
    for: Pod,
    when: ({ object }) => object.spec.nodeName !== undefined,
    concurrency: 20,
    indexes: [podsByNode],
    // A Pod may be assigned before its node is seen.
    on: [watches(Node, ({ metadata }, { cache }) => cache.by(podsByNode, metadata.name), { when: isAdded })],
    async reconcile(key, context) {
      const { cache } = context;
      const pod = cache.of(Pod).view(key);
      const node = pod?.spec.nodeName && cache.of(Node).view({ name: pod.spec.nodeName });
      if (!pod || !node || !options.simulates(node)) return undefined;
      const work = { ...options, context, pod };
      if (isTerminating(pod)) return stop(work);
      return isFinished(pod) ? undefined : run(work, node);
    },
  });
}

function isAdded({ type }: { readonly type: string }): boolean {
  return type === "added";
}

interface PodWork extends KubeletOptions {
  readonly pod: PodView;
  readonly context: Context;
}

async function run(work: PodWork, node: Frozen<Node>): Promise<Requeue | undefined> {
  const { pod, context, addresses } = work;
  const nowMs = context.now();
  const hostIP = node.status?.addresses?.find(({ type }) => type === "InternalIP")?.address ?? "127.0.0.1";
  const options = { behavior: behaviorOfPod(work), hostIP, newPodIP: () => addresses.next(), nowMs };
  const { status, nextMs } = podStep(pod, options);
  await writeStatus(context.client, Pod, { object: pod, status });
  return nextMs === undefined ? undefined : { requeueAfterMs: Math.max(1, nextMs - nowMs) };
}

/**
 * Deletes a Pod whose containers have stopped. If finalizers keep it, its status first shows how they ended; other Pods
 * are deleted without that write.
 */
async function stop(work: PodWork): Promise<Requeue | undefined> {
  const { pod, context } = work;
  const { deletionTimestamp = "", deletionGracePeriodSeconds = 0, finalizers = [], uid } = pod.metadata;
  const graceMs = deletionGracePeriodSeconds * 1_000;
  const { stopAfterMs = 0 } = behaviorOfPod(work);
  const leftMs = timestampMs(deletionTimestamp) - graceMs + Math.min(stopAfterMs, graceMs) - context.now();
  if (leftMs > 0) return { requeueAfterMs: leftMs };
  if (finalizers.length > 0) {
    const status = stoppedStatus(pod, context.now());
    await writeStatus(context.client, Pod, { object: pod, status });
  }
  if (graceMs > 0 || finalizers.length === 0) await context.client.delete(Pod, pod, { graceSeconds: 0, uid });
  return undefined;
}

/** Returns the behavior of the Pod. If an annotation is invalid, the containers wait, and an event says why. */
function behaviorOfPod({ pod, behavior, context }: PodWork): PodBehavior {
  try {
    return behaviorOf(pod, behavior(pod));
  } catch (error) {
    if (!(error instanceof InvalidBehaviorError)) throw error;
    context.events.warning(pod, "InvalidBehavior", error.message);
    return { waitingReason: "InvalidBehavior" };
  }
}
