import { setTimeout as delay } from "node:timers/promises";
import { readCommandLine } from "../harness/command-line.ts";
import { Ground } from "./ground.ts";
import { type Sample, takeSample } from "./sample.ts";
import { renderSummary, verdicts } from "./summary.ts";

/**
 * Objects change at random while requests and watches go wrong at random. Every lap ends at rest: all copies have
 * to be what the server has, all handlers have to know it, and what the process holds is counted.
 */
const { values } = readCommandLine({
  help: `npm run soak -- [--minutes N] [--seed N]

Informers, a queue, and a leader and a standby of one operator, on a server on which everything goes wrong.

  --minutes N  how long, in laps of twenty seconds (20)
  --seed N     what is random is drawn from it: the same again draws the same (1)
  --help       say this
`,
  options: { minutes: { type: "string", default: "20" }, seed: { type: "string", default: "1" } },
  numbers: ["minutes", "seed"],
});
const lapMs = 20_000;
const endMs = performance.now() + Number(values.minutes) * 60_000;

const samples: Sample[] = [];
{
  await using ground = await Ground.open(Number(values.seed));
  do {
    await lap(ground);
    samples.push(await takeSample(await ground.counts()));
    process.stderr.write(`${JSON.stringify(samples.at(-1))}\n`);
  } while (performance.now() < endMs);
}
await delay(100);
process.stdout.write(renderSummary(samples, values));
if (verdicts(samples).some(({ flat }) => !flat)) process.exitCode = 1;

async function lap(ground: Ground): Promise<void> {
  const restMs = performance.now() + lapMs;
  while (performance.now() < restMs) {
    await ground.step();
    await delay(10);
  }
  await ground.rest();
}
