import { maxReasons } from "../queue/index.ts";
import { EventReason } from "./event-reason.ts";
import { MergedReason, releaseReason } from "./merged-reason.ts";
import type { Reason } from "./reason.ts";

/**
 * Adds a reason to those of a key. Reasons of one event type about one object become one. Of more than 16, the oldest about
 * an object is dropped: reasons that are not about an object (retry, requeue, poll, external) are few, and the reconciler
 * has to know of a retry.
 */
export function mergeReason(kept: Reason[], added: Reason): void {
  const at = kept.findLastIndex((each) => isAlike(each, added));
  const [alike] = at < 0 ? [] : kept.splice(at, 1);
  if (!alike && kept.length >= maxReasons) dropOldest(kept);
  kept.push(alike ? merged(alike, added) : added);
}

function isAlike(one: Reason, other: Reason): boolean {
  return one.key === other.key && one.kind === other.kind && one.event === other.event;
}

function merged(older: Reason, newer: Reason): Reason {
  if (!(newer instanceof EventReason || newer instanceof MergedReason)) return newer;
  if (older instanceof EventReason) return new MergedReason(older, newer);
  if (older instanceof MergedReason) older.add(newer);
  return older;
}

function dropOldest(kept: Reason[]): void {
  const at = kept.findIndex(({ kind }) => kind !== "");
  for (const dropped of kept.splice(Math.max(at, 0), 1)) releaseReason(dropped);
}
