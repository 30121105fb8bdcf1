/**
 * Keys to be worked on, each by one worker at a time.
 *
 * It promises that a key added while it waits leaves once, that a key added while it is out leaves again after it is
 * back, that nothing accepted is lost, and that no key waits for ever behind more urgent ones. It does not know what
 * keys stand for. Of keys that are neither waiting nor out it remembers a bounded number, and limiters their retries.
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
