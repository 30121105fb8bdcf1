import type { KubeObject, ObjectKey } from "../api/index.ts";
import type { Overlay } from "../cache/index.ts";
import type { Deletion } from "../client/index.ts";

/** The uid that an overlay had for an object before a delete was sent. */
interface CachedBefore {
  readonly overlay: Overlay<KubeObject>;
  readonly uid: string | undefined;
}

interface RecordedDeletion {
  /** `undefined` if the server had no such object. */
  readonly deletion: Exclude<Deletion<KubeObject>, { readonly type: "stays" }> | undefined;
  readonly rollbacks: ReadonlyMap<Overlay<KubeObject>, number>;
}

/** Marks the deleted object as absent in an overlay, and the cached object too if it has another uid. */
export function recordDeletion(
  key: ObjectKey,
  { overlay, uid: cachedUid }: CachedBefore,
  { deletion, rollbacks: counts }: RecordedDeletion,
): void {
  const rollbacks = counts.get(overlay);
  const removed = deletion?.type === "removed" ? deletion.object.metadata : undefined;
  const uid = deletion?.type === "status" ? deletion.uid : removed?.uid;
  if (cachedUid !== undefined && cachedUid !== uid)
    overlay.recordDelete(key, { uid: cachedUid }, { rollbacks });
  if (uid !== undefined) overlay.recordDelete(key, { uid, uncertain: !removed }, { rollbacks });
}
