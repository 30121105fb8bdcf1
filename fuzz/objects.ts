import fc from "fast-check";
import {
  compressedAreReadAsParsed,
  eventsAreReadAsParsed,
  itemsAreReadAsParsed,
  responsesAreReadAsParsed,
} from "../src/cache/objects/read-as-parsed.fixture.ts";
import { drawSeed } from "./draw.ts";
import type { FuzzTarget } from "./target.ts";

const properties = [
  eventsAreReadAsParsed,
  itemsAreReadAsParsed,
  responsesAreReadAsParsed,
  compressedAreReadAsParsed,
] as const;

/** Objects of events, lists and responses, compressed and not: the cache reads from bytes what `JSON.parse` reads. */
export const objectsTarget: FuzzTarget = {
  name: "objects",
  summary: "objects of events, lists and responses, read from bytes and by JSON.parse",
  async run(rng, budget) {
    let objects = 0;
    for (let lap = 0; lap < 20 && !budget.spent; lap++) {
      for (const property of properties) {
        fc.assert(property, { seed: drawSeed(rng), numRuns: 25 });
        objects += 25;
      }
    }
    return { objects };
  },
};
