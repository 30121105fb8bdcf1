import type { Frozen } from "../../api/index.ts";
import { type Deployment, ReplicaSet } from "../../api/types/apps/v1.ts";
import { isNotFound } from "../../client/index.ts";
import type { Context } from "../../controller/index.ts";
import { revisionOf } from "./annotations.ts";
import { sizeOf } from "./rollout-plan.ts";

/** Deletes the old ReplicaSets without Pods beyond `revisionHistoryLimit`, lowest revisions first. */
export async function deleteHistory(
  { spec }: Frozen<Deployment>,
  old: readonly Frozen<ReplicaSet>[],
  { client }: Context,
): Promise<void> {
  const limit = spec.revisionHistoryLimit ?? 10;
  const live = old.filter(({ metadata }) => !metadata.deletionTimestamp);
  const byRevision = live.toSorted((a, b) => revisionOf(a) - revisionOf(b));
  for (const set of byRevision.slice(0, Math.max(0, live.length - limit))) {
    if (!isEmpty(set)) continue;
    await client.delete(ReplicaSet, set).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  }
}

/** Returns true if the ReplicaSet has no Pods, and its controller knows that it should have none. */
function isEmpty(set: Frozen<ReplicaSet>): boolean {
  const { status, metadata } = set;
  const observed = (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0);
  return sizeOf(set) === 0 && (status?.replicas ?? 0) === 0 && observed;
}
