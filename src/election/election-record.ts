import type { LeaseSpec } from "../api/types/coordination/v1.ts";

/** The contents of a Lease: the holder and its times. */
export interface ElectionRecord {
  /** Identity of the holder. Empty if the lease is free. */
  readonly holder: string;
  readonly leaseDurationSeconds: number;
  /** When the holder acquired the lease, by its own clock. */
  readonly acquireTime: string | undefined;
  /**
   * When the holder last renewed the lease, by its own clock. Only changes of it matter; it is never compared with the
   * local clock.
   */
  readonly renewTime: string | undefined;
  /** Number of changes of the holder. */
  readonly transitions: number;
}

/** Reads a LeaseSpec. Absent fields get client-go's defaults: no holder, zero duration, zero transitions. */
export function recordOf(spec: LeaseSpec | undefined = {}): ElectionRecord {
  return {
    holder: spec.holderIdentity ?? "",
    leaseDurationSeconds: spec.leaseDurationSeconds ?? 0,
    acquireTime: spec.acquireTime,
    renewTime: spec.renewTime,
    transitions: spec.leaseTransitions ?? 0,
  };
}

export function specOf(record: ElectionRecord): LeaseSpec {
  return {
    holderIdentity: record.holder,
    leaseDurationSeconds: record.leaseDurationSeconds,
    acquireTime: record.acquireTime,
    renewTime: record.renewTime,
    leaseTransitions: record.transitions,
  };
}

export function sameRecord(one: ElectionRecord, other: ElectionRecord): boolean {
  return (
    one.holder === other.holder &&
    one.leaseDurationSeconds === other.leaseDurationSeconds &&
    one.acquireTime === other.acquireTime &&
    one.renewTime === other.renewTime &&
    one.transitions === other.transitions
  );
}
