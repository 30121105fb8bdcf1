/** A controller or runnable of a manager, from when it is added until it is stopped. */
export interface RunnableHandle extends AsyncDisposable {
  readonly name: string;
  /**
   * Resolves when its caches have synced, or the runnable has started. Rejects if that fails, for example because of a
   * missing kind or permission, or if it is stopped first. The error is logged too, so the promise may be ignored.
   */
  readonly ready: Promise<void>;
  /**
   * Stops new work, gives running work the manager's `drainMs` to end, and releases its caches; shared caches stay. May
   * be called again. Rejects if a reconcile does not end. Must not be awaited by its own reconcile.
   */
  stop(): Promise<void>;
}
