/**
 * Leader election by a Lease: of many replicas one works, and another takes over when it is gone.
 *
 * It takes turns with client-go's electors on the same Lease. It promises that a replica knows by its own clock when it
 * leads no longer, before another may, also after it stood still for a while; that writes over a `fenced` transport
 * do not leave after that; and that the lease is given back when the work has ended, not before.
 *
 * It does not promise that what has left arrives in time: a write that the network held back for longer than
 * `leaseDurationMs - renewDeadlineMs` may arrive under the next leader. Nor does it stand clocks whose speeds differ by more
 * than these two do.
 *
 * @module
 */
export {
  type CheckOptions,
  Elector,
  type ElectorOptions,
  type Lead,
  type LeadershipEvent,
} from "./elector.ts";
export { type Fence, fenced, NotLeaderError } from "./fenced.ts";
export { LeadershipLostError } from "./term.ts";
export type { ElectionTiming } from "./timing.ts";
