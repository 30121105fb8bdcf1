import { type Clock, type Logger, microTimestamp } from "../base/index.ts";
import { ApiError, isConflict } from "../client/index.ts";
import type { ClockWatch, Moment } from "./clock-watch.ts";
import type { ElectionMeter } from "./election-meter.ts";
import { type ElectionRecord, sameRecord } from "./election-record.ts";
import type { LeaseLock } from "./lease-lock.ts";

export interface CandidateOptions {
  readonly lock: LeaseLock;
  readonly identity: string;
  readonly leaseDurationMs: number;
  readonly meter: ElectionMeter;
  readonly log: Logger;
  readonly clock: Clock;
  readonly watch: ClockWatch;
}

/** The result of one attempt. */
export type Attempt =
  /** This process holds the lease. `sent` is when the write was sent, because its response may arrive much later. */
  | { readonly type: "held"; readonly sent: Moment }
  /** Another process holds the lease. */
  | { readonly type: "refused"; readonly holder: string };

/** Tries to acquire or renew the lease, one attempt at a time. The owner decides when to try. Failures are thrown. */
export class Candidate {
  readonly observation: Observation;
  readonly #options: CandidateOptions;
  /** True if a write was sent that may have acquired the lease, even if its response never arrived. */
  #wrote = false;

  constructor(options: CandidateOptions) {
    this.#options = options;
    this.observation = new Observation(options.clock);
  }

  /** @param leading True if this process holds the lease, so that it can renew without a read. */
  async attempt(leading: boolean, signal: AbortSignal): Promise<Attempt> {
    return (leading && (await this.#renewWithoutRead(signal))) || this.#readAndWrite(leading, signal);
  }

  /**
   * Releases the lease if this process holds it, so that the next leader need not wait for its expiry. It reads the
   * lease first, because an aborted renewal may have reached the server.
   */
  async release(signal: AbortSignal): Promise<void> {
    while (this.#wrote) {
      const found = await this.#options.lock.get(signal);
      if (found?.holder !== this.#options.identity || (await this.#clearHolder(found, signal)))
        this.#wrote = false;
    }
  }

  async #renewWithoutRead(signal: AbortSignal): Promise<Attempt | undefined> {
    const { record } = this.observation;
    if (!record) return undefined;
    try {
      return await this.#update(record, signal);
    } catch (error) {
      signal.throwIfAborted();
      this.#options.log.debug("renewal without a read failed", { error });
      return undefined;
    }
  }

  /**
   * Reads the lease and writes it if it is free. A leader that finds another holder, or none, has lost the lease:
   * another process may have led and written.
   */
  async #readAndWrite(leading: boolean, signal: AbortSignal): Promise<Attempt> {
    const found = await this.#options.lock.get(signal);
    if (found) this.observation.observe(found);
    if (leading && found && found.holder !== this.#options.identity)
      return { type: "refused", holder: found.holder };
    const other = this.#heldByOther();
    if (other !== undefined) return { type: "refused", holder: other };
    if (!found) return this.#create(signal);
    if (found.holder === this.#options.identity) this.#options.meter.tookSlowPath();
    return this.#update(found, signal);
  }

  /** Returns the other holder of the lease, if any. A deleted lease counts as held until it would have expired. */
  #heldByOther(): string | undefined {
    const { record, remainingMs } = this.observation;
    return record && record.holder !== this.#options.identity && remainingMs > 0 ? record.holder : undefined;
  }

  #create(signal: AbortSignal): Promise<Attempt> {
    const now = this.#now();
    return this.#write({ ...this.#heldFields(now), acquireTime: now, transitions: 0 }, (record) =>
      this.#options.lock.create(record, signal),
    );
  }

  /** Renews our lease with its acquire time, or takes over an expired one with a new acquire time. */
  #update(found: ElectionRecord, signal: AbortSignal): Promise<Attempt> {
    const ours = found.holder === this.#options.identity;
    const now = this.#now();
    const acquireTime = ours ? found.acquireTime : now;
    const transitions = ours ? found.transitions : found.transitions + 1;
    return this.#write({ ...this.#heldFields(now), acquireTime, transitions }, (record) =>
      this.#options.lock.update(record, signal),
    );
  }

  async #write(record: ElectionRecord, write: (record: ElectionRecord) => Promise<void>): Promise<Attempt> {
    const sent = this.#options.watch.read();
    const before = this.#wrote;
    this.#wrote = true;
    try {
      await write(record);
    } catch (error) {
      if (isRejected(error)) this.#wrote = before;
      throw error;
    }
    this.observation.observe(record, sent.monotonicMs);
    return { type: "held", sent };
  }

  /** Returns false if the lease changed after it was read. */
  async #clearHolder({ transitions }: ElectionRecord, signal: AbortSignal): Promise<boolean> {
    const now = this.#now();
    const record = { holder: "", leaseDurationSeconds: 1, acquireTime: now, renewTime: now, transitions };
    try {
      await this.#options.lock.update(record, signal);
    } catch (error) {
      if (isConflict(error)) return false;
      throw error;
    }
    this.observation.observe(record);
    return true;
  }

  #heldFields(now: string): Pick<ElectionRecord, "holder" | "leaseDurationSeconds" | "renewTime"> {
    const { identity, leaseDurationMs } = this.#options;
    return { holder: identity, leaseDurationSeconds: leaseDurationMs / 1000, renewTime: now };
  }

  #now(): string {
    return microTimestamp(this.#options.clock.now());
  }
}

/** Returns true if the server rejected the write, so that it had no effect. */
function isRejected(error: unknown): boolean {
  return error instanceof ApiError && error.code < 500;
}

/**
 * The last observed record of the lease, and since when it is unchanged by the local clock.
 *
 * Times in the record are by its writer's clock and are not compared: a record is valid for its duration from when it
 * was first observed here.
 */
class Observation {
  readonly #clock: Clock;
  #record: ElectionRecord | undefined;
  #sinceMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get record(): ElectionRecord | undefined {
    return this.#record;
  }

  /** @param sinceMs By the monotonic clock. @default now */
  observe(record: ElectionRecord, sinceMs: number = this.#clock.monotonic()): void {
    if (this.#record && sameRecord(this.#record, record)) return;
    this.#record = record;
    this.#sinceMs = sinceMs;
  }

  /** Remaining time of the lease. Zero or less if it is free or has expired. */
  get remainingMs(): number {
    if (!this.#record?.holder) return 0;
    return this.#record.leaseDurationSeconds * 1000 - this.ageMs;
  }

  /** Time since the record was first observed. */
  get ageMs(): number {
    return this.#clock.monotonic() - this.#sinceMs;
  }
}
