import { timestampMs } from "../../base/index.ts";
import { isReady, type PodView, readySinceMs } from "./pod-state.ts";

/** Facts besides the Pods that decide which of them are deleted first. */
export interface DeletionOrder {
  /** Number of active Pods of the same owner on a node. */
  readonly related: (node: string) => number;
  /** The current time, in milliseconds since 1970. */
  readonly nowMs: number;
}

/** Returns the Pods in the order in which a ReplicaSet deletes them. */
export function inDeletionOrder(pods: readonly PodView[], order: DeletionOrder): PodView[] {
  return pods.toSorted((a, b) => {
    for (const compare of criteria) {
      const difference = compare(a, b, order);
      if (difference !== 0) return difference;
    }
    return byUid(a, b);
  });
}

type Criterion = (a: PodView, b: PodView, order: DeletionOrder) => number;

/** Most important first. Each returns a negative number if `a` is deleted first. */
const criteria: readonly Criterion[] = [
  lowest(({ spec }) => (spec.nodeName ? 1 : 0)),
  lowest(({ status }) => phaseRank[status?.phase ?? "Pending"] ?? 0),
  lowest((pod) => (isReady(pod) ? 1 : 0)),
  lowest(({ metadata }) =>
    deletionCost(metadata.annotations?.["controller.kubernetes.io/pod-deletion-cost"]),
  ),
  lowest(({ spec }, { related }) => -related(spec.nodeName ?? "")),
  youngest((pod) => (isReady(pod) ? readySinceMs(pod) : 0)),
  lowest((pod) => -restartsOf(pod)),
  youngest(({ metadata }) => timestampMs(metadata.creationTimestamp ?? "") || 0),
];

const phaseRank: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 };

function lowest(rankOf: (pod: PodView, order: DeletionOrder) => number): Criterion {
  return (a, b, order) => rankOf(a, order) - rankOf(b, order);
}

/**
 * Compares ages on a logarithmic scale. Pods of different but similar ages are deleted in the order of their uids, which
 * is random, so that the newest Pods are not always those in one zone.
 */
function youngest(sinceMs: (pod: PodView) => number): Criterion {
  return (a, b, { nowMs }) => {
    const [first, second] = [sinceMs(a), sinceMs(b)];
    if (first === second) return 0;
    return ageBucket(nowMs - first) - ageBucket(nowMs - second) || byUid(a, b);
  };
}

/** Returns the power of two of the age in nanoseconds, the unit of kube-controller-manager. */
function ageBucket(ageMs: number): number {
  return ageMs > 0 ? Math.floor(Math.log2(ageMs * 1e6)) : -1;
}

/** Returns the cost of an annotation that is a 32-bit integer. The server refuses other values; they count as 0. */
function deletionCost(text: string | undefined): number {
  return text !== undefined && /^[+-]?\d+$/.test(text) ? Number(text) : 0;
}

function restartsOf({ status }: PodView): number {
  return Math.max(0, ...(status?.containerStatuses ?? []).map(({ restartCount }) => restartCount ?? 0));
}

function byUid(a: PodView, b: PodView): number {
  return (a.metadata.uid ?? "") < (b.metadata.uid ?? "") ? -1 : 1;
}
