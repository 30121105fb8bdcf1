import { conditionOf, type Frozen } from "../../api/index.ts";
import type { Pod } from "../../api/types/core/v1.ts";
import { timestampMs } from "../../base/index.ts";

/** A Pod as the cache returns it. */
export type PodView = Frozen<Pod>;

/** Returns true if the containers of the Pod have ended and are not restarted. */
export function isFinished({ status }: PodView): boolean {
  return status?.phase === "Succeeded" || status?.phase === "Failed";
}

/** Returns true if the Pod is being deleted and its containers may still run. */
export function isTerminating(pod: PodView): boolean {
  return pod.metadata.deletionTimestamp !== undefined && !isFinished(pod);
}

/** Returns true if the Pod counts as a replica: it is neither finished nor terminating. */
export function isActive(pod: PodView): boolean {
  return !isFinished(pod) && pod.metadata.deletionTimestamp === undefined;
}

export function isReady(pod: PodView): boolean {
  return readyCondition(pod)?.status === "True";
}

/** When a Pod becomes available, if nothing changes. */
export interface Availability {
  /** Seconds that the Pod has to be ready. @default 0 */
  readonly minReadySeconds: number | undefined;
  /** The current time, in milliseconds since 1970. */
  readonly nowMs: number;
}

/** Returns true if the Pod has been ready for `minReadySeconds`. */
export function isAvailable(pod: PodView, availability: Availability): boolean {
  return availableInMs(pod, availability) === 0;
}

/** Returns the time until the Pod is available, 0 if it is, and `undefined` if it is not ready. */
export function availableInMs(
  pod: PodView,
  { minReadySeconds = 0, nowMs }: Availability,
): number | undefined {
  if (!isReady(pod)) return undefined;
  if (minReadySeconds === 0) return 0;
  return Math.max(0, readySinceMs(pod) + minReadySeconds * 1_000 - nowMs);
}

/** Returns when the Pod became ready or not ready, or 0 if that is unknown. */
export function readySinceMs(pod: PodView): number {
  const since = readyCondition(pod)?.lastTransitionTime;
  return since ? timestampMs(since) : 0;
}

function readyCondition({ status }: PodView) {
  return conditionOf(status?.conditions, "Ready");
}
