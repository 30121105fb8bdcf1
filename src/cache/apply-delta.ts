import { compareResourceVersions, type KubeObject } from "../api/index.ts";
import { unreachable } from "../base/index.ts";
import type { Delta } from "./delta-queue.ts";
import type { Entry } from "./entry.ts";
import type { Change } from "./object-event.ts";
import { release, retain } from "./slab.ts";
import type { Store } from "./store.ts";

/** What deltas are applied with. */
export interface Batch {
  /** How far the collection was before: an object that is older and not there has been deleted since. */
  readonly reached: string;
  readonly notify: (change: Change) => void;
}

/**
 * Brings the store up to a delta, and tells what that changed there: nothing, where the store has that version or a
 * newer one. Whether an object is new or changed is for the store to say, not for the delta. A list is always right,
 * whatever versions it has: they begin anew where a server's storage was restored.
 */
export function applyDelta<T extends KubeObject>(
  store: Store<T>,
  delta: Delta,
  { reached, notify }: Batch,
): void {
  const { entry } = delta;
  const known = store.entry(entry.namespace, entry.name);
  if (known) retain(known); // until it is told
  apply(store, delta, { known, reached, notify });
  if (known) release(known);
}

function apply<T extends KubeObject>(
  store: Store<T>,
  delta: Delta,
  { known, reached, notify }: Batch & { readonly known: Entry | undefined },
): void {
  const { entry } = delta;
  switch (delta.type) {
    case "added":
    case "updated":
    case "replaced":
      if (known === entry) return;
      if (delta.type !== "replaced" && isOlder(entry, known?.resourceVersion ?? reached)) return;
      store.put(entry);
      return notifyOf(delta, known, notify);
    case "deleted":
      if (!known || isOlder(entry, known.resourceVersion)) return;
      store.remove(entry.namespace, entry.name);
      return notify({ type: "deleted", entry, missed: delta.missed });
    case "sync":
      if (known) notify({ type: "updated", entry: known, previous: known, resync: true });
      return;
    default:
      return unreachable(delta);
  }
}

/** An object that was deleted and made again while nobody listened is told as just that. */
function notifyOf(delta: Delta, previous: Entry | undefined, notify: Batch["notify"]): void {
  const { type, entry } = delta;
  if (!previous) return notify({ type: "added", entry, initial: type === "replaced" && delta.initial });
  if (type === "updated" || entry.metadata().uid === previous.metadata().uid) {
    return notify({ type: "updated", entry, previous, resync: false });
  }
  notify({ type: "deleted", entry: previous, missed: true });
  notify({ type: "added", entry, initial: false });
}

/** Not, where there is no order: a server behind an aggregated API may have versions of its own kind. */
function isOlder({ resourceVersion }: Entry, than: string): boolean {
  try {
    return compareResourceVersions(resourceVersion, than) < 0;
  } catch {
    return false; // `false` is the answer: what cannot be compared is taken as it comes
  }
}
