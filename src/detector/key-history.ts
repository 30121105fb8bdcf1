import type { KubeObject } from "../api/index.ts";

/** After so long without a write, what an object went through before has nothing to do with what comes. */
export const memoryMs = 600_000;

/** What is remembered of one key of a controller: as much as tells a loop or a fight, for as long as it is worked on. */
export class KeyHistory {
  readonly controller: string;
  readonly key: string;
  /** When it was last of use. */
  usedMs = 0;
  /** Objects that were created in the row of reconciles that only own writes asked for. */
  created = 0;
  /** How often each write was seen in that row, by object and fields. Empty when the row ends. */
  readonly row: Map<string, number> = new Map();
  /** What was written for the key, by kind and key. */
  readonly #targets = new Map<string, Target>();
  #requeues = { sinceMs: 0, count: 0 };

  constructor(controller: string, key: string) {
    this.controller = controller;
    this.key = key;
  }

  target(id: string): Target | undefined {
    return this.#targets.get(id);
  }

  /** `undefined` where so many are remembered that this one is not. */
  ensureTarget(id: string): Target | undefined {
    const known = this.#targets.get(id);
    if (known || this.#targets.size >= mostTargets) return known;
    const target = new Target();
    this.#targets.set(id, target);
    return target;
  }

  /** How often this write was seen in the row, with this time. */
  again(write: string): number {
    const times = (this.row.get(write) ?? 0) + 1;
    if (times > 1 || this.row.size < mostTargets) this.row.set(write, times);
    return times;
  }

  /** Something else asked, or nothing was written. */
  endRow(): void {
    this.row.clear();
    this.created = 0;
  }

  /** Counts a requeue. Gives how many there were within the time, and begins anew where that is over. */
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

/** Who writes more objects for one key than this is not looked at for the rest. */
const mostTargets = 64;

/** What is remembered of one object that is written for a key. */
export class Target {
  /** Deleted by the same key, and not written since. */
  gone = false;
  /** The version that the last write was answered with. */
  version: string | undefined;
  /** What the last write was answered with, while it is looked at closely. */
  after: KubeObject | undefined;
  /** How often each field was set back to what it had been set to before. */
  readonly contested: Map<string, number> = new Map();
  /** Whether it was found out who contests it. */
  named = false;
  /** The last write made a version of what seemed to be the same: the cache was behind somebody else's write. */
  behind = false;
  /** Writes in a row that the server made nothing of. */
  futile = 0;
  /** Writes that made a version, each within the memory of the one before. */
  #writes = 0;
  #lastMs = 0;
  /** Own deletions that have not come back. */
  #deletions = 0;
  /** Looks in a row that found nothing. */
  #vain = 0;
  #calmUntilMs = 0;

  /** Written again and again: it is worth to compare what was there with what was made of it. */
  isSuspect(nowMs: number): boolean {
    return this.#writes >= 2 && nowMs >= this.#calmUntilMs && nowMs - this.#lastMs <= memoryMs;
  }

  /** @param write `moved` says whether it made a version */
  wrote({ version, moved, nowMs }: OneWrite): void {
    if (nowMs - this.#lastMs > memoryMs) this.#forget();
    if (moved) this.#writes += 1;
    this.version = version;
    this.#lastMs = nowMs;
    this.gone = false;
  }

  deleted(): void {
    this.gone = true;
    this.#deletions += 1;
  }

  /** Whether an event of its deletion is an own deletion coming back: each once. */
  echoedDeletion(): boolean {
    if (this.#deletions === 0) return false;
    this.#deletions -= 1;
    return true;
  }

  /** After many looks in vain there are none for a while: who writes a lot for good reasons does not pay for ever. */
  looked(found: boolean, nowMs: number): void {
    this.#vain = found ? 0 : this.#vain + 1;
    if (this.#vain < mostVain) return;
    this.#forget();
    this.#calmUntilMs = nowMs + memoryMs;
  }

  #forget(): void {
    this.#writes = 0;
    this.#vain = 0;
    this.after = undefined;
    this.behind = false;
    this.contested.clear();
  }
}

const mostVain = 16;

export interface OneWrite {
  readonly version: string;
  readonly moved: boolean;
  readonly nowMs: number;
}
