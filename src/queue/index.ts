/**
 * The work queue: it hands each key to one worker at a time.
 *
 * Guarantees: a key that is added while it is queued is processed once; a key that is added while it is processed is
 * queued again afterwards; no accepted key is lost; no key starves behind keys of a higher priority. The queue does not
 * interpret keys. It keeps state for a bounded number of idle keys; limiters keep the number of retries of each key.
 *
 * @module
 */

export type { Lease } from "./lease.ts";
export {
  atMost,
  type Limiter,
  maxOf,
  type PerKeyBackoffOptions,
  type PerKeyFastSlowOptions,
  perKeyBackoff,
  perKeyFastSlow,
  tokenBucket,
} from "./limiters.ts";
export { type MergeReason, maxReasons, ReasonList, type Reasons } from "./reason-list.ts";
export { type AddOptions, WorkQueue, type WorkQueueOptions } from "./work-queue.ts";
