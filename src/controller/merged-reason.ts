import { EventReason } from "./event-reason.ts";
import type { Reason, ReasonEvent } from "./reason.ts";

/** Several events of one type about one object, as one reason: the first and the newest of them are retained. */
export class MergedReason implements Reason {
  readonly #first: EventReason;
  #newest: EventReason;
  /** True if every event except the newest was this controller's own write. */
  #ownBefore: boolean;
  /** The changed paths, with the event for which they were computed. */
  #changed: { readonly newest: EventReason; readonly paths: readonly string[] } | undefined = undefined;

  /** Takes over the reference of `first`, and of every reason that is added. */
  constructor(first: EventReason, newer: EventReason | MergedReason) {
    this.#first = first;
    this.#newest = first;
    this.#ownBefore = true;
    this.add(newer);
  }

  /**
   * Adds a newer reason. It can now be decided whether the previous events were own writes: the response to a write
   * arrives before the next write of the same object, and so before the event of that write.
   */
  add(newer: EventReason | MergedReason): void {
    const before = this.#newest;
    const merged = newer instanceof MergedReason;
    this.#ownBefore &&= before.echo && (!merged || newer.#ownBefore);
    this.#newest = merged ? newer.#newest : newer;
    if (before !== this.#first) before.release();
    if (merged) newer.#first.release();
  }

  /** Releases the events, which must not be read afterwards. */
  release(): void {
    this.#first.release();
    this.#newest.release();
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

  /** True if an event before the newest was not this controller's own write. */
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

  /** Returns the reason for logs. */
  toJSON(): Reason {
    const { kind, key, event, changed, echo } = this;
    return { kind, key, event, changed, echo };
  }
}

/** Releases the events of a reason. The reason must not be read afterwards. */
export function releaseReason(reason: Reason): void {
  if (reason instanceof EventReason || reason instanceof MergedReason) reason.release();
}
