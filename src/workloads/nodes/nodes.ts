import type { New } from "../../api/index.ts";
import { Node, type NodeCondition } from "../../api/types/core/v1.ts";
import { type Clock, sleep, timestamp } from "../../base/index.ts";
import { type Client, isAlreadyExists } from "../../client/index.ts";
import type { Runnable } from "../../manager/index.ts";

/** Marks the nodes that this program simulates. */
export const simulatedAnnotation = "node.trimtab.dev/simulated";

/** A node to simulate. */
export interface SimulatedNode {
  readonly name: string;
  /** Labels besides the usual ones. @default none */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** @default none */
  readonly taints?: NonNullable<NonNullable<Node["spec"]>["taints"]> | undefined;
  /** Resources that Pods can use. @default more than any test needs */
  readonly capacity?: Readonly<Record<string, string>> | undefined;
}

export interface NodesOptions {
  readonly nodes: readonly SimulatedNode[];
  readonly clock: Clock;
  /** Time between reports of the nodes. @default 5 minutes, as a kubelet */
  readonly heartbeatMs?: number | undefined;
}

/** Registers simulated nodes, and reports regularly that they are ready. */
export function nodesRunnable({ nodes, clock, heartbeatMs = 300_000 }: NodesOptions): Runnable {
  return {
    name: "nodes",
    async run({ client, signal }) {
      for (const [index, node] of nodes.entries()) await register(client, node, index, clock);
      while (!signal.aborted) {
        await sleep(heartbeatMs, { clock, signal }).catch(() => {}); // the signal ends the loop
        if (signal.aborted) return;
        const conditions = conditionsAt(timestamp(clock.now()));
        for (const { name } of nodes) {
          const current = await client.get(Node, name);
          if (!current) continue; // a deleted node stays deleted
          const merge = {
            status: {
              conditions: conditions.map((each) => ({
                ...current.status?.conditions?.find(({ type }) => type === each.type),
                ...each,
              })),
            },
          };
          await client.patch(Node, name, { merge }, { subresource: "status" });
        }
      }
    },
  };
}

async function register(client: Client, node: SimulatedNode, index: number, clock: Clock): Promise<void> {
  const draft = newNode(node);
  const status = statusOf(node, index, timestamp(clock.now()));
  try {
    await client.create(Node, draft);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
  await client.patch(Node, node.name, { merge: { status } }, { subresource: "status" });
}

function newNode({ name, labels, taints }: SimulatedNode): New<Node> {
  return {
    metadata: {
      name,
      labels: {
        "kubernetes.io/hostname": name,
        "kubernetes.io/os": "linux",
        "kubernetes.io/arch": "amd64",
        ...labels,
      },
      annotations: { [simulatedAnnotation]: "true" },
    },
    spec: { taints },
  };
}

function statusOf(
  { name, capacity }: SimulatedNode,
  index: number,
  now: string,
): NonNullable<Node["status"]> {
  const resources = { cpu: "1k", memory: "1Ti", pods: "1M", "ephemeral-storage": "1Ti", ...capacity };
  return {
    capacity: resources,
    allocatable: resources,
    phase: "Running",
    conditions: conditionsAt(now).map((condition) => ({ ...condition, lastTransitionTime: now })),
    addresses: [
      { type: "InternalIP", address: `172.18.${Math.floor(index / 250)}.${(index % 250) + 2}` },
      { type: "Hostname", address: name },
    ],
  };
}

function conditionsAt(lastHeartbeatTime: string): NodeCondition[] {
  return [
    healthy("MemoryPressure", "KubeletHasSufficientMemory", "kubelet has sufficient memory available"),
    healthy("DiskPressure", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"),
    healthy("PIDPressure", "KubeletHasSufficientPID", "kubelet has sufficient PID available"),
    {
      type: "Ready" as const,
      status: "True" as const,
      reason: "KubeletReady",
      message: "kubelet is posting ready status",
    },
  ].map((condition) => ({ ...condition, lastHeartbeatTime }));
}

function healthy(type: NodeCondition["type"], reason: string, message: string): NodeCondition {
  return { type, status: "False", reason, message };
}
