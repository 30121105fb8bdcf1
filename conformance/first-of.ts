/** Returns the first `count` items of an iterable. Throws if there are fewer. */
export async function firstOf<T>(count: number, values: AsyncIterable<T>): Promise<T[]> {
  const first: T[] = [];
  for await (const value of values) {
    first.push(value);
    if (first.length === count) return first;
  }
  throw new Error(`expected ${count}, got an end after ${first.length}`);
}
