import { conditionOf, type New } from "../../api/index.ts";
import { Node, type NodeCondition } from "../../api/types/core/v1.ts";
import { asError, type Clock, sleep, timestamp } from "../../base/index.ts";
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
export function nodesRunnable(options: NodesOptions): Runnable {
  const { nodes, clock, heartbeatMs = 300_000 } = options;
  return {
    name: "nodes",
    async run({ client, signal, log }) {
      for (const [index, node] of nodes.entries()) await register(client, node, { index, clock });
      while (await waited(heartbeatMs, { clock, signal })) {
        const reports = nodes.map(({ name }) => report(client, name, timestamp(clock.now())));
        for (const result of await Promise.allSettled(reports)) {
          if (result.status === "rejected")
            log.warn("node status not reported", { error: asError(result.reason) });
        }
      }
    },
  };
}

/** Waits. @returns false if the signal aborted */
async function waited(ms: number, options: { clock: Clock; signal: AbortSignal }): Promise<boolean> {
  await sleep(ms, options).catch(() => {}); // an aborted signal is the result
  return !options.signal.aborted;
}

/** Reports that a node is ready. A deleted node stays deleted. */
async function report(client: Client, name: string, now: string): Promise<void> {
  const before = (await client.get(Node, name))?.status?.conditions;
  const conditions = conditionsAt(now).map((condition) => {
    const current = conditionOf(before, condition.type);
    const lastTransitionTime = current?.status === condition.status ? current.lastTransitionTime : now;
    return { ...condition, lastTransitionTime };
  });
  if (before)
    await client.patch(Node, name, { strategic: { status: { conditions } } }, { subresource: "status" });
}

interface Registration {
  readonly index: number;
  readonly clock: Clock;
}

async function register(client: Client, node: SimulatedNode, { index, clock }: Registration): Promise<void> {
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
