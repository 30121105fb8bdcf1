import fc from "fast-check";
import { test } from "vitest";
import { type Mishap, places, play, randomMishaps } from "./deployment.fixture.ts";

const mishaps = fc.array(
  fc.record<Mishap>({
    atMs: fc.integer({ min: 0, max: 240_000 }),
    place: fc.nat({ max: places - 1 }),
    forMs: fc.oneof(fc.integer({ min: 0, max: 8_000 }), fc.integer({ min: 8_000, max: 45_000 })),
    what: fc.constantFrom(...randomMishaps),
  }),
  { minLength: 4, maxLength: 16 },
);

/** For more runs: ELECTION_RUNS=200 FC_SEED=<number> npx vitest run src/election/election.property.test.ts */
const runs = Number(process.env.ELECTION_RUNS ?? 10);

test("under random faults of replicas and the network, two replicas never lead at the same time and writes never interleave", async () => {
  await fc.assert(
    fc.asyncProperty(mishaps, fc.nat(), (plan, seed) => play(plan, seed)),
    { numRuns: runs, endOnFailure: true },
  );
}, 600_000);

test("a replica that wakes up without a connection does not lead again when its wall clock is set back", async () => {
  const plan: Mishap[] = [
    { atMs: 95_101, place: 2, forMs: 40_778, what: "asleep" },
    { atMs: 132_452, place: 2, forMs: 9_439, what: "cut off" },
    { atMs: 140_255, place: 2, forMs: 0, what: "clock set back" },
  ];
  await play(plan, 5);
});
