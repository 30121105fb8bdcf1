/** A controller or runnable of a manager, from when it is added until it is stopped. */
export interface RunnableHandle extends AsyncDisposable {
  readonly name: string;
  /**
   * Resolves when its caches are filled, or it has begun. Rejects where that failed, as where a kind or a right is missing,
   * or it was stopped first. Nobody has to look at it: it is in the log too.
   */
  readonly ready: Promise<void>;
  /**
   * Takes no more work, lets what was begun end within the manager's `drainMs`, and lets go of its caches; those that
   * others use stay. May be called again. Rejects where a reconcile does not end. Not to be awaited by its own reconcile.
   */
  stop(): Promise<void>;
}
