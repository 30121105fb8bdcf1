/**
 * Merges a reason into those of a key, which are ordered oldest first. It mutates `reasons` and must bound its length.
 */
export type MergeReason<R> = (reasons: R[], added: R) => void;

/** Maximum number of reasons that `keepNewest` keeps per key. */
export const maxReasons = 16;

/** Keeps the newest 16 reasons. */
export function keepNewest<R>(reasons: R[], added: R): void {
  if (reasons.length >= maxReasons) reasons.shift();
  reasons.push(added);
}

/** The reasons for which one key was added. They are merged as they arrive, so that their number is bounded. */
export class ReasonList<R> {
  /** The merged reasons, oldest first. */
  reasons: readonly R[] = none;
  /** Number of reasons added, including merged and dropped ones. */
  reasonCount = 0;
  /** `reasons`, if it is this list's own array and not the caller's. */
  #own: R[] | undefined = undefined;

  /**
   * Adds reasons. A single first reason stays in the caller's array, because most keys are added once before they are
   * taken.
   */
  addReasons({ reasons: added = none, reasonCount = added.length }: Reasons<R>, merge: MergeReason<R>): void {
    this.reasonCount += reasonCount;
    if (added.length === 0) return;
    if (added.length === 1 && this.reasons.length === 0) {
      this.reasons = added;
      return;
    }
    this.#own ??= [...this.reasons];
    for (const reason of added) merge(this.#own, reason);
    this.reasons = this.#own;
  }

  clearReasons(): void {
    this.reasons = none;
    this.reasonCount = 0;
    this.#own = undefined;
  }
}

/** Reasons, and the number of reasons that they represent. */
export interface Reasons<R> {
  readonly reasons?: readonly R[] | undefined;
  /** @default the number of `reasons` */
  readonly reasonCount?: number | undefined;
}

const none: readonly never[] = [];
