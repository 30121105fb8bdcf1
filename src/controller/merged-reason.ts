import { maxReasons } from "../queue/index.ts";
import { EventReason } from "./event-reason.ts";
import type { Reason, ReasonEvent } from "./reason.ts";

/**
 * Adds a reason to the reasons of a key. Reasons with the same object and event type are merged into one. If there are
 * more than 16, the oldest reason about an object is dropped. Reasons without an object (retry, requeue, poll,
 * external) are kept: there are few of them, and the reconciler needs to see a retry.
 */
export function mergeReason(reasons: Reason[], added: Reason): void {
  const at = reasons.findLastIndex((each) => isMergeable(each, added));
  const [older] = at < 0 ? [] : reasons.splice(at, 1);
  if (!older && reasons.length >= maxReasons) dropOldest(reasons);
  reasons.push(older ? merged(older, added) : added);
}

function isMergeable(one: Reason, other: Reason): boolean {
  return one.key === other.key && one.kind === other.kind && one.event === other.event;
}

function merged(older: Reason, newer: Reason): Reason {
  if (!(newer instanceof EventReason || newer instanceof MergedReason)) return newer;
  if (older instanceof EventReason) return new MergedReason(older, newer);
  if (older instanceof MergedReason) older.add(newer);
  return older;
}

function dropOldest(reasons: Reason[]): void {
  const at = reasons.findIndex(({ kind }) => kind !== "");
  for (const dropped of reasons.splice(Math.max(at, 0), 1)) releaseReason(dropped);
}

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
