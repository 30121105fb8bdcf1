import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { settled, VirtualClock } from "../base/index.ts";
import { WorkQueue } from "./index.ts";

/** Adds and completions in random order. */
const steps = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({ add: fc.constantFrom("a", "b", "c", "d"), priority: fc.constantFrom(0, 0, 5) }),
    },
    { weight: 4, arbitrary: fc.record({ finish: fc.nat({ max: 9 }) }) },
  ),
  { maxLength: 60 },
);

test("with any number of workers, a key has one lease at a time, and every add leads to a lease", async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: 1, max: 4 }), async (all, workers) => {
      const queue = new WorkQueue();
      const processing = new Set<string>();
      /** Keys that were added since they were last taken. */
      const due = new Set<string>();
      const finishers: (() => void)[] = [];
      const worker = async (): Promise<void> => {
        for await (using lease of queue) {
          expect(processing.has(lease.key)).toBe(false);
          expect(due.delete(lease.key)).toBe(true);
          processing.add(lease.key);
          await new Promise<void>((finish) => finishers.push(finish));
          processing.delete(lease.key);
        }
      };
      const over = Array.from({ length: workers }, worker);
      for (const step of all) {
        if ("add" in step) {
          due.add(step.add);
          queue.add(step.add, { priority: step.priority });
        } else finishers.splice(step.finish % (finishers.length || 1), 1)[0]?.();
        await settled();
      }
      const closed = queue.close();
      while (finishers.length > 0) {
        finishers.shift()?.();
        await settled();
      }
      await Promise.all([closed, ...over]);
      expect({ due: [...due], processing: [...processing], size: queue.size }).toEqual({
        due: [],
        processing: [],
        size: 0,
      });
    }),
    { numRuns: 100 },
  );
});

test("50 producers and 10 workers lose no key", async () => {
  const queue = new WorkQueue<number>();
  const seen = new Set<number>();
  const workers = Array.from({ length: 10 }, async () => {
    for await (using lease of queue) {
      await settled();
      seen.add(lease.key);
    }
  });
  const producers = Array.from({ length: 50 }, async (_, producer) => {
    for (let count = 0; count < 20; count++) {
      queue.add(producer * 1000 + count);
      if (count % 7 === producer % 7) await settled();
    }
  });
  await Promise.all(producers);
  await queue.close();
  await Promise.all(workers);
  expect([seen.size, queue.size]).toEqual([1000, 0]);
});

test("keys are taken by priority, then in the order in which they got that priority", () => {
  const adds = fc.array(fc.record({ key: fc.nat({ max: 60 }), priority: fc.integer({ min: -1, max: 1 }) }), {
    maxLength: 200,
  });
  fc.assert(
    fc.property(adds, (all) => {
      const queue = new WorkQueue<number>();
      const priorities = new Map<number, number>();
      for (const { key, priority } of all) {
        queue.add(key, { priority });
        if (priority <= (priorities.get(key) ?? Number.NEGATIVE_INFINITY)) continue;
        priorities.delete(key);
        priorities.set(key, priority);
      }
      const expected = [...priorities].sort(([, one], [, other]) => other - one).map(([key]) => key);
      expect(Array.from({ length: queue.size }, () => queue.take()?.key)).toEqual(expected);
    }),
  );
});

test("processing and delayed keys keep their state while 50,000 other keys come and go", async () => {
  const clock = new VirtualClock();
  const queue = new WorkQueue<number>({ clock });
  queue.add(-1);
  using lease = queue.take();
  queue.add(-2, { afterMs: 10 });
  for (let key = 0; key < 50_000; key++) {
    queue.add(key);
    queue.take()?.[Symbol.dispose]();
  }
  queue.add(-1);
  queue.add(-2, { afterMs: 20 });
  expect(queue.size).toBe(0);
  await clock.advance(100);
  lease?.[Symbol.dispose]();
  expect([queue.take()?.key, queue.take()?.key, queue.take()]).toEqual([-2, -1, undefined]);
});

test("idle keys are released, except for a bounded number", async () => {
  const queue = new WorkQueue<object>();
  const addKeys = (count: number): WeakRef<object>[] =>
    Array.from({ length: count }, () => {
      const key = {};
      queue.add(key);
      return new WeakRef(key);
    });
  const burst = addKeys(10_000);
  while (queue.size > 0) queue.take()?.[Symbol.dispose]();
  const others: WeakRef<object>[] = [];
  for (let count = 0; count < 40_000; count++) {
    others.push(...addKeys(1));
    queue.take()?.[Symbol.dispose]();
  }
  await collectGarbage();
  const held = (refs: readonly WeakRef<object>[]): number => refs.filter((ref) => ref.deref()).length;
  expect(held(burst)).toBe(0);
  expect(held(others)).toBeLessThanOrEqual(16_385);
});

/** Runs the garbage collector. */
async function collectGarbage(): Promise<void> {
  setFlagsFromString("--expose-gc");
  await settled(); // a WeakRef keeps its target alive until the end of the job that read it
  (runInNewContext("gc") as () => void)();
}
