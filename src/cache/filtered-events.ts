import type { KubeObject } from "../api/index.ts";
import type { Entry } from "./objects/entry.ts";
import { type Change, eventOf, type ObjectEvent } from "./objects/object-event.ts";
import { release, retain } from "./objects/slab.ts";

/**
 * Makes the events for a handler with a filter. It keeps the objects that it has delivered, so that every `added` is
 * followed by a `deleted` in the end, even if the result of the filter depends on more than the object.
 */
export class FilteredEvents<T extends KubeObject> {
  readonly #filter: (object: T) => boolean;
  /** Last delivered version of each object that passes the filter, by key. Retained. */
  readonly #delivered = new Map<string, Entry>();

  constructor(filter: (object: T) => boolean) {
    this.#filter = filter;
  }

  /** Returns the event of a change, or `undefined` if the handler is not notified of it. */
  of(change: Change): ObjectEvent<T> | undefined {
    const previous = this.#delivered.get(change.entry.key);
    const event = this.#eventOf(change, previous);
    if (previous) release(previous); // an event that contains it has retained it
    return event;
  }

  #eventOf(change: Change, previous: Entry | undefined): ObjectEvent<T> | undefined {
    const { type, entry } = change;
    const { key } = entry;
    if (type === "deleted") return this.#delivered.delete(key) ? eventOf(change) : undefined;
    const event = eventOf<T>(change);
    if (!this.#filter(event.object)) {
      this.#delivered.delete(key);
      return previous && eventOf({ type: "deleted", entry: previous, missed: false });
    }
    this.#delivered.set(key, entry);
    retain(entry);
    if (!previous) return type === "added" ? event : eventOf({ type: "added", entry, initial: false });
    return type === "updated" ? event : eventOf({ type: "updated", entry, previous, resync: false });
  }
}
