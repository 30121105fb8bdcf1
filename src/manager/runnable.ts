import type { Logger } from "../base/index.ts";
import type { Client } from "../client/index.ts";
import type { Cache } from "../controller/index.ts";
import type { EventRecorder } from "../recorder/index.ts";

/** Work that runs beside the controllers: a server, a timer, a clean-up at startup. */
export interface Runnable {
  /** Name in logs and messages, unique within a manager. */
  readonly name: string;
  /**
   * Called when the caches have synced. It may end when its work is done, and must end when the signal aborts. A
   * rejection before that stops the manager.
   */
  readonly run: (context: RunnableContext) => Promise<void>;
  /**
   * Runs in every replica, also on standbys, where its client may write. @default false: runs only in the leader, and
   * its client rejects writes after leadership has ended
   */
  readonly everywhere?: boolean | undefined;
}

/** The context of a runnable. */
export interface RunnableContext {
  /**
   * Reads declared kinds from the cache, own writes included. Unless the runnable runs everywhere, writes are rejected
   * with a `NotLeaderError` after leadership has ended.
   */
  readonly client: Client;
  readonly cache: Cache;
  readonly events: EventRecorder;
  /** Has the field `runnable`. */
  readonly log: Logger;
  readonly signal: AbortSignal;
}

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
