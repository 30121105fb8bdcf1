import { expect, test } from "vitest";
import type { WatchHealth } from "./watch-health.ts";
import { worstHealth } from "./worst-health.ts";

const good: WatchHealth = {
  phase: "watching",
  sinceMs: 10,
  resourceVersion: "5",
  lastHeardMs: 90,
  silentMs: 10,
  lastEventMs: 80,
  restarts: 1,
};

test("the health of one watch is unchanged", () => {
  expect(worstHealth([good])).toEqual(good);
});

test("several watches have the worst phase, the sum of restarts and the longest silence", () => {
  const lastError = new Error("no");
  const bad: WatchHealth = {
    phase: "waiting",
    sinceMs: 20,
    lastHeardMs: 30,
    silentMs: 70,
    lastEventMs: 85,
    restarts: 2,
    lastError,
  };
  for (const both of [
    [good, bad],
    [bad, good],
  ]) {
    expect(worstHealth(both)).toEqual({
      phase: "waiting",
      sinceMs: 20,
      lastHeardMs: 30,
      silentMs: 70,
      lastEventMs: 85,
      restarts: 3,
      lastError,
    });
  }
});

test("a watch without any bytes leaves the times undefined", () => {
  const never: WatchHealth = { phase: "listing", sinceMs: 5, restarts: 0 };
  expect(worstHealth([good, never, good])).toMatchObject({
    phase: "listing",
    lastHeardMs: undefined,
    silentMs: undefined,
    lastEventMs: 80,
  });
});

test("watches of which one has no list yet have no resource version, in every phase of the others", () => {
  const {
    resourceVersion: _,
    silentMs: __,
    lastHeardMs: ___,
    ...unlisted
  } = { ...good, phase: "listing" } as const;
  const silent: WatchHealth = { ...good, phase: "waiting", silentMs: 500_000 };
  for (const both of [
    [silent, unlisted],
    [unlisted, silent],
  ]) {
    expect(worstHealth(both)).toMatchObject({
      phase: "waiting",
      resourceVersion: undefined,
      silentMs: undefined,
    });
  }
});
