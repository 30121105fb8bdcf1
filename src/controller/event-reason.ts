import type { KubeObject } from "../api/index.ts";
import { type ObjectEvent, releaseEvent } from "../cache/index.ts";
import { changedPaths, type Reason, type ReasonEvent } from "./reason.ts";

/**
 * Why a key was queued, from an event. What changed, and whether it was our own doing, is found out when somebody asks:
 * an event may come before the answer to the write that it tells of.
 */
export class EventReason implements Reason {
  readonly kind: string;
  readonly #isOwn: (resourceVersion: string) => boolean;
  readonly #event: ObjectEvent<KubeObject>;
  #changed: readonly string[] | undefined;
  /** How many keys it was queued for that are yet to be reconciled, or may be looked at by others for ever. */
  #uses: number;
  /** The event is looked at no more. */
  #over = false;

  constructor(kind: string, { event, shared }: ReasonOf, isOwn: (resourceVersion: string) => boolean) {
    this.kind = kind;
    this.#isOwn = isOwn;
    this.#event = event;
    this.#uses = shared ? Number.POSITIVE_INFINITY : 0;
  }

  /** It is queued for one key more. */
  use(): void {
    this.#uses += 1;
  }

  /** Of those that it was queued for, one is reconciled, and nobody will look at it for that any more. */
  letGo(): void {
    this.#uses -= 1;
    this.#over = this.#uses <= 0;
    if (this.#over) releaseEvent(this.#event);
  }

  get key(): string {
    return this.#event.key;
  }

  /** Of that object, as the event had it. Costs no parsing. */
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
    if (event.type !== "updated" || (this.#over && !this.#changed)) return none;
    this.#changed ??= changedPaths(event.previous, event.object);
    return this.#changed;
  }

  /** Returns the paths that differ between the object before the event `first` and after this one. */
  changedSince(first: EventReason): readonly string[] {
    const [from, to] = [first.#event, this.#event];
    if (from.type !== "updated" || to.type !== "updated" || first.#over || this.#over) return none;
    return changedPaths(from.previous, to.object);
  }

  /** As logs show it. */
  toJSON(): Reason {
    const { kind, key, event, changed, echo } = this;
    return { kind, key, event, changed, echo };
  }
}

const none: readonly never[] = [];

export interface ReasonOf {
  readonly event: ObjectEvent<KubeObject>;
  /** Whether others may have the event too, and look at it at any time. */
  readonly shared: boolean;
}

/** A reason that is no event of an object. */
export function reasonOf(event: ReasonEvent, key: string): Reason {
  return { kind: "", key, event, changed: [], echo: false };
}
