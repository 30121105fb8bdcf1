export interface ConflictLimits {
  /** Minimum number of conflicts. */
  readonly minConflicts: number;
  /** Minimum share of conflicts among all writes, from 0 to 1. */
  readonly share: number;
  readonly withinMs: number;
}

/** Counts how many writes of a controller fail with 409 Conflict. */
export class ConflictRate {
  readonly #limits: ConflictLimits;
  #sinceMs = 0;
  #writes = 0;
  #conflicts = 0;

  constructor(limits: ConflictLimits) {
    this.#limits = limits;
  }

  recordWrite(nowMs: number): void {
    this.#startWindow(nowMs);
    this.#writes += 1;
  }

  /** Counts a conflict. Returns the counts if they are too high, and resets them. */
  recordConflict(nowMs: number): { readonly conflicts: number; readonly writes: number } | undefined {
    this.recordWrite(nowMs);
    this.#conflicts += 1;
    const { minConflicts, share } = this.#limits;
    const [conflicts, writes] = [this.#conflicts, this.#writes];
    if (conflicts < minConflicts || conflicts / writes < share) return undefined;
    this.#sinceMs = nowMs;
    this.#writes = this.#conflicts = 0;
    return { conflicts, writes };
  }

  #startWindow(nowMs: number): void {
    if (nowMs - this.#sinceMs <= this.#limits.withinMs) return;
    this.#sinceMs = nowMs;
    this.#writes = this.#conflicts = 0;
  }
}
