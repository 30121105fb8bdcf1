import { conditionOf } from "../api/index.ts";
import { Node } from "../api/types/core/v1.ts";
import { type Clock, realClock } from "../base/index.ts";
import type { Client } from "../client/index.ts";
import type { Controller } from "../controller/index.ts";
import type { Runnable } from "../manager/index.ts";
import { deployments } from "./deployments/deployments.ts";
import { garbageCollector } from "./garbage-collector/garbage-collector.ts";
import { namespaces } from "./namespaces/namespaces.ts";
import { kubelet } from "./nodes/kubelet.ts";
import { nodeLifecycle } from "./nodes/node-lifecycle.ts";
import { nodesRunnable, type SimulatedNode, simulatedAnnotation } from "./nodes/nodes.ts";
import { PodAddresses } from "./nodes/pod-addresses.ts";
import type { PodBehavior } from "./nodes/pod-behavior.ts";
import { podCollector } from "./nodes/pod-collector.ts";
import type { PodView } from "./pods/pod-state.ts";
import { replicaSets } from "./replica-sets/replica-sets.ts";
import { scheduler } from "./scheduler/scheduler.ts";

/** A part of a cluster besides its API server. `gc` is the garbage collector; `nodes` run the Pods. */
export type WorkloadPart = "deployments" | "replicasets" | "gc" | "namespaces" | "scheduler" | "nodes";

export interface WorkloadsOptions {
  /** The parts to run. @default all */
  readonly parts?: readonly WorkloadPart[] | undefined;
  /** The nodes to simulate. @default one with the name "node-1" */
  readonly nodes?: readonly SimulatedNode[] | undefined;
  /** How the containers of Pods behave. Annotations of a Pod win. @default they start at once, and are ready at once */
  readonly behavior?: PodBehavior | ((pod: PodView) => PodBehavior) | undefined;
  readonly clock?: Clock | undefined;
}

/** The options of a manager that runs them: `manager({ ...workloads() })`. */
export interface Workloads {
  readonly controllers: readonly Controller[];
  readonly runnables: readonly Runnable[];
}

/** Returns the controllers, the scheduler and the nodes that make a cluster of an API server. */
export function workloads(options: WorkloadsOptions = {}): Workloads {
  const names = options.parts ?? (Object.keys(parts) as WorkloadPart[]); // the keys of a literal
  const running = names.map((name) => partOf(name)(options));
  return {
    controllers: running.flatMap(({ controllers = [] }) => controllers),
    runnables: running.flatMap(({ runnables = [] }) => runnables),
  };
}

/** Throws unless the simulated nodes of the options accept Pods. */
export async function expectNodesReady(client: Client, options: WorkloadsOptions): Promise<void> {
  const { parts: names = ["nodes"], nodes: simulated = defaultNodes } = options;
  for (const { name } of names.includes("nodes") ? simulated : []) {
    const node = await client.get(Node, name);
    if (node && acceptsPods(node)) continue;
    throw new Error(`expected node "${name}" to accept Pods, got ${JSON.stringify(node?.spec)}`);
  }
}

/** Returns true if a node is registered and has lost the taint of a node that is not ready. */
function acceptsPods({ spec, status }: Node): boolean {
  const ready = conditionOf(status?.conditions, "Ready")?.status === "True";
  return ready && !spec?.taints?.some(({ key }) => key === "node.kubernetes.io/not-ready");
}

const defaultNodes: readonly SimulatedNode[] = [{ name: "node-1" }];

function partOf(name: WorkloadPart): Part {
  if (Object.hasOwn(parts, name)) return parts[name];
  throw new TypeError(`expected a part of ${Object.keys(parts).join(", ")}, got ${JSON.stringify(name)}`);
}

type Part = (options: WorkloadsOptions) => Partial<Workloads>;

const parts: Readonly<Record<WorkloadPart, Part>> = {
  deployments: () => ({ controllers: [deployments] }),
  replicasets: () => ({ controllers: [replicaSets] }),
  gc: ({ clock = realClock }) => ({ runnables: [garbageCollector({ clock })] }),
  namespaces: () => ({ controllers: [namespaces] }),
  scheduler: ({ clock = realClock }) => ({ runnables: [scheduler({ clock })] }),
  nodes,
};

function nodes({ nodes = defaultNodes, behavior = {}, clock = realClock }: WorkloadsOptions): Workloads {
  const run = kubelet({
    simulates: ({ metadata }) => metadata.annotations?.[simulatedAnnotation] === "true",
    behavior: typeof behavior === "function" ? behavior : () => behavior,
    addresses: new PodAddresses(),
  });
  return { controllers: [run, nodeLifecycle, podCollector()], runnables: [nodesRunnable({ nodes, clock })] };
}
