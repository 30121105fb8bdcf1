import type { KubeObject } from "../api/index.ts";
import { type ObjectEvent, releaseEvent } from "../cache/index.ts";
import { changedPaths, type Reason, type ReasonEvent } from "./reason.ts";

/**
 * A reason that comes from an event. Computes `changed` and `echo` when they are read, because an event may arrive
 * before the response to the write that caused it.
 */
export class EventReason implements Reason {
  readonly kind: string;
  readonly #isOwn: (resourceVersion: string) => boolean;
  readonly #event: ObjectEvent<KubeObject>;
  #changed: readonly string[] | undefined;
  /** Number of keys that are still to be reconciled for this event. Infinite if other code may hold the event. */
  #refCount: number;
  /** True once the event was released. It must not be read then. */
  #released = false;

  constructor(kind: string, { event, shared }: EventSource, isOwn: (resourceVersion: string) => boolean) {
    this.kind = kind;
    this.#isOwn = isOwn;
    this.#event = event;
    this.#refCount = shared ? Number.POSITIVE_INFINITY : 0;
  }

  /** Adds a reference, for a key that is queued with this reason. */
  retain(): void {
    this.#refCount += 1;
  }

  /** Drops a reference. The last one releases the event. */
  release(): void {
    this.#refCount -= 1;
    this.#released = this.#refCount <= 0;
    if (this.#released) releaseEvent(this.#event);
  }

  get key(): string {
    return this.#event.key;
  }

  /** Resource version of the object in the event. Reading it does not parse the object. */
  get resourceVersion(): string {
    return this.#event.resourceVersion;
  }

  get event(): ReasonEvent {
    const event = this.#event;
    return event.type === "updated" && event.resync ? "resync" : event.type;
  }

  get echo(): boolean {
    return this.#isOwn(this.#event.resourceVersion);
  }

  get changed(): readonly string[] {
    const event = this.#event;
    if (event.type !== "updated" || (this.#released && !this.#changed)) return none;
    this.#changed ??= changedPaths(event.previous, event.object);
    return this.#changed;
  }

  /** Returns the paths that differ between the object before the event `first` and after this one. */
  changedSince(first: EventReason): readonly string[] {
    const [from, to] = [first.#event, this.#event];
    if (from.type !== "updated" || to.type !== "updated" || first.#released || this.#released) return none;
    return changedPaths(from.previous, to.object);
  }

  /** Returns the reason for logs. */
  toJSON(): Reason {
    const { kind, key, event, changed, echo } = this;
    return { kind, key, event, changed, echo };
  }
}

const none: readonly never[] = [];

export interface EventSource {
  readonly event: ObjectEvent<KubeObject>;
  /** True if other code may hold the event and read it at any time. */
  readonly shared: boolean;
}
