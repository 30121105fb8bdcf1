export interface ConflictLimits {
  /** Fewer are no trouble, however few writes there are. */
  readonly least: number;
  /** Of all writes. */
  readonly share: number;
  readonly withinMs: number;
}

/** How many writes of a controller are refused since they were made from something older. */
export class ConflictRate {
  readonly #limits: ConflictLimits;
  #sinceMs = 0;
  #writes = 0;
  #conflicts = 0;

  constructor(limits: ConflictLimits) {
    this.#limits = limits;
  }

  wrote(nowMs: number): void {
    this.#begin(nowMs);
    this.#writes += 1;
  }

  /** Gives the count where it is too high, and begins anew. */
  refused(nowMs: number): { readonly conflicts: number; readonly writes: number } | undefined {
    this.wrote(nowMs);
    this.#conflicts += 1;
    const { least, share } = this.#limits;
    const [conflicts, writes] = [this.#conflicts, this.#writes];
    if (conflicts < least || conflicts / writes < share) return undefined;
    this.#sinceMs = nowMs;
    this.#writes = this.#conflicts = 0;
    return { conflicts, writes };
  }

  #begin(nowMs: number): void {
    if (nowMs - this.#sinceMs <= this.#limits.withinMs) return;
    this.#sinceMs = nowMs;
    this.#writes = this.#conflicts = 0;
  }
}
