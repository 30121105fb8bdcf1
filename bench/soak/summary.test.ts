import { expect, test } from "vitest";
import type { Sample } from "./sample.ts";
import { renderSummary, verdicts } from "./summary.ts";

function sampled(memoryMb: number, timers = 5, standbyMb = 20): Sample {
  const counts = { writes: 10, events: 20, handled: 30, restarts: 4, reconciles: 40 };
  const replica = { leaderMb: 30, standbyMb, replicaHeapMb: 40, replicaRssMb: 301, retained: 3 };
  return { seconds: 1, memoryMb, rssMb: 100, sockets: 6, timers, ...replica, ...counts };
}

const warmUp = [sampled(900), sampled(800), sampled(700)];

test("the last third is compared with the first third after the warm-up", () => {
  const laps = [50, 51, 90, 52, 50, 51, 53, 10, 54].map((memoryMb) => sampled(memoryMb));
  expect(verdicts([...warmUp, ...laps])).toEqual([
    { name: "memory, MB", early: 51, late: 53, flat: true },
    { name: "leader, MB", early: 30, late: 30, flat: true },
    { name: "standby, MB", early: 20, late: 20, flat: true },
    { name: "sockets", early: 6, late: 6, flat: true },
    { name: "timers", early: 5, late: 5, flat: true },
  ]);
});

test("growth is named", () => {
  const laps = [sampled(50, 5), sampled(50, 8), sampled(60, 9, 25)];
  expect(verdicts([...warmUp, ...laps]).map(({ name, flat }) => [name, flat])).toEqual([
    ["memory, MB", false],
    ["leader, MB", true],
    ["standby, MB", false],
    ["sockets", true],
    ["timers", false],
  ]);
  expect(renderSummary([...warmUp, ...laps], { minutes: "2", seed: "7" })).toBe(
    [
      "2 minutes, seed 7: 6 times at rest, each time all copies were right",
      "  10 writes, 20 events, 30 keys processed, 4 watch restarts",
      "  40 reconciles of the leader beside one that never returns, none of the standby",
      "  3 events retained by a handler, and still the same",
      "  memory, MB   50 early, 60 late: GROWN",
      "  leader, MB   30 early, 30 late: flat",
      "  standby, MB  20 early, 25 late: GROWN",
      "  sockets      6 early, 6 late: flat",
      "  timers       5 early, 9 late: GROWN",
      "  rss          100 MB at the most, bound 300 MB: kept",
      "  replica rss  301 MB at the most, bound 300 MB: EXCEEDED",
      "  replica heap 40 MB at the most, bound 64 MB: kept",
      "",
    ].join("\n"),
  );
});
