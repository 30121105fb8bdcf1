import type { Client } from "../client/index.ts";
import type { Cache, Controller } from "../controller/index.ts";
import type { Runnable } from "./runnable.ts";
import type { RunnableHandle } from "./runnable-handle.ts";

/** Runs controllers: caches, leader election, startup and shutdown. */
export interface Manager {
  /**
   * Reads declared kinds from the cache, own writes included. With leader election, writes are rejected with a
   * `NotLeaderError` unless this process is the leader. Throws before `ready`.
   */
  readonly client: Client;
  readonly cache: Cache;
  /**
   * Resolves when every cache has synced, including those of controllers that wait for a missing kind. Rejects if the
   * sync fails or the manager stops first.
   */
  readonly ready: Promise<void>;
  /**
   * True if every object has been delivered and no key is queued or being reconciled. Keys that wait for a retry or a
   * requeue do not count. False for a standby, which has yet to reconcile everything.
   */
  readonly idle: boolean;
  /**
   * Adds a controller or runnable, also while the manager runs. If it cannot start, for example because of a missing
   * permission, the `ready` of its handle rejects, the error is logged, and the manager continues. Throws if the name
   * or the field manager is in use, or the manager has ended.
   */
  add(part: Controller | Runnable): RunnableHandle;
  /** Runs until the signal aborts, drains, and resolves. Rejects if an essential part fails. May be called once. */
  run(options: { readonly signal: AbortSignal }): Promise<void>;
  /**
   * Runs until `work` settles, drains, and returns its result, for tests and programs that end. Rejects if `work` or
   * the manager fails.
   */
  runUntil<T>(work: Promise<T>): Promise<T>;
}
