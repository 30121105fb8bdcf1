/** Performs the measured work on a prepared input. */
export type Work = () => unknown;

/** Prepares the input of a size and returns the work on it. The work may run more than once. */
export type Task = (size: number) => Work | Promise<Work>;

/** Less CPU time than this is indistinguishable from noise, and harmless at these sizes. */
const negligibleMs = 8;
const maxRounds = 8;
/**
 * Maximum of the allowed growth. A linear task takes 4 times as long for 4 times the input, a quadratic one 16 times.
 */
export const maxGrowth = 6;

/**
 * Returns how many times longer a task takes for four times the input, in CPU time of this process, so that other
 * processes do not count.
 *
 * Each size counts its best round, and rounds end as soon as the growth is small enough, so that a garbage collection
 * does not count as growth. Growth that is too large is measured again with twice the input, where noise counts less.
 *
 * @returns 0 for negligible work
 */
export async function growthOf(task: Task, size: number): Promise<number> {
  const growth = await measuredGrowth(task, size);
  return growth <= maxGrowth ? growth : Math.min(growth, await measuredGrowth(task, 2 * size));
}

async function measuredGrowth(task: Task, size: number): Promise<number> {
  const [small, large] = [await task(size), await task(4 * size)];
  let [smallMs, largeMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < maxRounds; round += 1) {
    smallMs = Math.min(smallMs, await cpuMs(small));
    largeMs = Math.min(largeMs, await cpuMs(large));
    if (largeMs < negligibleMs) return 0;
    if (round > 0 && largeMs / smallMs <= maxGrowth) break;
  }
  return largeMs / smallMs;
}

async function cpuMs(work: Work): Promise<number> {
  const before = process.cpuUsage();
  await work();
  // System time is excluded, because the kernel spends it on fresh memory for large inputs.
  return process.cpuUsage(before).user / 1000;
}
