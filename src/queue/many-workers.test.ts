import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { settled, VirtualClock } from "../base/index.ts";
import { WorkQueue } from "./index.ts";

/** What happens, in random order, around a few keys and workers. */
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

test("with any number of workers, a key is out once at a time, and each add is followed by a hand-out", async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: 1, max: 4 }), async (all, workers) => {
      const queue = new WorkQueue();
      const out = new Set<string>();
      /** Keys added since they were last taken. */
      const due = new Set<string>();
      const finishers: (() => void)[] = [];
      const worker = async (): Promise<void> => {
        for await (using lease of queue) {
          expect(out.has(lease.key)).toBe(false);
          expect(due.delete(lease.key)).toBe(true);
          out.add(lease.key);
          await new Promise<void>((finish) => finishers.push(finish));
          out.delete(lease.key);
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
      expect({ due: [...due], out: [...out], size: queue.size }).toEqual({ due: [], out: [], size: 0 });
    }),
    { numRuns: 100 },
  );
});

test("fifty producers and ten workers lose nothing", async () => {
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

test("keys leave by priority, then by when they got it, whatever rises and however many wait", () => {
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

test("of fifty thousand keys that come and go, those out and those for later are never forgotten", async () => {
  const clock = new VirtualClock();
  const queue = new WorkQueue<number>({ clock });
  queue.add(-1);
  using out = queue.take();
  queue.add(-2, { afterMs: 10 });
  for (let key = 0; key < 50_000; key++) {
    queue.add(key);
    queue.take()?.[Symbol.dispose]();
  }
  queue.add(-1);
  queue.add(-2, { afterMs: 20 });
  expect(queue.size).toBe(0);
  await clock.advance(100);
  out?.[Symbol.dispose]();
  expect([queue.take()?.key, queue.take()?.key, queue.take()]).toEqual([-2, -1, undefined]);
});

test("keys that have left are let go of, but for the thousands that rest", async () => {
  const queue = new WorkQueue<object>();
  const given = (count: number): WeakRef<object>[] =>
    Array.from({ length: count }, () => {
      const key = {};
      queue.add(key);
      return new WeakRef(key);
    });
  const rush = given(10_000);
  while (queue.size > 0) queue.take()?.[Symbol.dispose]();
  const others: WeakRef<object>[] = [];
  for (let count = 0; count < 40_000; count++) {
    others.push(...given(1));
    queue.take()?.[Symbol.dispose]();
  }
  await collectGarbage();
  const held = (refs: readonly WeakRef<object>[]): number => refs.filter((ref) => ref.deref()).length;
  expect(held(rush)).toBe(0);
  expect(held(others)).toBeLessThanOrEqual(16_385);
});

/** Frees what nothing holds. */
async function collectGarbage(): Promise<void> {
  setFlagsFromString("--expose-gc");
  await settled(); // what a job has read from a WeakRef is held to its end
  (runInNewContext("gc") as () => void)();
}
