import type { Frozen } from "../../api/index.ts";
import type { ReplicaSet } from "../../api/types/apps/v1.ts";
import { timestampMs } from "../../base/index.ts";
import { desiredOf, maxOf } from "./annotations.ts";
import type { Bounds } from "./bounds.ts";

type ReplicaSetView = Frozen<ReplicaSet>;

/** A new size of a ReplicaSet. */
export interface Scaling {
  readonly set: ReplicaSetView;
  readonly replicas: number;
}

/** The ReplicaSets of a Deployment. */
export interface Generations {
  /** The ReplicaSet with the Deployment's template, if it exists. */
  readonly newest: ReplicaSetView | undefined;
  /** The others, oldest first. */
  readonly old: readonly ReplicaSetView[];
}

export function sizeOf({ spec }: ReplicaSetView): number {
  return spec.replicas ?? 1;
}

export function totalSize(sets: readonly ReplicaSetView[]): number {
  return sets.reduce((sum, set) => sum + sizeOf(set), 0);
}

export function allOf({ newest, old }: Generations): ReplicaSetView[] {
  return newest ? [...old, newest] : [...old];
}

/** Returns the size that the newest ReplicaSet may have now, in a rolling update. */
export function newestSize(existing: number, otherPods: number, { replicas, surge }: Bounds): number {
  if (existing > replicas) return replicas;
  const room = replicas + surge - otherPods - existing;
  return room > 0 ? Math.min(replicas, existing + room) : existing;
}

/**
 * Returns the next step of scaling down the old ReplicaSets in a rolling update: first Pods that are not available, then
 * as many others as may be unavailable. Oldest ReplicaSets first.
 */
export function oldScalings({ newest, old }: Generations, bounds: Bounds): Scaling[] {
  const all = newest ? [...old, newest] : old;
  const minAvailable = bounds.replicas - bounds.unavailable;
  const starting = newest ? sizeOf(newest) - availableOf(newest) : 0;
  const budget = totalSize(all) - minAvailable - starting;
  if (totalSize(old) === 0 || budget <= 0) return [];
  const sizes = new Map(old.map((set) => [set, sizeOf(set)]));
  shrink(sizes, budget, (set, size) => Math.max(0, size - availableOf(set)));
  const available = all.reduce((sum, set) => sum + availableOf(set), 0);
  if (available > minAvailable) shrink(sizes, available - minAvailable, (_, size) => size);
  return old.flatMap((set) => changed(set, sizes.get(set) ?? 0));
}

/** Takes at most `budget` replicas from the sets, in order, and from each set at most `removable`. */
function shrink(
  sizes: Map<ReplicaSetView, number>,
  budget: number,
  removable: (set: ReplicaSetView, size: number) => number,
): void {
  let left = budget;
  for (const [set, size] of sizes) {
    const removed = Math.min(left, size, removable(set, size));
    sizes.set(set, size - removed);
    left -= removed;
  }
}

/**
 * Returns the scalings of a Deployment whose `replicas` changed, or that is paused. In the middle of a rolling update,
 * all active ReplicaSets are scaled in proportion to their sizes.
 */
export function proportionalScalings(generations: Generations, bounds: Bounds, rolling: boolean): Scaling[] {
  const { newest, old } = generations;
  const active = allOf(generations).filter((set) => sizeOf(set) > 0);
  const only = active.length <= 1 ? (active[0] ?? newest ?? old.at(-1)) : undefined;
  if (only) return isScaledTo(only, bounds.replicas) ? [] : [{ set: only, replicas: bounds.replicas }];
  if (newest && isSaturated(newest, bounds.replicas)) return old.flatMap((set) => changed(set, 0));
  return rolling ? inProportion(active, bounds) : [];
}

/** Returns true if the Deployment has scaled the ReplicaSet to all its replicas. */
function isScaledTo(set: ReplicaSetView, replicas: number): boolean {
  return sizeOf(set) === replicas && desiredOf(set) === replicas;
}

/** Returns true if the ReplicaSet has all replicas of the Deployment, and they are available. */
function isSaturated(set: ReplicaSetView, replicas: number): boolean {
  return isScaledTo(set, replicas) && availableOf(set) === replicas;
}

function inProportion(active: readonly ReplicaSetView[], { replicas, surge }: Bounds): Scaling[] {
  const allowed = replicas > 0 ? replicas + surge : 0;
  const former = totalSize(active);
  let left = allowed - former;
  const growing = left > 0;
  const bySize = active.toSorted(
    (a, b) => sizeOf(b) - sizeOf(a) || (growing ? olderFirst(b, a) : olderFirst(a, b)),
  );
  const sizes = new Map<ReplicaSetView, number>();
  for (const set of bySize) {
    const share = left === 0 ? 0 : shareOf(set, { replicas: allowed, left, former });
    sizes.set(set, sizeOf(set) + share);
    left -= share;
  }
  const [largest] = bySize;
  if (largest && left !== 0) sizes.set(largest, Math.max(0, (sizes.get(largest) ?? 0) + left));
  return bySize.map((set) => ({ set, replicas: sizes.get(set) ?? 0 })); // also unchanged ones: their annotations change
}

interface Share {
  /** Replicas of all ReplicaSets after the change. */
  readonly replicas: number;
  /** Replicas that are not distributed yet: negative if there are too many. */
  readonly left: number;
  /** Replicas of all ReplicaSets before the change, for a set that does not record them. */
  readonly former: number;
}

/** Returns how many replicas the ReplicaSet gains, or loses if negative. */
function shareOf(set: ReplicaSetView, { replicas, left, former }: Share): number {
  const size = sizeOf(set);
  const before = maxOf(set) || former;
  const share = Math.round((size * replicas) / before) - size;
  return left > 0 ? Math.min(share, left) : Math.max(share, left);
}

/** Compares ReplicaSets so that the older one comes first. */
export function olderFirst(a: ReplicaSetView, b: ReplicaSetView): number {
  return createdMs(a) - createdMs(b) || (a.metadata.name < b.metadata.name ? -1 : 1);
}

function createdMs({ metadata }: ReplicaSetView): number {
  return timestampMs(metadata.creationTimestamp ?? "") || 0;
}

function changed(set: ReplicaSetView, replicas: number): Scaling[] {
  return sizeOf(set) === replicas ? [] : [{ set, replicas }];
}

function availableOf({ status }: ReplicaSetView): number {
  return status?.availableReplicas ?? 0;
}
