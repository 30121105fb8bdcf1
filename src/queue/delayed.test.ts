import fc from "fast-check";
import { expect, test } from "vitest";
import { VirtualClock } from "../base/index.ts";
import { WorkQueue } from "./index.ts";

/** Lets time pass, and says which keys left and when. */
async function over(queue: WorkQueue, clock: VirtualClock, ms: number): Promise<string[]> {
  const seen: string[] = [];
  const look = (): void => {
    for (let lease = queue.take(); lease; lease = queue.take()) {
      seen.push(`${lease.key} ${clock.monotonic()}`);
      lease[Symbol.dispose]();
    }
  };
  for (let passed = 0; passed < ms; passed += 10) {
    await clock.advance(10);
    look();
  }
  return seen;
}

test("a key for later is not there before its time, and there once after", async () => {
  const clock = new VirtualClock();
  const queue = new WorkQueue({ clock });
  queue.add("a", { afterMs: 50 });
  expect(await over(queue, clock, 40)).toEqual([]);
  expect(await over(queue, clock, 20_000)).toEqual(["a 50"]);
  expect(clock.timers).toBe(0);
});

test("no time to wait is now", () => {
  const queue = new WorkQueue({ clock: new VirtualClock() });
  for (const [key, afterMs] of [["a", 0] as const, ["b", -5] as const]) queue.add(key, { afterMs });
  expect(queue.size).toBe(2);
});

test.each([
  [50, 100],
  [100, 50],
])(
  "of delays of %i and %i for one key the earlier counts, and the later is dropped",
  async (first, second) => {
    const clock = new VirtualClock();
    const queue = new WorkQueue({ clock });
    queue.add("a", { afterMs: first });
    queue.add("a", { afterMs: second });
    expect(await over(queue, clock, 500)).toEqual(["a 50"]);
  },
);

test("keys leave in the order in which they are due, not added", async () => {
  const clock = new VirtualClock();
  const queue = new WorkQueue({ clock });
  queue.add("c", { afterMs: 300 });
  queue.add("a", { afterMs: 100 });
  queue.add("b", { afterMs: 200 });
  expect(await over(queue, clock, 500)).toEqual(["a 100", "b 200", "c 300"]);
});

test("an add for now does not undo one for later", async () => {
  const clock = new VirtualClock();
  const queue = new WorkQueue({ clock });
  queue.add("a", { afterMs: 100 });
  queue.add("a");
  expect(await over(queue, clock, 500)).toEqual(["a 10", "a 100"]);
});

test("what is for later keeps its priority and its reasons, those of all adds", async () => {
  const clock = new VirtualClock();
  const queue = new WorkQueue({ clock });
  queue.add("a", { afterMs: 100, priority: 2, reasons: ["first"] });
  queue.add("a", { afterMs: 200, priority: 5, reasons: ["second"] });
  await clock.advance(100);
  const lease = queue.take();
  expect([lease?.priority, lease?.reasons]).toEqual([5, ["first", "second"]]);
});

test("closing drops what is for later, and leaves no timer", async () => {
  const clock = new VirtualClock();
  const queue = new WorkQueue({ clock });
  queue.add("a", { afterMs: 100 });
  await queue.close();
  expect([clock.timers, await over(queue, clock, 200)]).toEqual([0, []]);
});

test("any number of keys for any time leave once each, none early, none late", async () => {
  const adds = fc.array(
    fc.record({ key: fc.nat({ max: 30 }).map(String), tens: fc.integer({ min: 1, max: 40 }) }),
  );
  await fc.assert(
    fc.asyncProperty(adds, async (all) => {
      const clock = new VirtualClock();
      const queue = new WorkQueue({ clock });
      const due = new Map<string, number>();
      for (const { key, tens } of all) {
        queue.add(key, { afterMs: tens * 10 });
        due.set(key, Math.min(due.get(key) ?? Number.POSITIVE_INFINITY, tens * 10));
      }
      const expected = Array.from(due, ([key, ms]) => `${key} ${ms}`);
      expect((await over(queue, clock, 400)).toSorted()).toEqual(expected.toSorted());
      expect(clock.timers).toBe(0);
    }),
    { numRuns: 50 },
  );
});
