import { setTimeout as delay } from "node:timers/promises";
import { readCommandLine } from "../harness/command-line.ts";
import { Ground } from "./ground.ts";
import { type Sample, takeSample } from "./sample.ts";
import { boundVerdicts, renderSummary, verdicts } from "./summary.ts";

/**
 * Changes objects at random while requests and watches fail at random. After every lap all caches must equal the
 * server's objects, all handlers must have received them, and the process's resources are counted.
 */
const { values } = readCommandLine({
  help: `npm run soak -- [--minutes N] [--seed N]

Informers, a queue, and a leader and a standby of one operator, on a server that injects faults into requests and watches.
One reconcile never returns while its key gets events; a handler retains one event in a thousand; the replicas run with a
heap ceiling. Fails if a cache is wrong at rest, if memory, sockets or timers grow, or if memory exceeds its bound.

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
    process.stderr.write(progressLine(samples.at(-1)));
  } while (performance.now() < endMs);
}
await delay(100);
process.stdout.write(renderSummary(samples, values));
if (verdicts(samples).some(({ flat }) => !flat)) process.exitCode = 1;
if (boundVerdicts(samples).some(({ kept }) => !kept)) process.exitCode = 1;

/**
 * `80 s: 2410 writes, 4805 events; memory 12.1 MB, leader 19.8 MB, standby 17.2 MB; replica rss 130 MB; 6 sockets, 5
 * timers`
 */
function progressLine(sample: Sample | undefined): string {
  if (!sample) return "";
  const { seconds, writes, events, memoryMb, leaderMb, standbyMb, replicaRssMb, sockets, timers } = sample;
  const memory = `memory ${memoryMb} MB, leader ${leaderMb} MB, standby ${standbyMb} MB; replica rss ${replicaRssMb} MB`;
  return `${seconds} s: ${writes} writes, ${events} events; ${memory}; ${sockets} sockets, ${timers} timers\n`;
}

async function lap(ground: Ground): Promise<void> {
  const restMs = performance.now() + lapMs;
  while (performance.now() < restMs) {
    await ground.step();
    await delay(10);
  }
  await ground.rest();
}
