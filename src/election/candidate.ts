import { type Clock, type Logger, microTimestamp } from "../base/index.ts";
import { ApiError, isConflict } from "../client/index.ts";
import type { ElectionMeter } from "./election-meter.ts";
import type { ElectionRecord } from "./election-record.ts";
import type { LeaseLock } from "./lease-lock.ts";
import { Observation } from "./observation.ts";
import { type Moment, momentOf } from "./term.ts";

export interface CandidateOptions {
  readonly lock: LeaseLock;
  readonly identity: string;
  readonly leaseDurationMs: number;
  readonly meter: ElectionMeter;
  readonly log: Logger;
  readonly clock: Clock;
}

/** What came of one attempt. */
export type Attempt =
  /** The lease is ours, by a write that was sent then: not when its answer came, which may be much later. */
  | { readonly type: "held"; readonly sent: Moment }
  /** It is somebody else's. */
  | { readonly type: "refused"; readonly holder: string };

/** Tries for the lease, once at a time; when to try is its owner's business. What goes wrong is thrown. */
export class Candidate {
  readonly observation: Observation;
  readonly #options: CandidateOptions;
  /** Whether a write was sent that may have made the lease ours, also one whose answer never came. */
  #wrote = false;

  constructor(options: CandidateOptions) {
    this.#options = options;
    this.observation = new Observation(options.clock);
  }

  /** @param leading whether the lease is ours by what we know, so that it need not be read before it is renewed. */
  async attempt(leading: boolean, signal: AbortSignal): Promise<Attempt> {
    return (leading && (await this.#renewAtOnce(signal))) || this.#lookAndTake(leading, signal);
  }

  /**
   * Gives the lease back if it is ours, so that the next need not wait for its end.
   * It is read first: a renewal that was called off may have reached the server.
   */
  async release(signal: AbortSignal): Promise<void> {
    while (this.#wrote) {
      const found = await this.#options.lock.get(signal);
      if (found?.holder !== this.#options.identity || (await this.#empty(found, signal))) this.#wrote = false;
    }
  }

  async #renewAtOnce(signal: AbortSignal): Promise<Attempt | undefined> {
    const { record } = this.observation;
    if (!record) return undefined;
    try {
      return await this.#update(record, signal);
    } catch (error) {
      signal.throwIfAborted();
      this.#options.log.debug("could not renew the lease unread", { error });
      return undefined;
    }
  }

  /** A leader that finds the lease in other hands, or given back, has lost it: another has led, and may have written. */
  async #lookAndTake(leading: boolean, signal: AbortSignal): Promise<Attempt> {
    const found = await this.#options.lock.get(signal);
    if (found) this.observation.see(found);
    if (leading && found && found.holder !== this.#options.identity)
      return { type: "refused", holder: found.holder };
    const other = this.#heldByOther();
    if (other !== undefined) return { type: "refused", holder: other };
    if (!found) return this.#create(signal);
    if (found.holder === this.#options.identity) this.#options.meter.tookSlowPath();
    return this.#update(found, signal);
  }

  /** A lease that was deleted is still its holder's for as long as it was given. */
  #heldByOther(): string | undefined {
    const { record, leftMs } = this.observation;
    return record && record.holder !== this.#options.identity && leftMs > 0 ? record.holder : undefined;
  }

  #create(signal: AbortSignal): Promise<Attempt> {
    const now = this.#now();
    return this.#hold({ ...this.#claim(now), acquireTime: now, transitions: 0 }, (record) =>
      this.#options.lock.create(record, signal),
    );
  }

  /** Of ours, the beginning stays; of another's, a new time begins. */
  #update(found: ElectionRecord, signal: AbortSignal): Promise<Attempt> {
    const ours = found.holder === this.#options.identity;
    const now = this.#now();
    const acquireTime = ours ? found.acquireTime : now;
    const transitions = ours ? found.transitions : found.transitions + 1;
    return this.#hold({ ...this.#claim(now), acquireTime, transitions }, (record) =>
      this.#options.lock.update(record, signal),
    );
  }

  async #hold(record: ElectionRecord, write: (record: ElectionRecord) => Promise<void>): Promise<Attempt> {
    const sent = momentOf(this.#options.clock);
    const before = this.#wrote;
    this.#wrote = true;
    try {
      await write(record);
    } catch (error) {
      if (isRefusal(error)) this.#wrote = before;
      throw error;
    }
    this.observation.see(record, sent.monotonicMs);
    return { type: "held", sent };
  }

  /** Says whether it was done: not where the lease changed after it was read. */
  async #empty({ transitions }: ElectionRecord, signal: AbortSignal): Promise<boolean> {
    const now = this.#now();
    const record = { holder: "", leaseDurationSeconds: 1, acquireTime: now, renewTime: now, transitions };
    try {
      await this.#options.lock.update(record, signal);
    } catch (error) {
      if (isConflict(error)) return false;
      throw error;
    }
    this.observation.see(record);
    return true;
  }

  #claim(now: string): Pick<ElectionRecord, "holder" | "leaseDurationSeconds" | "renewTime"> {
    const { identity, leaseDurationMs } = this.#options;
    return { holder: identity, leaseDurationSeconds: leaseDurationMs / 1000, renewTime: now };
  }

  #now(): string {
    return microTimestamp(this.#options.clock.now());
  }
}

/** The server has said no, and so has not done it. */
function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.code < 500;
}
