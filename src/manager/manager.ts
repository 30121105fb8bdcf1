import type { Client } from "../client/index.ts";
import type { Cache, Controller } from "../controller/index.ts";
import type { Runnable } from "./runnable.ts";
import type { RunnableHandle } from "./runnable-handle.ts";

/** Runs controllers: their caches, their election, their start and their end. */
export interface Manager {
  /**
   * Reads declared kinds from the cache, own writes included. With leader election, writes are refused with a
   * `NotLeaderError` unless this process leads. Throws before `ready`.
   */
  readonly client: Client;
  readonly cache: Cache;
  /**
   * Resolves when every cache is filled, also of those controllers that wait for a kind. Rejects where that failed, or the
   * manager ended first.
   */
  readonly ready: Promise<void>;
  /**
   * Whether every object has been delivered and no key is queued or being reconciled. Keys that wait for a retry or a
   * requeue do not count. False for a standby, which has yet to reconcile everything.
   */
  readonly idle: boolean;
  /**
   * Takes on one more, also while it runs. What it cannot begin with, such as a missing right, is told by the `ready` of
   * what this gives and by the log; the manager goes on. Throws for a name or a field manager that is taken, and when the manager has ended.
   */
  add(part: Controller | Runnable): RunnableHandle;
  /** Runs until aborted, drains, and resolves; rejects if something essential failed. Once. */
  run(options: { readonly signal: AbortSignal }): Promise<void>;
  /**
   * Runs until `work` is done, drains, and gives what it gave: for tests and for programs that come to an end. Rejects with
   * what `work` or the manager failed with.
   */
  runUntil<T>(work: Promise<T>): Promise<T>;
}
