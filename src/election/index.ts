/**
 * Leader election with a Lease: one of several replicas works, and another takes over when it fails.
 *
 * It is compatible with client-go's electors on the same Lease. It promises that a replica knows by its own clock when
 * it no longer leads, before another replica may lead, even after a pause of the process; that a `fenced` transport
 * sends no write after that; and that the lease is released when the work has ended, not before.
 *
 * It does not promise that a sent write arrives in time: a write that the network delays for longer than
 * `leaseDurationMs - renewDeadlineMs` may arrive under the next leader. It does not tolerate clocks whose speeds differ
 * by more than the ratio of these two.
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
