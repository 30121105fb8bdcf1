import { EventReason } from "./event-reason.ts";
import type { Reason, ReasonEvent } from "./reason.ts";

/** Several events of one type about one object, as one reason: the first and the newest of them are retained. */
export class MergedReason implements Reason {
  readonly #first: EventReason;
  #newest: EventReason;
  /** Whether every event but the newest was this controller's own write. */
  #ownBefore: boolean;
  /** What changed, for the newest event for which it was asked. */
  #changed: { readonly newest: EventReason; readonly paths: readonly string[] } | undefined = undefined;

  /** @param first takes over its reference, and that of every reason that is added */
  constructor(first: EventReason, newer: EventReason | MergedReason) {
    this.#first = first;
    this.#newest = first;
    this.#ownBefore = true;
    this.add(newer);
  }

  /**
   * Whether the events before were own writes is settled here: the response to a write comes before the response to the
   * next write of the same object, and so before the event of that one.
   */
  add(newer: EventReason | MergedReason): void {
    const before = this.#newest;
    const merged = newer instanceof MergedReason;
    this.#ownBefore &&= before.echo && (!merged || newer.#ownBefore);
    this.#newest = merged ? newer.#newest : newer;
    if (before !== this.#first) before.letGo();
    if (merged) newer.#first.letGo();
  }

  /** Releases the events, which must not be read afterwards. */
  letGo(): void {
    this.#first.letGo();
    this.#newest.letGo();
  }

  get kind(): string {
    return this.#newest.kind;
  }

  get key(): string {
    return this.#newest.key;
  }

  get event(): ReasonEvent {
    return this.#newest.event;
  }

  /** Resource version of the object in the newest event. */
  get resourceVersion(): string {
    return this.#newest.resourceVersion;
  }

  /** Whether some of the events were not this controller's own writes. */
  get foreign(): boolean {
    return !this.#ownBefore;
  }

  get echo(): boolean {
    return this.#ownBefore && this.#newest.echo;
  }

  /** Paths that differ between the object before the first event and after the newest. */
  get changed(): readonly string[] {
    const newest = this.#newest;
    if (this.#changed?.newest !== newest) this.#changed = { newest, paths: newest.changedSince(this.#first) };
    return this.#changed.paths;
  }

  /** As logs show it. */
  toJSON(): Reason {
    const { kind, key, event, changed, echo } = this;
    return { kind, key, event, changed, echo };
  }
}

/** Releases the events behind a reason that is not needed any more. */
export function releaseReason(reason: Reason): void {
  if (reason instanceof EventReason || reason instanceof MergedReason) reason.letGo();
}
