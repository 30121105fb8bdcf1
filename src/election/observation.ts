import type { Clock } from "../base/index.ts";
import { type ElectionRecord, sameRecord } from "./election-record.ts";

/**
 * What was last seen of the lease, and since when by the local clock.
 *
 * Times in the record are its writer's and are compared with nothing: a record counts as long as it says, from when it
 * was first seen here.
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

  /** @param sinceMs by the monotonic clock. @default now */
  see(record: ElectionRecord, sinceMs: number = this.#clock.monotonic()): void {
    if (this.#record && sameRecord(this.#record, record)) return;
    this.#record = record;
    this.#sinceMs = sinceMs;
  }

  /** How long the lease is its holder's yet. Zero or less where nobody holds it. */
  get leftMs(): number {
    if (!this.#record?.holder) return 0;
    return this.#record.leaseDurationSeconds * 1000 - this.ageMs;
  }

  /** How long ago the record was first seen. */
  get ageMs(): number {
    return this.#clock.monotonic() - this.#sinceMs;
  }
}
