import { conditionOf, type Frozen } from "../../api/index.ts";
import { Node, type Taint } from "../../api/types/core/v1.ts";
import { type Controller, controller } from "../../controller/index.ts";

/**
 * Keeps Pods from nodes that are not ready: taints follow the condition `Ready`. The API server taints a new node, so
 * that no Pod is assigned to it before its first report.
 */
export const nodeLifecycle: Controller = controller({
  name: "node-controller",
  for: Node,
  async reconcile(key, { cache, client }) {
    const node = cache.of(Node).view(key);
    if (!node || node.metadata.deletionTimestamp) return;
    const before = node.spec?.taints ?? [];
    const wanted = taintsOf(node);
    const kept = before.filter((taint) => !isManaged(taint) || wanted.some(({ key }) => key === taint.key));
    const added = wanted.filter(({ key }) => !before.some((taint) => taint.key === key && isManaged(taint)));
    if (kept.length === before.length && added.length === 0) return;
    const { uid, resourceVersion } = node.metadata;
    const taints = [...kept, ...added];
    const merge = { metadata: { uid, resourceVersion }, spec: { taints: taints.length > 0 ? taints : null } };
    await client.patch(Node, node.metadata.name, { merge });
  },
});

const notReady = "node.kubernetes.io/not-ready";
const unreachable = "node.kubernetes.io/unreachable";
const unschedulable = "node.kubernetes.io/unschedulable";

/** Returns the taints of a node: it is not ready, has not reported for long, or is cordoned. */
function taintsOf({ spec, status }: Frozen<Node>): Taint[] {
  const ready = conditionOf(status?.conditions, "Ready")?.status;
  const keys = [
    ...(ready === "False" ? [notReady] : []),
    ...(ready === "Unknown" ? [unreachable] : []),
    ...(spec?.unschedulable ? [unschedulable] : []),
  ];
  // A node without a condition has not reported yet, and keeps the taint of the API server.
  return [...keys, ...(ready === undefined ? [notReady] : [])].map((key) => ({ key, effect: "NoSchedule" }));
}

function isManaged({ key, effect }: Frozen<Taint>): boolean {
  return effect === "NoSchedule" && [notReady, unreachable, unschedulable].includes(key);
}
