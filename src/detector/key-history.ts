import type { KubeObject } from "../api/index.ts";
import { BoundedMap } from "../base/index.ts";

/** A write this long after the previous one to the same object is unrelated to it. */
export const memoryMs = 600_000;

/** The recent writes of one key of a controller, as far as they are needed to detect a loop or a fight. */
export class KeyHistory {
  readonly controller: string;
  readonly key: string;
  /** Monotonic time of the last use. */
  usedMs = 0;
  /** Number of objects created in consecutive reconciles that only own writes triggered. */
  created = 0;
  /** Number of repetitions of each write in those reconciles, by object and fields. Cleared when the sequence ends. */
  readonly repetitions: Map<string, number> = new Map();
  /** The objects that were written for the key, by kind and key. */
  readonly #targets = new Map<string, WrittenObject>();
  #requeues = { sinceMs: 0, count: 0 };

  constructor(controller: string, key: string) {
    this.controller = controller;
    this.key = key;
  }

  target(id: string): WrittenObject | undefined {
    return this.#targets.get(id);
  }

  /** Returns `undefined` if the object is not known and the limit is reached. */
  ensureTarget(id: string): WrittenObject | undefined {
    const known = this.#targets.get(id);
    if (known || this.#targets.size >= maxTargets) return known;
    const target = new WrittenObject();
    this.#targets.set(id, target);
    return target;
  }

  /** Counts a repetition of this write and returns the number of repetitions. */
  repeated(write: string): number {
    const times = (this.repetitions.get(write) ?? 0) + 1;
    if (times > 1 || this.repetitions.size < maxTargets) this.repetitions.set(write, times);
    return times;
  }

  /** Ends the sequence: something else triggered the reconcile, or it wrote nothing. */
  endSequence(): void {
    this.repetitions.clear();
    this.created = 0;
  }

  /** Counts a requeue. Returns the count within the time window, and starts a new window if it is over. */
  requeued(nowMs: number, withinMs: number): { readonly count: number; readonly sinceMs: number } {
    const { count, sinceMs } = this.#requeues;
    if (count === 0 || nowMs - sinceMs > withinMs) this.#requeues = { sinceMs: nowMs, count: 0 };
    this.#requeues.count += 1;
    return this.#requeues;
  }

  forgetRequeues(): void {
    this.#requeues = { sinceMs: 0, count: 0 };
  }
}

/** Maximum number of objects per key. Further objects are not observed. */
const maxTargets = 64;

/** The recent writes of a key to one object. */
export class WrittenObject {
  /** True if the same key has deleted the object and not written it since. */
  deletedByKey = false;
  /** Resource version in the response to the last write. */
  version: string | undefined;
  /** The object in the response to the last write, while the object is suspect. */
  after: KubeObject | undefined;
  /** Number of times that each field was set back to its earlier value. */
  readonly contested: Map<string, number> = new Map();
  /** True if the other writer has been reported. */
  reported = false;
  /** True if the last write made a new version without changes: the cache had missed another writer's update. */
  cacheStale = false;
  /** Number of consecutive writes that did not change the stored object. */
  futile = 0;
  /** Number of writes that made a new version, each within `memoryMs` of the previous one. */
  #writes = 0;
  #lastMs = 0;
  /** Number of own deletes whose event has not arrived yet. */
  #deletions = 0;
  /** Number of consecutive comparisons without a finding. */
  #unsuspicious = 0;
  #trustedUntilMs = 0;

  /** Returns true if the object is written repeatedly, so that it is worth comparing it before and after a write. */
  isSuspect(nowMs: number): boolean {
    return this.#writes >= 2 && nowMs >= this.#trustedUntilMs && nowMs - this.#lastMs <= memoryMs;
  }

  /** @param write Its `moved` is true if the write made a new version. */
  recordWrite({ version, moved, nowMs }: WriteRecord): void {
    if (nowMs - this.#lastMs > memoryMs) this.#forget();
    if (moved) this.#writes += 1;
    this.version = version;
    this.#lastMs = nowMs;
    this.deletedByKey = false;
  }

  recordDelete(): void {
    this.deletedByKey = true;
    this.#deletions += 1;
  }

  /** Returns true if a delete event is the echo of an own delete. Each own delete matches one event. */
  takeDeleteEcho(): boolean {
    if (this.#deletions === 0) return false;
    this.#deletions -= 1;
    return true;
  }

  /**
   * Records a comparison. After many without a finding, the object is trusted for a while, so that frequent writes for
   * good reasons stay cheap.
   */
  recordComparison(found: boolean, nowMs: number): void {
    this.#unsuspicious = found ? 0 : this.#unsuspicious + 1;
    if (this.#unsuspicious < maxUnsuspicious) return;
    this.#forget();
    this.#trustedUntilMs = nowMs + memoryMs;
  }

  #forget(): void {
    this.#writes = 0;
    this.#unsuspicious = 0;
    this.after = undefined;
    this.cacheStale = false;
    this.contested.clear();
  }
}

const maxUnsuspicious = 16;

export interface WriteRecord {
  readonly version: string;
  readonly moved: boolean;
  readonly nowMs: number;
}

/** Records which key of which controller made each recent version of an object. */
export class Writers {
  /** Writers by `resourceVersion`. Events of writes arrive within seconds, so old entries are evicted. */
  readonly #byVersion = new BoundedMap<KeyHistory>(10_000);

  of(resourceVersion: string | undefined): KeyHistory | undefined {
    return resourceVersion === undefined ? undefined : this.#byVersion.get(resourceVersion);
  }

  /** Records the writer, unless the version has one: a write that changes nothing gets the existing version. */
  add(resourceVersion: string, writer: KeyHistory): void {
    this.#byVersion.add(resourceVersion, writer);
  }
}
