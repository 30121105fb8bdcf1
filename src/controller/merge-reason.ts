import { maxReasons } from "../queue/index.ts";
import { EventReason } from "./event-reason.ts";
import { MergedReason, releaseReason } from "./merged-reason.ts";
import type { Reason } from "./reason.ts";

/**
 * Adds a reason to the reasons of a key. Reasons with the same object and event type are merged into one. If there are
 * more than 16, the oldest reason about an object is dropped. Reasons without an object (retry, requeue, poll,
 * external) are kept: there are few of them, and the reconciler needs to see a retry.
 */
export function mergeReason(reasons: Reason[], added: Reason): void {
  const at = reasons.findLastIndex((each) => isMergeable(each, added));
  const [older] = at < 0 ? [] : reasons.splice(at, 1);
  if (!older && reasons.length >= maxReasons) dropOldest(reasons);
  reasons.push(older ? merged(older, added) : added);
}

function isMergeable(one: Reason, other: Reason): boolean {
  return one.key === other.key && one.kind === other.kind && one.event === other.event;
}

function merged(older: Reason, newer: Reason): Reason {
  if (!(newer instanceof EventReason || newer instanceof MergedReason)) return newer;
  if (older instanceof EventReason) return new MergedReason(older, newer);
  if (older instanceof MergedReason) older.add(newer);
  return older;
}

function dropOldest(reasons: Reason[]): void {
  const at = reasons.findIndex(({ kind }) => kind !== "");
  for (const dropped of reasons.splice(Math.max(at, 0), 1)) releaseReason(dropped);
}
