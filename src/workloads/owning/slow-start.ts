/** The result of calls that were made in growing batches. */
export interface SlowStart {
  readonly succeeded: number;
  /** The first error. No batch follows the one that failed. */
  readonly error: unknown;
}

/**
 * Makes `count` calls in batches of 1, 2, 4, 8 and so on, each batch at once, and stops after a batch with a failure. So
 * a Pod that quota or admission refuses costs one request, not thousands.
 */
export async function slowStart(
  count: number,
  call: (index: number) => Promise<unknown>,
): Promise<SlowStart> {
  let succeeded = 0;
  for (let started = 0, size = 1; started < count; started += size, size *= 2) {
    size = Math.min(size, count - started);
    const first = started;
    const results = await Promise.allSettled(Array.from({ length: size }, (_, index) => call(first + index)));
    const failed = results.filter((result) => result.status === "rejected");
    succeeded += size - failed.length;
    if (failed[0]) return { succeeded, error: failed[0].reason };
  }
  return { succeeded, error: undefined };
}
