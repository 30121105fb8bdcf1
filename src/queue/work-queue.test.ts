import { expect, test } from "vitest";
import { settled, VirtualClock } from "../base/index.ts";
import { perKeyBackoff, WorkQueue } from "./index.ts";

/** Takes all queued keys and ends each lease immediately. */
function takeAll(queue: WorkQueue): string[] {
  const keys: string[] = [];
  for (let lease = queue.take(); lease; lease = queue.take()) {
    keys.push(lease.key);
    lease[Symbol.dispose]();
  }
  return keys;
}

/** Runs a worker that records its keys. */
async function work(queue: WorkQueue, log: string[]): Promise<void> {
  for await (using lease of queue) log.push(lease.key);
  log.push("over");
}

test("keys are taken in the order in which they were first added, each once", () => {
  const queue = new WorkQueue();
  for (const key of ["b", "a", "b", "c", "a"]) queue.add(key);
  expect(queue.size).toBe(3);
  expect(takeAll(queue)).toEqual(["b", "a", "c"]);
  expect([queue.size, queue.take()]).toEqual([0, undefined]);
});

test("a key added while it is processing is queued again when its lease ends", async () => {
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

test("a processing key is not given to another worker, however often it is added", async () => {
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

test("disposing a lease twice has no effect", () => {
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

test("waiting workers get new keys, the longest-waiting worker first", async () => {
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

test("after close, new keys are rejected and accepted ones are processed", async () => {
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

test("retry returns the delay", () => {
  const limiter = perKeyBackoff({ baseMs: 5, maxMs: 1000 });
  const queue = new WorkQueue({ limiter, clock: new VirtualClock() });
  expect([queue.retry("a"), queue.retry("a"), queue.retry("b")]).toEqual([5, 10, 5]);
});

test("the default limiter delays from 5 ms to 1000 s per key, and allows 10 per second (burst 100) overall", () => {
  const queue = new WorkQueue({ clock: new VirtualClock() });
  const waits = Array.from({ length: 20 }, () => queue.retry("a"));
  expect([...waits.slice(0, 4), ...waits.slice(-3)]).toEqual([5, 10, 20, 40, 655_360, 1_000_000, 1_000_000]);
  for (let key = 20; key < 100; key++) queue.retry(`${key}`);
  expect([queue.retry("b"), queue.retry("c")]).toEqual([100, 200]);
});

test("close waits for processing keys", async () => {
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

test("a dirty key is processed again even if the queue was closed meanwhile", async () => {
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

test("close does not wait if there are no workers", async () => {
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

test("keys are taken by priority, then in the order of their adds", () => {
  const queue = new WorkQueue();
  const adds = { low1: -100, high1: 7, mid: 0, high2: 7, low2: -100 };
  for (const [key, priority] of Object.entries(adds)) queue.add(key, { priority });
  expect(takeAll(queue)).toEqual(["high1", "high2", "mid", "low1", "low2"]);
});

test("a key added again moves to the end of the higher priority, and never to a lower one", () => {
  const queue = new WorkQueue();
  queue.add("a", { priority: 5 });
  queue.add("b");
  queue.add("c", { priority: 5 });
  queue.add("b", { priority: 5 });
  queue.add("a", { priority: -1 });
  expect(takeAll(queue)).toEqual(["a", "c", "b"]);
});

test("a dirty key is queued with the highest priority of its adds", () => {
  const queue = new WorkQueue();
  queue.add("a", { priority: 9 });
  const lease = queue.take();
  queue.add("a", { priority: -1 });
  queue.add("a", { priority: 3 });
  queue.add("b", { priority: 2 });
  lease?.[Symbol.dispose]();
  expect(takeAll(queue)).toEqual(["a", "b"]);
});

test("a key that has waited for maxWaitMs is taken before newer keys of any priority", async () => {
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

test("a lease has all reasons since the previous lease, in order", () => {
  const queue = new WorkQueue<string, string>();
  queue.add("a", { reasons: ["created"] });
  queue.add("a");
  queue.add("a", { reasons: ["owned Pod", "resync"], priority: 3 });
  const lease = queue.take();
  queue.add("a", { reasons: ["while processing"] });
  expect([lease?.reasons, lease?.priority]).toEqual([["created", "owned Pod", "resync"], 3]);
  lease?.[Symbol.dispose]();
  expect(queue.take()?.reasons).toEqual(["while processing"]);
});

test("keys are compared as Map keys", () => {
  const queue = new WorkQueue<number | symbol>();
  const one = Symbol("one");
  for (const key of [1, one, 1, one]) queue.add(key);
  expect([queue.take()?.key, queue.take()?.key, queue.take()]).toEqual([1, one, undefined]);
});

test("the delays of retries grow until forget", async () => {
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
