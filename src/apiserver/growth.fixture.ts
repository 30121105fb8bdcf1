/** Does a piece of work on an input that was made before. */
export type Work = () => unknown;

/** Makes the input for a size, and returns the work on it. The work may be done more than once. */
export type Task = (size: number) => Work | Promise<Work>;

/** In milliseconds. Work that takes less cannot be told from noise, and is no danger at these sizes. */
const negligibleMs = 8;
const mostRounds = 8;
/** A linear task takes 4 times as long for 4 times the input, a quadratic one 16 times. */
export const mostGrowth = 6;

/**
 * How many times longer a task takes for four times the input, in CPU time of this process: other processes do not
 * count. Each size takes the best of several rounds, and rounds end as soon as the growth is small enough, so that a
 * pause of the garbage collector is not taken for growth. Growth that is too large is measured again with twice the
 * input, where noise counts less.
 *
 * @returns 0 for work that takes next to no time
 */
export async function growthOf(task: Task, size: number): Promise<number> {
  const growth = await measuredGrowth(task, size);
  return growth <= mostGrowth ? growth : Math.min(growth, await measuredGrowth(task, 2 * size));
}

async function measuredGrowth(task: Task, size: number): Promise<number> {
  const [small, large] = [await task(size), await task(4 * size)];
  let [smallMs, largeMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < mostRounds; round += 1) {
    smallMs = Math.min(smallMs, await cpuMs(small));
    largeMs = Math.min(largeMs, await cpuMs(large));
    if (largeMs < negligibleMs) return 0;
    if (round > 0 && largeMs / smallMs <= mostGrowth) break;
  }
  return largeMs / smallMs;
}

async function cpuMs(work: Work): Promise<number> {
  const before = process.cpuUsage();
  await work();
  // Not the time of the system, which is spent on fresh memory for large inputs.
  return process.cpuUsage(before).user / 1000;
}
