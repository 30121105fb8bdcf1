/** Adds a reason to those kept for a key, oldest first. It changes `kept`, and must keep its length bounded. */
export type MergeReason<R> = (kept: R[], added: R) => void;

/** How many reasons of one key are kept. */
export const maxReasons = 16;

/** Keeps the newest 16 reasons. */
export function keepNewest<R>(kept: R[], added: R): void {
  if (kept.length >= maxReasons) kept.shift();
  kept.push(added);
}

/** The reasons for which one key was added, merged as they come, so that their number is bounded. */
export class ReasonList<R> {
  /** The reasons that are kept, oldest first. */
  reasons: readonly R[] = none;
  /** How many were added, including those that `reasons` no longer has. */
  reasonCount = 0;
  /** `reasons`, once it is an array of this list and not of the caller. */
  #own: R[] | undefined = undefined;

  /** A first single reason stays in the caller's array: most keys are added once before they are taken. */
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

/** Reasons, and how many they stand for. */
export interface Reasons<R> {
  readonly reasons?: readonly R[] | undefined;
  /** @default the number of `reasons` */
  readonly reasonCount?: number | undefined;
}

const none: readonly never[] = [];
