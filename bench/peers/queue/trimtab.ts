import { WorkQueue } from "trimtab/queue";
import { givenArguments, printFigure, startMeter } from "../probe.ts";

/** Runs our work queue through the cases of the bench "queue". */
const { operation = "", size = "" } = givenArguments();
const distinct = 10_000;
const keys = Array.from(
  { length: distinct },
  (_, index) => `team-${index % 50}/checkout-49svwzd5hb-${index}`,
);
const keyAt = (index: number): string => keys[index % distinct] ?? "";

/** Adds, takes and releases a thousand keys at a time. */
function cycle(times: number): void {
  const queue = new WorkQueue();
  for (let done = 0; done < times; done += 1000) {
    for (let index = 0; index < 1000; index++) queue.add(keyAt(done + index));
    for (let index = 0; index < 1000; index++) queue.take()?.[Symbol.dispose]();
  }
}

/** Adds keys that are already queued. */
function again(times: number): void {
  const queue = new WorkQueue();
  for (const key of keys) queue.add(key);
  for (let index = 0; index < times; index++) queue.add(keyAt(index));
}

/**
 * Four workers process keys that one producer adds, a thousand at a time.
 * They release with a call as in Go: the code that a compiler generates for `using` takes as long as the queue.
 */
async function workers(times: number): Promise<void> {
  const queue = new WorkQueue();
  let left = 0;
  let batchOver = (): void => {};
  const work = async (): Promise<void> => {
    for await (const lease of queue) {
      lease[Symbol.dispose]();
      left -= 1;
      if (left === 0) batchOver();
    }
  };
  const working = Array.from({ length: 4 }, work);
  for (let done = 0; done < times; done += 1000) {
    left = 1000;
    for (let index = 0; index < 1000; index++) queue.add(keyAt(done + index));
    await new Promise<void>((resolve) => {
      batchOver = resolve;
    });
  }
  await queue.close();
  await Promise.all(working);
}

const run = { cycle, again, workers }[operation];
if (!run) throw new RangeError(`expected --operation cycle, again or workers, got ${operation}`);
await run(Number(size) / 5);
const meter = startMeter();
await run(Number(size));
const { seconds, cpuUs } = meter();
printFigure("rate", Number(size) / seconds / 1e6);
printFigure("cpu", (cpuUs * 1000) / Number(size));
