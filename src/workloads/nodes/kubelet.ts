import type { Frozen } from "../../api/index.ts";
import { Node, Pod } from "../../api/types/core/v1.ts";
import { timestampMs } from "../../base/index.ts";
import { type Context, type Controller, controller, type Requeue } from "../../controller/index.ts";
import { writeStatus } from "../owning/write-status.ts";
import { isFinished, isTerminating, type PodView } from "../pods/pod-state.ts";
import type { PodAddresses } from "./pod-addresses.ts";
import { behaviorOf, InvalidBehaviorError, type PodBehavior } from "./pod-behavior.ts";
import { podStep } from "./pod-step.ts";

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
    async reconcile(key, context) {
      const pod = context.cache.of(Pod).view(key);
      const node = pod?.spec.nodeName && (await context.client.get(Node, pod.spec.nodeName));
      if (!pod || !node || !options.simulates(node)) return undefined;
      if (isTerminating(pod)) return stop(pod, options, context);
      return isFinished(pod) ? undefined : run(pod, node, options, context);
    },
  });
}

async function run(
  pod: PodView,
  node: Frozen<Node>,
  options: KubeletOptions,
  context: Context,
): Promise<Requeue | undefined> {
  const behavior = behaviorOfPod(pod, options, context);
  const nowMs = context.now();
  const hostIP = node.status?.addresses?.find(({ type }) => type === "InternalIP")?.address ?? "127.0.0.1";
  const { addresses } = options;
  const { status, nextMs } = podStep(pod, { behavior, hostIP, newPodIP: () => addresses.next(), nowMs });
  await writeStatus(context.client, Pod, { object: pod, status });
  return nextMs === undefined ? undefined : { requeueAfterMs: Math.max(1, nextMs - nowMs) };
}

/** Deletes a Pod whose containers have stopped. */
async function stop(pod: PodView, options: KubeletOptions, context: Context): Promise<Requeue | undefined> {
  const { deletionTimestamp = "", deletionGracePeriodSeconds = 0 } = pod.metadata;
  const beganMs = timestampMs(deletionTimestamp) - deletionGracePeriodSeconds * 1_000;
  const { stopAfterMs = 0 } = behaviorOfPod(pod, options, context);
  const leftMs = beganMs + Math.min(stopAfterMs, deletionGracePeriodSeconds * 1_000) - context.now();
  if (leftMs > 0) return { requeueAfterMs: leftMs };
  await context.client.delete(Pod, pod, { graceSeconds: 0 });
  return undefined;
}

/** Returns the behavior of the Pod. If an annotation is invalid, the containers wait, and an event says why. */
function behaviorOfPod(pod: PodView, { behavior }: KubeletOptions, { events }: Context): PodBehavior {
  try {
    return behaviorOf(pod, behavior(pod));
  } catch (error) {
    if (!(error instanceof InvalidBehaviorError)) throw error;
    events.warning(pod, "InvalidBehavior", error.message);
    return { waitingReason: "InvalidBehavior" };
  }
}
