import type { Logger } from "../base/index.ts";
import type { Client } from "../client/index.ts";
import type { Cache } from "../controller/index.ts";
import type { EventRecorder } from "../recorder/index.ts";

/** Work of one's own beside the controllers: a server, a timer, a clean-up at the start. */
export interface Runnable {
  /** In logs and messages. Its own within a manager. */
  readonly name: string;
  /**
   * Begins when the caches are filled. It may end when its work is done, and has to end when the signal aborts; what it
   * rejects with before that ends the manager.
   */
  readonly run: (context: RunnableContext) => Promise<void>;
  /**
   * Runs in every replica, also on standbys, where its client may write. @default false: only in the leader, and no write
   * of its client leaves after leadership ended
   */
  readonly everywhere?: boolean | undefined;
}

/** What a runnable is given. */
export interface RunnableContext {
  /**
   * Reads declared kinds from the cache, own writes included. Unless the runnable runs everywhere, writes are refused
   * with a `NotLeaderError` after leadership ended.
   */
  readonly client: Client;
  readonly cache: Cache;
  readonly events: EventRecorder;
  /** Names the runnable. */
  readonly log: Logger;
  readonly signal: AbortSignal;
}
