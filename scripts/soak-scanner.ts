import fc from "fast-check";
import { readCommandLine } from "../bench/harness/command-line.ts";
import {
  eventsAreReadAsParsed,
  itemsAreReadAsParsed,
  packedAreReadAsParsed,
} from "../src/cache/read-as-parsed.fixture.ts";

const { values } = readCommandLine({
  help: `npm run soak:scanner -- [--cases N] [--seed N]

Reads random objects, in events, in lists and packed, as the cache does and as JSON.parse does: both have to see the same.
What fails is printed with the seed that draws it again.

  --cases N  how many objects to read (1000000)
  --seed N   what the first 10,000 are drawn from; each 10,000 more from the next (1)
  --help     say this
`,
  options: { cases: { type: "string", default: "1000000" }, seed: { type: "string", default: "1" } },
  numbers: ["cases", "seed"],
});
const cases = Number(values.cases);
const lap = 10_000;

for (let done = 0, seed = Number(values.seed); done < cases; done += lap, seed += 1) {
  const numRuns = Math.ceil(Math.min(lap, cases - done) / 3);
  fc.assert(eventsAreReadAsParsed, { numRuns, seed });
  fc.assert(itemsAreReadAsParsed, { numRuns, seed });
  fc.assert(packedAreReadAsParsed, { numRuns, seed });
  process.stderr.write(`${Math.min(done + lap, cases)} cases, the last with seed ${seed}\n`);
}
process.stdout.write(`${cases} objects were read as JSON.parse reads them\n`);
