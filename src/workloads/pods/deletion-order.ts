import { isReady, type PodView, readySinceMs } from "./pod-state.ts";

/** What decides which Pods of a set are deleted first when it is scaled down. */
export interface DeletionOrder {
  /** Number of active Pods of the same owner on a node. */
  readonly related: (node: string) => number;
  /** The current time, in milliseconds since 1970. */
  readonly nowMs: number;
}

/** Returns the Pods in the order in which a ReplicaSet deletes them. */
export function inDeletionOrder(pods: readonly PodView[], order: DeletionOrder): PodView[] {
  const ranked = pods.map((pod) => ({ pod, rank: rankOf(pod, order) }));
  ranked.sort((a, b) => compareRanks(a.rank, b.rank) || (uidOf(a.pod) < uidOf(b.pod) ? -1 : 1));
  return ranked.map(({ pod }) => pod);
}

/**
 * The criteria, most important first; a Pod with a lower value is deleted first: not assigned to a node, not running,
 * not ready, a low deletion cost, many related Pods on its node, ready for a shorter time, more restarts, newer.
 */
function rankOf(pod: PodView, { related, nowMs }: DeletionOrder): readonly number[] {
  const { spec, status, metadata } = pod;
  const ready = isReady(pod);
  return [
    spec.nodeName ? 1 : 0,
    phaseRank[status?.phase ?? "Pending"] ?? 0,
    ready ? 1 : 0,
    deletionCost(metadata.annotations?.["controller.kubernetes.io/pod-deletion-cost"]),
    -related(spec.nodeName ?? ""),
    ready ? ageBucket(nowMs - readySinceMs(pod)) : 0,
    -restartsOf(pod),
    ageBucket(nowMs - Date.parse(metadata.creationTimestamp ?? "")),
  ];
}

const phaseRank: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 };

function compareRanks(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((value, at) => value !== b[at]);
  return index < 0 ? 0 : (a[index] ?? 0) - (b[index] ?? 0);
}

/** Returns the cost of an annotation that is a 32-bit integer. The server refuses other values; they count as 0. */
function deletionCost(text: string | undefined): number {
  return text !== undefined && /^[+-]?\d+$/.test(text) ? Number(text) : 0;
}

/** Returns the age on a logarithmic scale: ages of one power of two seconds are equal, so that Pods of any node are chosen. */
function ageBucket(ageMs: number): number {
  return ageMs >= 1_000 ? Math.floor(Math.log2(ageMs / 1_000)) : -1;
}

function restartsOf({ status }: PodView): number {
  return Math.max(0, ...(status?.containerStatuses ?? []).map(({ restartCount }) => restartCount ?? 0));
}

function uidOf({ metadata }: PodView): string {
  return metadata.uid ?? "";
}
