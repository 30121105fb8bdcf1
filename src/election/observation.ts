import type { Clock } from "../base/index.ts";
import { type ElectionRecord, sameRecord } from "./election-record.ts";

/**
 * The last observed record of the lease, and since when it is unchanged by the local clock.
 *
 * Times in the record are by its writer's clock and are not compared: a record is valid for its duration from when it
 * was first observed here.
 */
export class Observation {
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
