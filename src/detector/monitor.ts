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
  /** Of all controllers of the manager. */
  readonly writers: Writers;
  readonly clock: Clock;
  /** Whether the controller declares `owns` of the kind, and this object has no owner of the primary kind. */
  readonly isUnowned?: IsUnowned | undefined;
}

export type IsUnowned = (kind: string, object: KubeObject) => boolean;

/** Looks at one controller: remembers of its reconciles what the next `Observation` has to know. */
export class Monitor {
  readonly controller: string;
  readonly limits: Limits;
  readonly writers: Writers;
  readonly isUnowned: IsUnowned;
  readonly #findings: Findings;
  readonly #clock: Clock;
  readonly #conflicts: ConflictRate;
  /** What was last of use stands last. */
  readonly #histories = new Map<string, KeyHistory>();
  /** Until then none of them is old enough to be forgotten: to look for the first takes long where many have moved. */
  #fullUntilMs = Number.NEGATIVE_INFINITY;

  constructor({ controller, limits, findings, writers, clock, isUnowned }: MonitorOptions) {
    this.isUnowned = isUnowned ?? (() => false);
    this.controller = controller;
    this.limits = limits;
    this.writers = writers;
    this.#findings = findings;
    this.#clock = clock;
    const share = limits.conflictShare;
    this.#conflicts = new ConflictRate({ least: 20, share, withinMs: minuteMs });
  }

  get nowMs(): number {
    return this.#clock.monotonic();
  }

  history(key: string): KeyHistory | undefined {
    return this.#histories.get(key);
  }

  /**
   * `undefined` where so many keys are remembered that this one is not. Those that are being worked on stay: a loop of
   * all keys is seen in those that are remembered.
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

  /** Looks at what was done, and is no trouble to who did it. */
  guard(look: () => void): void {
    try {
      look();
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

  /** A write of such an object failed. */
  refused(kind: string, error: unknown): void {
    if (!isConflict(error)) return this.wrote();
    const found = this.#conflicts.refused(this.nowMs);
    if (!found) return;
    this.report({
      cause: "conflicts",
      about: "",
      message: "many writes are refused since the object has changed since it was read (409 Conflict)",
      advice:
        "use `apply` or `patch`, which need no version, for what is yours alone; for `update`, read again and try again " +
        "(`retryOnConflict`); let one controller write a field",
      fields: { ...found, withinMs: minuteMs, kind },
    });
  }

  /** A key is to be reconciled again after so long, though nothing may happen until then. */
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
      message: "a key is reconciled again and again because it asks to be",
      advice:
        "wait longer, or be told instead of asking: `owns` and `watches` for objects, `external` for everything else",
      fields: {
        key,
        times: counted.count,
        withinMs: Math.round(nowMs - counted.sinceMs),
        requeueAfterMs: afterMs,
      },
    });
  }

  #hasRoom(): boolean {
    if (this.#histories.size < mostKeys) return true;
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
const mostKeys = 2000;
