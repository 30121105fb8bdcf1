import type { WatchHealth } from "./watch-health.ts";

/** How several watches are together: each part as it is where it is worst. */
export function worstHealth(all: readonly WatchHealth[]): WatchHealth {
  const [first, ...others] = all;
  if (!first) throw new TypeError("expected the health of one watch or more, got none");
  return others.reduce(worse, first);
}

function worse(a: WatchHealth, b: WatchHealth): WatchHealth {
  const one = badness[a.phase] >= badness[b.phase] ? a : b;
  return {
    ...one,
    lastHeardMs: worst(Math.min, a.lastHeardMs, b.lastHeardMs),
    silentMs: worst(Math.max, a.silentMs, b.silentMs),
    lastEventMs: later(a.lastEventMs, b.lastEventMs),
    restarts: a.restarts + b.restarts,
    lastError: one.lastError ?? a.lastError ?? b.lastError,
  };
}

const badness = { watching: 0, listing: 1, empty: 2, waiting: 3, closed: 4 } satisfies Record<
  WatchHealth["phase"],
  number
>;

/** A watch that was never heard is the worst. */
function worst(
  of: (a: number, b: number) => number,
  a: number | undefined,
  b: number | undefined,
): number | undefined {
  return a === undefined || b === undefined ? undefined : of(a, b);
}

function later(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}
