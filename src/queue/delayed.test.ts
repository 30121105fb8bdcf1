import fc from "fast-check";
import { expect, test } from "vitest";
import { VirtualClock } from "../base/index.ts";
import { WorkQueue } from "./index.ts";

/** Advances the clock and returns the keys that were taken, each with its time. */
async function takenWithin(queue: WorkQueue, clock: VirtualClock, ms: number): Promise<string[]> {
  const seen: string[] = [];
  const takeQueued = (): void => {
    for (let lease = queue.take(); lease; lease = queue.take()) {
      seen.push(`${lease.key} ${clock.monotonic()}`);
      lease[Symbol.dispose]();
    }
  };
  for (let passed = 0; passed < ms; passed += 10) {
    await clock.advance(10);
    takeQueued();
  }
  return seen;
}

test("a delayed key is queued once, at its due time", async () => {
  const clock = new VirtualClock();
  const queue = new WorkQueue({ clock });
  queue.add("a", { afterMs: 50 });
  expect(await takenWithin(queue, clock, 40)).toEqual([]);
  expect(await takenWithin(queue, clock, 20_000)).toEqual(["a 50"]);
  expect(clock.timers).toBe(0);
});

test("a delay of zero or less queues the key immediately", () => {
  const queue = new WorkQueue({ clock: new VirtualClock() });
  for (const [key, afterMs] of [["a", 0] as const, ["b", -5] as const]) queue.add(key, { afterMs });
  expect(queue.size).toBe(2);
});

test.each([
  [50, 100],
  [100, 50],
])("of the delays %i and %i of one key the earlier wins", async (first, second) => {
  const clock = new VirtualClock();
  const queue = new WorkQueue({ clock });
  queue.add("a", { afterMs: first });
  queue.add("a", { afterMs: second });
  expect(await takenWithin(queue, clock, 500)).toEqual(["a 50"]);
});

test("delayed keys are queued in the order of their due times", async () => {
  const clock = new VirtualClock();
  const queue = new WorkQueue({ clock });
  queue.add("c", { afterMs: 300 });
  queue.add("a", { afterMs: 100 });
  queue.add("b", { afterMs: 200 });
  expect(await takenWithin(queue, clock, 500)).toEqual(["a 100", "b 200", "c 300"]);
});

test("an immediate add does not cancel a delayed one", async () => {
  const clock = new VirtualClock();
  const queue = new WorkQueue({ clock });
  queue.add("a", { afterMs: 100 });
  queue.add("a");
  expect(await takenWithin(queue, clock, 500)).toEqual(["a 10", "a 100"]);
});

test("a delayed key has the highest priority and all reasons of its adds", async () => {
  const clock = new VirtualClock();
  const queue = new WorkQueue({ clock });
  queue.add("a", { afterMs: 100, priority: 2, reasons: ["first"] });
  queue.add("a", { afterMs: 200, priority: 5, reasons: ["second"] });
  await clock.advance(100);
  const lease = queue.take();
  expect([lease?.priority, lease?.reasons]).toEqual([5, ["first", "second"]]);
});

test("closing drops delayed keys and leaves no timer", async () => {
  const clock = new VirtualClock();
  const queue = new WorkQueue({ clock });
  queue.add("a", { afterMs: 100 });
  await queue.close();
  expect([clock.timers, await takenWithin(queue, clock, 200)]).toEqual([0, []]);
});

test("every delayed key is queued once, exactly at its due time", async () => {
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
      expect((await takenWithin(queue, clock, 400)).toSorted()).toEqual(expected.toSorted());
      expect(clock.timers).toBe(0);
    }),
    { numRuns: 50 },
  );
});
