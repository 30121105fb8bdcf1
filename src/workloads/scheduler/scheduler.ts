import type { ObjectKey } from "../../api/index.ts";
import { Node, Pod, type PodCondition } from "../../api/types/core/v1.ts";
import { asError, type Clock, timestamp, untilAborted } from "../../base/index.ts";
import { isConflict, isNotFound } from "../../client/index.ts";
import type { Runnable, RunnableContext } from "../../manager/index.ts";
import { WorkQueue } from "../../queue/index.ts";
import { isFinished, isTerminating, type PodView } from "../pods/pod-state.ts";
import { misfits, noFitMessage } from "./filters.ts";
import { ClusterState, type NodeState } from "./node-state.ts";

/**
 * Assigns Pods to nodes: to the node with the fewest Pods of those that fit by selector, required affinity, taints and
 * resources. A Pod that fits none waits until a node changes or a Pod ends. There is no preemption, no affinity
 * between Pods, and host ports do not count.
 *
 * It is a runnable, not a controller, because each decision depends on all nodes and Pods. It keeps their sums, so that a
 * decision takes the same time for any number of Pods.
 */
export function scheduler({ clock }: { readonly clock: Clock }): Runnable {
  return { name: "default-scheduler", run: (context) => new Scheduling(context, clock).run() };
}

class Scheduling {
  readonly #context: RunnableContext;
  readonly #clock: Clock;
  readonly #cluster = new ClusterState();
  /** Keys of Pods to assign. */
  readonly #queue: WorkQueue;
  /** Keys of Pods that fit no node now. */
  readonly #waiting = new Set<string>();

  constructor(context: RunnableContext, clock: Clock) {
    this.#context = context;
    this.#clock = clock;
    this.#queue = new WorkQueue({ clock });
  }

  async run(): Promise<void> {
    const { cache, signal } = this.#context;
    const nodes = cache.on(Node, (event) => {
      if (event.type === "deleted") this.#cluster.removeNode(event.key);
      else this.#cluster.putNode(event.object);
      this.#retryWaiting();
    });
    const pods = cache.on(Pod, ({ type, key, object }) => this.#onPod(key, object, type === "deleted"));
    await Promise.race([Promise.all([nodes.synced, pods.synced]), untilAborted(signal)]);
    const worker = this.#work();
    await untilAborted(signal);
    await this.#queue.close();
    await Promise.all([worker, nodes.close(), pods.close()]);
  }

  #onPod(key: string, pod: PodView, deleted: boolean): void {
    const { nodeName, schedulerName = "default-scheduler", schedulingGates = [] } = pod.spec;
    if (deleted || isFinished(pod)) {
      this.#waiting.delete(key);
      if (this.#cluster.release(pod.metadata.uid)) this.#retryWaiting();
    } else if (nodeName) {
      this.#waiting.delete(key);
      this.#cluster.assign(pod, nodeName);
    } else if (schedulerName === "default-scheduler" && schedulingGates.length === 0 && !isTerminating(pod)) {
      this.#queue.add(key);
    }
  }

  #retryWaiting(): void {
    for (const key of this.#waiting) this.#queue.add(key);
    this.#waiting.clear();
  }

  async #work(): Promise<void> {
    for await (using lease of this.#queue) {
      try {
        await this.#schedule(lease.key);
        this.#queue.forget(lease.key);
      } catch (error) {
        if (this.#context.signal.aborted) return;
        this.#queue.retry(lease.key);
        this.#context.log.warn("pod not scheduled", { key: lease.key, error: asError(error) });
      }
    }
  }

  async #schedule(key: string): Promise<void> {
    const pod = this.#context.cache.of(Pod).view(key);
    if (!pod || pod.spec.nodeName || isTerminating(pod) || isFinished(pod)) return;
    const candidates = this.#cluster.nodes.map((state) => ({ state, reasons: misfits(pod, state) }));
    const fitting = candidates.filter(({ reasons }) => reasons.length === 0).map(({ state }) => state);
    const node = leastLoaded(fitting);
    if (node) return this.#bind(pod, node.node.metadata.name);
    this.#waiting.add(key);
    await this.#reportUnschedulable(pod, noFitMessage(candidates.map(({ reasons }) => reasons)));
  }

  async #bind(pod: PodView, node: string): Promise<void> {
    const { client, events } = this.#context;
    this.#cluster.assign(pod, node);
    try {
      const target = { apiVersion: "v1", kind: "Node", name: node };
      await client.subresource(Pod, pod.metadata, "binding").create({ target });
      const { namespace, name } = pod.metadata;
      events.normal(pod, "Scheduled", `Successfully assigned ${namespace}/${name} to ${node}`);
    } catch (error) {
      this.#cluster.release(pod.metadata.uid);
      if (!isNotFound(error) && !isConflict(error)) throw error; // deleted, or assigned by another scheduler
    }
  }

  async #reportUnschedulable(pod: PodView, message: string): Promise<void> {
    const current = pod.status?.conditions?.find(({ type }) => type === "PodScheduled");
    if (current?.status === "False" && current.message === message) return;
    this.#context.events.warning(pod, "FailedScheduling", message);
    const lastTransitionTime =
      current?.status === "False" ? current.lastTransitionTime : timestamp(this.#clock.now());
    const condition: PodCondition = {
      type: "PodScheduled",
      status: "False",
      reason: "Unschedulable",
      message,
      lastTransitionTime,
    };
    await this.#patchConditions(pod.metadata, condition);
  }

  async #patchConditions(key: ObjectKey, condition: PodCondition): Promise<void> {
    const strategic = { status: { conditions: [condition] } };
    try {
      await this.#context.client.patch(Pod, key, { strategic }, { subresource: "status" });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}

function leastLoaded(nodes: readonly NodeState[]): NodeState | undefined {
  return nodes.reduce<NodeState | undefined>(
    (best, node) => (best && best.usage.pods <= node.usage.pods ? best : node),
    undefined,
  );
}
