import { below, type Rng, uuid } from "../base/index.ts";
import type { RecordedEvent } from "./recorded-event.ts";

/** Gives events names that no other event has: the object's, and the time in nanoseconds, which is made up below a millisecond. */
export function eventNames(rng: Rng): (event: RecordedEvent) => string {
  let next = below(rng, perMs);
  return ({ regarding, atMs }) => {
    next = (next + 1) % perMs;
    const nanos = BigInt(Math.floor(atMs)) * BigInt(perMs) + BigInt(next);
    const name = `${regarding.name}.${nanos.toString(16)}`;
    return name.length <= longest && subdomain.test(name) ? name : uuid(rng);
  };
}

const perMs = 1_000_000;
const longest = 253;
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
