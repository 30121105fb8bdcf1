/**
 * Keys to be worked on, each by one worker at a time.
 *
 * It promises that a key added while it waits leaves once, that a key added while it is out leaves again after it is
 * back, that nothing accepted is lost, and that no key waits for ever behind more urgent ones. It does not know what
 * keys stand for, and keeps nothing of a key that is neither waiting nor out, but for a limiter's count of its retries.
 *
 * @module
 */
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
export type { Lease } from "./ticket.ts";
export { type AddOptions, WorkQueue, type WorkQueueOptions } from "./work-queue.ts";
