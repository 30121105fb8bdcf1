import type { AnyKind } from "../api/index.ts";

/** The state of one informer of a factory. */
export interface SyncState {
  readonly kind: AnyKind;
  /** The kind with the selectors of its view. */
  readonly name: string;
  readonly hasAllSynced: boolean;
}

/** At least one informer of a factory did not sync. `cause` is the first failure, such as a `SyncError`. */
export class FactorySyncError extends Error {
  override readonly name: string = "FactorySyncError";
  /** Kinds whose informer has synced and delivered its first list, at the time of the failure. */
  readonly synced: readonly AnyKind[];
  /** The other kinds: those that failed, and those that are still waiting. */
  readonly unsynced: readonly AnyKind[];

  constructor(informers: readonly SyncState[], cause: Error) {
    const synced = informers.filter(({ hasAllSynced }) => hasAllSynced);
    const unsynced = informers.filter(({ hasAllSynced }) => !hasAllSynced);
    const states = `; not synced: ${namesOf(unsynced)}; synced: ${namesOf(synced)}`;
    super(cause.message + (informers.length > 1 ? states : ""), { cause });
    this.synced = synced.map(({ kind }) => kind);
    this.unsynced = unsynced.map(({ kind }) => kind);
  }
}

function namesOf(informers: readonly SyncState[]): string {
  return informers.length === 0 ? "none" : informers.map(({ name }) => name).join(", ");
}
