import type { LeaseSpec } from "../api/types/coordination/v1.ts";

/** What a Lease says about who leads. */
export interface ElectionRecord {
  /** Empty where nobody leads. */
  readonly holder: string;
  readonly leaseDurationSeconds: number;
  /** When the holder began to lead, by its own clock. */
  readonly acquireTime: string | undefined;
  /** When the holder last said that it leads, by its own clock: to see that it changed, never to be compared with ours. */
  readonly renewTime: string | undefined;
  /** How often the lease went from one holder to another. */
  readonly transitions: number;
}

/** What is absent is read as client-go reads it: nobody, no time at all, never. */
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
