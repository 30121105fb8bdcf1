import type { KubeObject } from "../api/index.ts";
import type { Entry } from "./entry.ts";
import { type Change, eventOf, type ObjectEvent } from "./object-event.ts";
import { release, retain } from "./slab.ts";

/**
 * What a handler with a filter is told of changes. It remembers what it has told, so that whatever was told as added is
 * told as deleted in the end, also by a filter that looks at more than the object.
 */
export class FilteredEvents<T extends KubeObject> {
  readonly #filter: (object: T) => boolean;
  /** What holds now, as it was told last. */
  readonly #told = new Map<string, Entry>();

  constructor(filter: (object: T) => boolean) {
    this.#filter = filter;
  }

  of(change: Change): ObjectEvent<T> | undefined {
    const previous = this.#told.get(change.entry.key);
    const event = this.#eventOf(change, previous);
    if (previous) release(previous); // the event retains it, if it has it
    return event;
  }

  #eventOf(change: Change, previous: Entry | undefined): ObjectEvent<T> | undefined {
    const { type, entry } = change;
    const { key } = entry;
    if (type === "deleted") return this.#told.delete(key) ? eventOf(change) : undefined;
    const event = eventOf<T>(change);
    if (!this.#filter(event.object)) {
      this.#told.delete(key);
      return previous && eventOf({ type: "deleted", entry: previous, missed: false });
    }
    this.#told.set(key, entry);
    retain(entry);
    if (!previous) return type === "added" ? event : eventOf({ type: "added", entry, initial: false });
    return type === "updated" ? event : eventOf({ type: "updated", entry, previous, resync: false });
  }
}
