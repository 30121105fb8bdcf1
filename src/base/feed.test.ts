import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { Feed } from "./feed.ts";
import { settled } from "./virtual-clock.ts";

async function readAll<T>(feed: Feed<T>, values: T[] = []): Promise<T[]> {
  for await (const value of feed) values.push(value);
  return values;
}

/** Runs the garbage collector. */
async function collectGarbage(): Promise<void> {
  setFlagsFromString("--expose-gc");
  await settled(); // a WeakRef keeps its target alive until the end of the job that read it
  (runInNewContext("gc") as () => void)();
}

const firstOf = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const ended = { done: true, value: undefined };

test("values are read in order, and the iteration ends after the last", async () => {
  const feed = new Feed<number>();
  for (const value of [1, 2, 3]) feed.push(value);
  feed.end();
  expect(await readAll(feed)).toEqual([1, 2, 3]);
});

test("a waiting reader gets the next value when it is pushed", async () => {
  const feed = new Feed<number>();
  const first = feed.next();
  feed.push(1);
  feed.push(2);
  expect([await first, await feed.next()]).toEqual([
    { done: false, value: 1 },
    { done: false, value: 2 },
  ]);
});

test("end finishes a waiting reader", async () => {
  const feed = new Feed<number>();
  const reading = feed.next();
  feed.end();
  expect(await reading).toEqual(ended);
});

test("fail throws once, after the values that were pushed before", async () => {
  const feed = new Feed<number>();
  feed.push(1);
  feed.fail(new Error("broken"));
  expect(await feed.next()).toEqual({ done: false, value: 1 });
  await expect(feed.next()).rejects.toThrow("broken");
  expect(await feed.next()).toEqual(ended);
});

test("fail rejects a waiting reader", async () => {
  const feed = new Feed<number>();
  const reading = feed.next();
  feed.fail(new Error("broken"));
  await expect(reading).rejects.toThrow("broken");
  expect(await feed.next()).toEqual(ended);
});

test("the first call of end or fail counts, and later pushes are dropped", async () => {
  const feed = new Feed<number>();
  feed.push(1);
  feed.end();
  feed.fail(new Error("too late"));
  feed.push(2);
  expect(await readAll(feed)).toEqual([1]);
});

test("close drops buffered and later values, and finishes a waiting reader", async () => {
  const feed = new Feed<number>();
  const reading = feed.next();
  feed.close();
  feed.push(1);
  feed.fail(new Error("too late"));
  expect([await reading, await feed.next(), feed.waiting]).toEqual([ended, ended, 0]);
  const full = new Feed<number>();
  full.push(1);
  full.close();
  expect([await full.next(), full.waiting]).toEqual([ended, 0]);
});

test.each<[string, (feed: Feed<number>) => unknown]>([
  ["closed", (feed) => feed.close()],
  ["disposed of", (feed) => feed[Symbol.asyncDispose]()],
  ["returned from", (feed) => feed.return()],
  [
    "left by its reader",
    async (feed) => {
      feed.push(1);
      for await (const _ of feed) break;
    },
  ],
  [
    "read to its end",
    (feed) => {
      feed.end();
      return readAll(feed);
    },
  ],
  [
    "read to its failure",
    (feed) => {
      feed.fail(new Error("broken"));
      return readAll(feed).catch(() => {});
    },
  ],
  [
    "ended under its reader",
    (feed) => {
      const reading = readAll(feed);
      feed.end();
      return reading;
    },
  ],
])("onClose is called once when the feed is %s", async (_, finish) => {
  const onClose = vi.fn();
  const feed = new Feed<number>({ onClose });
  expect(onClose).not.toHaveBeenCalled();
  await finish(feed);
  expect(onClose).toHaveBeenCalledTimes(1);
  feed.end();
  feed.close();
  await feed.next();
  await feed.return();
  expect(onClose).toHaveBeenCalledTimes(1);
});

test("end does not call onClose while values are buffered", async () => {
  const onClose = vi.fn();
  const feed = new Feed<number>({ onClose });
  feed.push(1);
  feed.end();
  await feed.next();
  expect(onClose).not.toHaveBeenCalled();
});

test("a second reader is rejected while the first waits, and the first still gets its value", async () => {
  const feed = new Feed<number>();
  const first = feed.next();
  await expect(feed.next()).rejects.toThrow("feed already has a reader");
  feed.push(1);
  expect(await first).toEqual({ done: false, value: 1 });
});

test("onDrained is called when a read takes the last buffered value, not for a value that goes directly to a waiting reader", async () => {
  const log: string[] = [];
  const feed = new Feed<number>({ onDrained: () => log.push("drained") });
  const straight = feed.next();
  feed.push(0);
  log.push(`read ${(await straight).value}`);
  for (const value of [1, 2]) feed.push(value);
  for (const _ of [1, 2]) log.push(`read ${(await feed.next()).value}`);
  expect(log).toEqual(["read 0", "read 1", "drained", "read 2"]);
});

test.each([
  [5_000, 4_000, 1_500],
  [10, 10, 1],
])(
  "of %d values pushed and %d read, no more than %d that have left are held, and the rest keep their order",
  async (pushed, read, most) => {
    const feed = new Feed<{ readonly index: number }>();
    const left: Array<WeakRef<object>> = [];
    for (const index of firstOf(pushed)) feed.push({ index });
    for (const _ of firstOf(read)) left.push(new WeakRef((await feed.next()).value ?? {}));
    await collectGarbage();
    expect(left.filter((ref) => ref.deref()).length).toBeLessThanOrEqual(most);
    feed.end();
    expect((await readAll(feed)).map(({ index }) => index)).toEqual(firstOf(pushed).slice(read));
  },
);

const bursts = fc.array(fc.nat(4), { maxLength: 30 });

test("a slow reader misses no value, and waiting counts the buffered values", async () => {
  await fc.assert(
    fc.asyncProperty(bursts, async (sizes) => {
      const feed = new Feed<number>();
      const read: unknown[] = [];
      let pushed = 0;
      for (const size of sizes) {
        for (const _ of firstOf(size)) feed.push(pushed++);
        for (const _ of firstOf(Math.min(2, feed.waiting))) read.push((await feed.next()).value);
        expect(feed.waiting).toBe(pushed - read.length);
      }
      feed.end();
      expect([...read, ...(await readAll(feed))]).toEqual(firstOf(pushed));
    }),
  );
});

test("a fast reader misses no value, and fails after the last", async () => {
  await fc.assert(
    fc.asyncProperty(bursts, async (sizes) => {
      const feed = new Feed<number>();
      const read: number[] = [];
      const reading = readAll(feed, read);
      let pushed = 0;
      for (const size of sizes) {
        for (const _ of firstOf(size)) feed.push(pushed++);
        await Promise.resolve();
      }
      feed.fail(new Error("broken"));
      await expect(reading).rejects.toThrow("broken");
      expect(read).toEqual(firstOf(pushed));
    }),
  );
});
