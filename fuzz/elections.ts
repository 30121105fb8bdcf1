import { below, type Rng } from "../src/base/index.ts";
import { type Mishap, places, play, randomMishaps } from "../src/election/deployment.fixture.ts";
import { chance, drawSeed, pick } from "./draw.ts";
import type { FuzzTarget } from "./target.ts";

/**
 * Three replicas on virtual time that are stopped, cut off, killed and given wrong clocks. Two must never lead at the
 * same time.
 */
export const electionsTarget: FuzzTarget = {
  name: "elections",
  summary: "three replicas that are stopped, cut off, killed and given wrong clocks, on virtual time",
  async run(rng, budget) {
    const counts = { elections: 0, mishaps: 0 };
    for (; counts.elections < 10 && !budget.spent; counts.elections += 1) {
      const plan = Array.from({ length: 4 + below(rng, 20) }, () => drawMishap(rng));
      await play(plan, drawSeed(rng));
      counts.mishaps += plan.length;
    }
    return counts;
  },
};

function drawMishap(rng: Rng): Mishap {
  return {
    atMs: below(rng, 240_000),
    place: below(rng, places),
    forMs: below(rng, chance(rng, 0.5) ? 8_000 : 45_000),
    what: pick(rng, randomMishaps),
  };
}
