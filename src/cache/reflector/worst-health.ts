import type { WatchHealth } from "./watch-health.ts";

/** Combines the health of several watches: each field has the worst of their values. */
export function worstHealth(all: readonly WatchHealth[]): WatchHealth {
  const [first, ...others] = all;
  if (!first) throw new TypeError("expected at least one watch, got none");
  return others.reduce(worse, first);
}

function worse(a: WatchHealth, b: WatchHealth): WatchHealth {
  const one = severity[a.phase] >= severity[b.phase] ? a : b;
  return {
    ...one,
    resourceVersion: isListed(a) && isListed(b) ? one.resourceVersion : undefined,
    lastHeardMs: worst(Math.min, a.lastHeardMs, b.lastHeardMs),
    silentMs: worst(Math.max, a.silentMs, b.silentMs),
    lastEventMs: later(a.lastEventMs, b.lastEventMs),
    restarts: a.restarts + b.restarts,
    lastError: one.lastError ?? a.lastError ?? b.lastError,
  };
}

function isListed({ resourceVersion }: WatchHealth): boolean {
  return resourceVersion !== undefined;
}

const severity = { watching: 0, listing: 1, empty: 2, waiting: 3, closed: 4 } satisfies Record<
  WatchHealth["phase"],
  number
>;

/** Returns the worse of two times. `undefined`, a watch that has received nothing, is the worst. */
function worst(
  choose: (a: number, b: number) => number,
  a: number | undefined,
  b: number | undefined,
): number | undefined {
  return a === undefined || b === undefined ? undefined : choose(a, b);
}

function later(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}
