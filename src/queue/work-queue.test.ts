import { expect, test } from "vitest";
import { settled, VirtualClock } from "../base/index.ts";
import { perKeyBackoff, WorkQueue } from "./index.ts";

/** Takes what is in line, and hands each back at once. */
function takeAll(queue: WorkQueue): string[] {
  const keys: string[] = [];
  for (let lease = queue.take(); lease; lease = queue.take()) {
    keys.push(lease.key);
    lease[Symbol.dispose]();
  }
  return keys;
}

/** A worker that writes down what it gets. */
async function work(queue: WorkQueue, log: string[]): Promise<void> {
  for await (using lease of queue) log.push(lease.key);
  log.push("over");
}

test("keys leave in the order they were first added, each once", () => {
  const queue = new WorkQueue();
  for (const key of ["b", "a", "b", "c", "a"]) queue.add(key);
  expect(queue.size).toBe(3);
  expect(takeAll(queue)).toEqual(["b", "a", "c"]);
  expect([queue.size, queue.take()]).toEqual([0, undefined]);
});

test("a key added again while out leaves once more, after it is handed back", async () => {
  const queue = new WorkQueue();
  const log: string[] = [];
  queue.add("a");
  for await (using lease of queue) {
    log.push(lease.key);
    if (log.length === 1) for (const key of ["a", "b", "a"]) queue.add(key);
    if (log.length === 3) void queue.close();
  }
  expect(log).toEqual(["a", "b", "a"]);
});

test("a key that is out goes to no other worker, however often it is added", async () => {
  const queue = new WorkQueue();
  queue.add("a");
  const lease = queue.take();
  queue.add("a");
  queue.add("a");
  expect([queue.size, queue.take()]).toEqual([0, undefined]);
  lease?.[Symbol.dispose]();
  expect(queue.size).toBe(1);
  expect(takeAll(queue)).toEqual(["a"]);
});

test("handing a key back twice does nothing", () => {
  const queue = new WorkQueue();
  queue.add("a");
  const first = queue.take();
  first?.[Symbol.dispose]();
  queue.add("a");
  const second = queue.take();
  queue.add("a");
  first?.[Symbol.dispose]();
  expect(queue.take()).toBeUndefined();
  second?.[Symbol.dispose]();
  expect(takeAll(queue)).toEqual(["a"]);
});

test("workers that wait are given keys as they come, who waited longest first", async () => {
  const queue = new WorkQueue();
  const [first, second]: [string[], string[]] = [[], []];
  const over = [work(queue, first), work(queue, second)];
  queue.add("a");
  queue.add("b");
  await settled();
  expect([first, second]).toEqual([["a"], ["b"]]);
  await queue.close();
  await Promise.all(over);
  expect([first, second]).toEqual([
    ["a", "over"],
    ["b", "over"],
  ]);
});

test("after closing nothing is accepted, and what was accepted leaves", async () => {
  const queue = new WorkQueue();
  const log: string[] = [];
  queue.add("a");
  queue.add("b");
  const over = work(queue, log);
  const closed = queue.close();
  queue.add("c");
  const waitMs = queue.retry("d");
  await Promise.all([closed, over]);
  expect([log, waitMs, queue.retries("d")]).toEqual([["a", "b", "over"], 0, 0]);
});

test("a retry tells how long its key waits", () => {
  const limiter = perKeyBackoff({ baseMs: 5, maxMs: 1000 });
  const queue = new WorkQueue({ limiter, clock: new VirtualClock() });
  expect([queue.retry("a"), queue.retry("a"), queue.retry("b")]).toEqual([5, 10, 5]);
});

test("who says nothing of a limiter waits 5 ms to 1000 s for each key, and ten a second for all of a hundred", () => {
  const queue = new WorkQueue({ clock: new VirtualClock() });
  const waits = Array.from({ length: 20 }, () => queue.retry("a"));
  expect([...waits.slice(0, 4), ...waits.slice(-3)]).toEqual([5, 10, 20, 40, 655_360, 1_000_000, 1_000_000]);
  for (let key = 20; key < 100; key++) queue.retry(`${key}`);
  expect([queue.retry("b"), queue.retry("c")]).toEqual([100, 200]);
});

test("closing waits for the keys that are out", async () => {
  const queue = new WorkQueue();
  const log: string[] = [];
  queue.add("a");
  const lease = queue.take();
  const over = work(queue, log);
  const closed = queue.close().then(() => log.push("closed"));
  await settled();
  expect(log).toEqual(["over"]);
  lease?.[Symbol.dispose]();
  await Promise.all([closed, over]);
  expect(log).toEqual(["over", "closed"]);
});

test("a key added while out leaves again also when the queue was closed meanwhile", async () => {
  const queue = new WorkQueue();
  const log: string[] = [];
  queue.add("a");
  const lease = queue.take();
  queue.add("a");
  const over = work(queue, log);
  const closed = queue.close();
  await settled();
  expect(log).toEqual([]);
  lease?.[Symbol.dispose]();
  await Promise.all([closed, over]);
  expect(log).toEqual(["a", "over"]);
});

test("closing does not wait for workers that are not there", async () => {
  const queue = new WorkQueue();
  queue.add("a");
  for await (using lease of queue) {
    queue.add("b");
    if (lease.key === "a") break;
  }
  await queue.close();
  expect(queue.size).toBe(1);
});

test("a queue is closed when its scope is left, any number of times", async () => {
  const log: string[] = [];
  let over: Promise<void>;
  {
    await using queue = new WorkQueue();
    over = work(queue, log);
    await queue.close();
  }
  await over;
  expect(log).toEqual(["over"]);
});

test("the higher priority leaves first, and within one who came first", () => {
  const queue = new WorkQueue();
  const adds = { low1: -100, high1: 7, mid: 0, high2: 7, low2: -100 };
  for (const [key, priority] of Object.entries(adds)) queue.add(key, { priority });
  expect(takeAll(queue)).toEqual(["high1", "high2", "mid", "low1", "low2"]);
});

test("a key added again rises to the higher priority, behind those there, and never falls", () => {
  const queue = new WorkQueue();
  queue.add("a", { priority: 5 });
  queue.add("b");
  queue.add("c", { priority: 5 });
  queue.add("b", { priority: 5 });
  queue.add("a", { priority: -1 });
  expect(takeAll(queue)).toEqual(["a", "c", "b"]);
});

test("a key added while out leaves again by the highest of the priorities it was added with", () => {
  const queue = new WorkQueue();
  queue.add("a", { priority: 9 });
  const lease = queue.take();
  queue.add("a", { priority: -1 });
  queue.add("a", { priority: 3 });
  queue.add("b", { priority: 2 });
  lease?.[Symbol.dispose]();
  expect(takeAll(queue)).toEqual(["a", "b"]);
});

test("who has waited long enough leaves before all who came later, whatever their priority", async () => {
  const clock = new VirtualClock();
  const queue = new WorkQueue({ clock, maxWaitMs: 1000 });
  queue.add("old", { priority: -100 });
  await clock.advance(500);
  queue.add("new", { priority: 5 });
  queue.add("newer", { priority: 5 });
  await clock.advance(499);
  using first = queue.take();
  await clock.advance(1);
  expect([first?.key, ...takeAll(queue)]).toEqual(["new", "old", "newer"]);
});

test("why a key was added is handed out once, all of it, in order", () => {
  const queue = new WorkQueue<string, string>();
  queue.add("a", { reasons: ["created"] });
  queue.add("a");
  queue.add("a", { reasons: ["owned Pod", "resync"], priority: 3 });
  const lease = queue.take();
  queue.add("a", { reasons: ["while out"] });
  expect([lease?.reasons, lease?.priority]).toEqual([["created", "owned Pod", "resync"], 3]);
  lease?.[Symbol.dispose]();
  expect(queue.take()?.reasons).toEqual(["while out"]);
});

test("keys may be anything that a map tells apart", () => {
  const queue = new WorkQueue<number | symbol>();
  const one = Symbol("one");
  for (const key of [1, one, 1, one]) queue.add(key);
  expect([queue.take()?.key, queue.take()?.key, queue.take()]).toEqual([1, one, undefined]);
});

test("retries of a key wait longer and longer, until it is forgotten", async () => {
  const clock = new VirtualClock();
  const queue = new WorkQueue({ clock, limiter: perKeyBackoff({ baseMs: 1, maxMs: 100 }) });
  const waits: number[] = [];
  for (const forgotten of [false, false, true]) {
    if (forgotten) queue.forget("a");
    queue.retry("a");
    const fromMs = clock.monotonic();
    while (queue.size === 0) await clock.advance(1);
    waits.push(clock.monotonic() - fromMs);
    takeAll(queue);
  }
  expect([waits, queue.retries("a")]).toEqual([[1, 2, 1], 1]);
});
