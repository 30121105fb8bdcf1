import type { KubeObject } from "../../api/index.ts";
import { unreachable } from "../../base/index.ts";
import type { EntryDelta } from "./delta-queue.ts";
import type { Entry } from "./entry.ts";
import { isOlder } from "./is-older.ts";
import type { Change } from "./object-event.ts";
import { release, retain } from "./slab.ts";
import type { Store } from "./store.ts";

/** The context in which deltas are applied. */
export interface Batch {
  /**
   * Resource version up to which the store had the collection before this batch. An event that is older, of an object
   * that is not in the store, is outdated: the object was deleted since.
   */
  readonly appliedVersion: string;
  readonly notify: (change: Change) => void;
}

/**
 * Applies a delta to the store, and notifies of the changes. A version that the store has, or an older one, changes
 * nothing.
 *
 * The store decides whether an object is added or updated, not the type of the delta. Objects of a list (`replaced`)
 * are applied even if they are older, because resource versions start over when the storage of the server is restored.
 */
export function applyDelta<T extends KubeObject>(
  store: Store<T>,
  delta: EntryDelta,
  { appliedVersion, notify }: Batch,
): void {
  const { entry } = delta;
  const stored = store.entry(entry.namespace, entry.name);
  if (stored) retain(stored); // until the handlers have retained it
  apply(store, delta, { stored, appliedVersion, notify });
  if (stored) release(stored);
}

function apply<T extends KubeObject>(
  store: Store<T>,
  delta: EntryDelta,
  { stored, appliedVersion, notify }: Batch & { readonly stored: Entry | undefined },
): void {
  const { entry } = delta;
  switch (delta.type) {
    case "added":
    case "updated":
    case "replaced":
      if (stored === entry) return;
      if (
        delta.type !== "replaced" &&
        isOlder(entry.resourceVersion, stored?.resourceVersion ?? appliedVersion)
      )
        return;
      store.put(entry);
      return notifyPut(delta, stored, notify);
    case "deleted":
      if (!stored || isOlder(entry.resourceVersion, stored.resourceVersion)) return;
      store.remove(entry.namespace, entry.name);
      return notify({ type: "deleted", entry, missed: delta.missed });
    case "sync":
      if (stored) notify({ type: "updated", entry: stored, previous: stored, resync: true });
      return;
    default:
      return unreachable(delta);
  }
}

/** Notifies of a put. An object that was recreated while the watch was down becomes a missed delete and an add. */
function notifyPut(delta: EntryDelta, previous: Entry | undefined, notify: Batch["notify"]): void {
  const { type, entry } = delta;
  if (!previous) return notify({ type: "added", entry, initial: type === "replaced" && delta.initial });
  if (type === "updated" || entry.metadata().uid === previous.metadata().uid) {
    return notify({ type: "updated", entry, previous, resync: false });
  }
  notify({ type: "deleted", entry: previous, missed: true });
  notify({ type: "added", entry, initial: false });
}
