import type { KubeObject } from "../api/index.ts";
import { asError, type Clock } from "../base/index.ts";
import { isConflict } from "../client/index.ts";
import { ConflictRate } from "./conflict-rate.ts";
import type { Finding, Findings } from "./findings.ts";
import { KeyHistory, memoryMs, type Writers } from "./key-history.ts";

/** Thresholds of the detector's findings. */
export interface DetectorLimits {
  /** Number of consecutive writes of the same fields, each triggered only by own writes, that is a loop. @default 10 */
  readonly loops?: number | undefined;
  /** Number of times that a field is set back after another writer changed it that is a fight. @default 3 */
  readonly fights?: number | undefined;
  /** Number of requeues of one key within a minute that is a storm. @default 100 */
  readonly requeues?: number | undefined;
  /** Share of a minute's writes that fail with 409 Conflict that is too high, from 20 conflicts on. @default 0.2 */
  readonly conflictShare?: number | undefined;
}

export type Limits = { readonly [name in keyof DetectorLimits]-?: number };

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

  recordWrite(): void {
    this.#conflicts.recordWrite(this.nowMs);
  }

  /** Records that a write to an object of this kind failed. */
  recordError(kind: string, error: unknown): void {
    if (!isConflict(error)) return this.recordWrite();
    const found = this.#conflicts.recordConflict(this.nowMs);
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
