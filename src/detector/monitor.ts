import type { KubeObject } from "../api/index.ts";
import { asError, type Clock } from "../base/index.ts";
import { isConflict } from "../client/index.ts";
import { ConflictRate } from "./conflict-rate.ts";
import type { Finding, Findings } from "./findings.ts";
import { KeyHistory, memoryMs } from "./key-history.ts";
import type { Limits } from "./limits.ts";
import type { Writers } from "./writers.ts";

export interface MonitorOptions {
  readonly controller: string;
  readonly limits: Limits;
  readonly findings: Findings;
  /** Writers of all controllers of the manager. */
  readonly writers: Writers;
  readonly clock: Clock;
  /** Returns true if the controller declares `owns` of the kind and the object has no owner of the primary kind. */
  readonly isUnowned?: IsUnowned | undefined;
}

export type IsUnowned = (kind: string, object: KubeObject) => boolean;

/** Observes one controller, and keeps the history that the next `ReconcileObserver` needs. */
export class Monitor {
  readonly controller: string;
  readonly limits: Limits;
  readonly writers: Writers;
  readonly isUnowned: IsUnowned;
  readonly #findings: Findings;
  readonly #clock: Clock;
  readonly #conflicts: ConflictRate;
  /** Histories by key, in the order of their last use. */
  readonly #histories = new Map<string, KeyHistory>();
  /**
   * No history is old enough to be evicted before this time. It avoids a search through deleted map entries, which is
   * slow.
   */
  #fullUntilMs = Number.NEGATIVE_INFINITY;

  constructor({ controller, limits, findings, writers, clock, isUnowned }: MonitorOptions) {
    this.isUnowned = isUnowned ?? (() => false);
    this.controller = controller;
    this.limits = limits;
    this.writers = writers;
    this.#findings = findings;
    this.#clock = clock;
    const share = limits.conflictShare;
    this.#conflicts = new ConflictRate({ minConflicts: 20, share, withinMs: minuteMs });
  }

  get nowMs(): number {
    return this.#clock.monotonic();
  }

  history(key: string): KeyHistory | undefined {
    return this.#histories.get(key);
  }

  /**
   * Returns `undefined` if the key is not known and the limit is reached. Keys in use are kept: a loop of all keys is
   * detected in those that are known.
   */
  ensureHistory(key: string): KeyHistory | undefined {
    const known = this.#histories.get(key);
    if (!known && !this.#hasRoom()) return undefined;
    const history = known ?? new KeyHistory(this.controller, key);
    history.usedMs = this.nowMs;
    this.#histories.delete(key);
    this.#histories.set(key, history);
    return history;
  }

  /** Runs the detector's code, so that a failure in it does not affect the controller. */
  guard(observe: () => void): void {
    try {
      observe();
    } catch (error) {
      this.#findings.failed(asError(error));
    }
  }

  report(finding: Finding): void {
    this.#findings.report(finding);
  }

  wrote(): void {
    this.#conflicts.wrote(this.nowMs);
  }

  /** Records that a write to an object of this kind failed. */
  refused(kind: string, error: unknown): void {
    if (!isConflict(error)) return this.wrote();
    const found = this.#conflicts.refused(this.nowMs);
    if (!found) return;
    this.report({
      cause: "conflicts",
      about: "",
      message: "many writes fail with 409 Conflict, because the object changed after it was read",
      advice:
        "use `apply` or `patch`, which need no resource version, for fields of this controller; for `update`, read again and retry " +
        "(`retryOnConflict`); let one controller write a field",
      fields: { ...found, withinMs: minuteMs, kind },
    });
  }

  /** Records that a key is requeued after a delay. */
  requeued(key: string, afterMs: number): void {
    const { requeues } = this.limits;
    if (afterMs * requeues > minuteMs) return;
    const history = this.ensureHistory(key);
    const { nowMs } = this;
    const counted = history?.requeued(nowMs, minuteMs);
    if (!history || !counted || counted.count < requeues) return;
    history.forgetRequeues();
    this.report({
      cause: "requeues",
      about: "",
      message: "key is requeued too often by its own reconcile",
      advice:
        "requeue later, or use events instead of polling: `owns` and `watches` for objects, `external` for everything else",
      fields: {
        key,
        times: counted.count,
        withinMs: Math.round(nowMs - counted.sinceMs),
        requeueAfterMs: afterMs,
      },
    });
  }

  #hasRoom(): boolean {
    if (this.#histories.size < maxKeys) return true;
    const { nowMs } = this;
    if (nowMs <= this.#fullUntilMs) return false;
    for (const [key, { usedMs }] of this.#histories) {
      this.#fullUntilMs = usedMs + memoryMs;
      return nowMs > this.#fullUntilMs && this.#histories.delete(key);
    }
    return true;
  }
}

const minuteMs = 60_000;
const maxKeys = 2000;
