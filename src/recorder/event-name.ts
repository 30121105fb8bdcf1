import { below, type Rng, uuid } from "../base/index.ts";
import type { RecordedEvent } from "./recorded-event.ts";

/**
 * Returns a function that generates unique event names: the object's name and the time in nanoseconds, of which the
 * part below a millisecond is a counter.
 */
export function eventNames(rng: Rng): (event: RecordedEvent) => string {
  let next = below(rng, perMs);
  return ({ regarding, atMs }) => {
    next = (next + 1) % perMs;
    const nanos = BigInt(Math.floor(atMs)) * BigInt(perMs) + BigInt(next);
    const name = `${regarding.name}.${nanos.toString(16)}`;
    return name.length <= maxLength && subdomain.test(name) ? name : uuid(rng);
  };
}

const perMs = 1_000_000;
const maxLength = 253;
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
