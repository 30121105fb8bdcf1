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

/** More of them: ELECTION_RUNS=200 FC_SEED=<number> npx vitest run src/election/election.property.test.ts */
const runs = Number(process.env.ELECTION_RUNS ?? 10);

test("whatever befalls replicas and the network, never do two lead at a time, nor write in turns", async () => {
  await fc.assert(
    fc.asyncProperty(mishaps, fc.nat(), (plan, seed) => play(plan, seed)),
    { numRuns: runs, endOnFailure: true },
  );
}, 600_000);
