import { expect, test } from "vitest";
import { prometheus, VirtualClock } from "../base/index.ts";
import { perKeyBackoff, WorkQueue } from "./index.ts";

/** Returns a queue with metrics, and a function that reads their values by short name. */
function measured() {
  const metrics = prometheus();
  const clock = new VirtualClock();
  const queue = new WorkQueue({ name: "foos", metrics, clock, limiter: perKeyBackoff({ baseMs: 100 }) });
  const read = async (): Promise<Record<string, number>> => {
    const lines = (await metrics.text()).matchAll(
      /^workqueue_(\w+)\{name="foos",controller="foos"(?:,priority="0")?\} (\S+)$/gm,
    );
    return Object.fromEntries(Array.from(lines, ([, name, value]) => [name, Number(value)]));
  };
  return { queue, clock, metrics, read };
}

test("coalesced adds count as one", async () => {
  const { queue, read } = measured();
  queue.add("a");
  queue.add("a");
  expect(await read()).toMatchObject({ depth: 1, adds_total: 1 });
  const lease = queue.take();
  expect(await read()).toMatchObject({ depth: 0, adds_total: 1 });
  queue.add("a");
  queue.add("a");
  expect(await read()).toMatchObject({ depth: 0, adds_total: 2 });
  lease?.[Symbol.dispose]();
  expect(await read()).toMatchObject({ depth: 1, adds_total: 2 });
});

test("the time in the queue and the time of processing are measured", async () => {
  const { queue, clock, read } = measured();
  queue.add("a");
  await clock.advance(3000);
  const lease = queue.take();
  await clock.advance(250);
  lease?.[Symbol.dispose]();
  expect(await read()).toMatchObject({
    queue_duration_seconds_sum: 3,
    queue_duration_seconds_count: 1,
    work_duration_seconds_sum: 0.25,
    work_duration_seconds_count: 1,
  });
});

test("unfinished work is updated twice a second while keys are in flight", async () => {
  const { queue, clock, read } = measured();
  queue.add("a");
  queue.add("b");
  const first = queue.take();
  await clock.advance(1000);
  const second = queue.take();
  await clock.advance(500);
  expect(await read()).toMatchObject({
    unfinished_work_seconds: 2,
    longest_running_processor_seconds: 1.5,
  });
  first?.[Symbol.dispose]();
  second?.[Symbol.dispose]();
  await clock.advance(500);
  expect(await read()).toMatchObject({ unfinished_work_seconds: 0, longest_running_processor_seconds: 0 });
  expect(clock.timers).toBe(0);
});

test("the longest-running key is the one taken first, even if others finish before it", async () => {
  const { queue, clock, read } = measured();
  for (const key of ["a", "b", "c"]) queue.add(key);
  const leases = [];
  for (let turn = 0; turn < 3; turn++) {
    leases.push(queue.take());
    await clock.advance(100);
  }
  leases[1]?.[Symbol.dispose]();
  await clock.advance(200);
  expect(await read()).toMatchObject({
    unfinished_work_seconds: 0.8,
    longest_running_processor_seconds: 0.5,
  });
  leases[0]?.[Symbol.dispose]();
  await clock.advance(500);
  expect(await read()).toMatchObject({
    unfinished_work_seconds: 0.8,
    longest_running_processor_seconds: 0.8,
  });
  leases[2]?.[Symbol.dispose]();
});

test("closing sets unfinished work to zero and leaves no timer", async () => {
  const { queue, clock, read } = measured();
  queue.add("a");
  const lease = queue.take();
  await clock.advance(1000);
  expect(await read()).toMatchObject({ unfinished_work_seconds: 1 });
  const closed = queue.close();
  lease?.[Symbol.dispose]();
  await closed;
  expect(await read()).toMatchObject({ unfinished_work_seconds: 0, longest_running_processor_seconds: 0 });
  expect(clock.timers).toBe(0);
});

test("retries and other delayed adds count when they are requested", async () => {
  const { queue, clock, read } = measured();
  queue.retry("a");
  queue.retry("a");
  expect(await read()).toMatchObject({ retries_total: 2, adds_total: 0, depth: 0 });
  await clock.advance(100);
  expect(await read()).toMatchObject({ retries_total: 2, adds_total: 1, depth: 1 });
  queue.add("b", { afterMs: 100 });
  queue.add("c");
  expect(await read()).toMatchObject({ retries_total: 3, adds_total: 2 });
  queue.add("d", { afterMs: 0 });
  expect(await read()).toMatchObject({ retries_total: 4, adds_total: 3 });
});

test("the depth has a series per priority, and one for all priorities beyond the 25th", async () => {
  const { queue, metrics } = measured();
  const depths = async (): Promise<[string, number][]> => {
    const lines = (await metrics.text()).matchAll(/^workqueue_depth\{.*priority="(.*)"\} (\S+)$/gm);
    return Array.from(lines, ([, priority = "", value]) => [priority, Number(value)]);
  };
  queue.add("a", { priority: -100 });
  queue.add("b", { priority: -100 });
  queue.add("c");
  queue.add("b", { priority: 5 });
  expect(await depths()).toEqual([
    ["0", 1],
    ["-100", 1],
    ["5", 1],
  ]);
  for (let priority = 100; priority < 130; priority++) queue.add(`p${priority}`, { priority });
  expect((await depths()).slice(24)).toEqual([
    ["121", 1],
    ["exceeded_cardinality_limit", 8],
  ]);
  while (queue.take());
  expect((await depths()).every(([, depth]) => depth === 0)).toBe(true);
});

test("the buckets are those of controller-runtime: client-go's and two more", async () => {
  const { queue, metrics } = measured();
  queue.add("a");
  queue.take();
  const text = await metrics.text();
  const bounds = Array.from(text.matchAll(/queue_duration_seconds_bucket\{le="([^"]+)"/g), ([, le]) => le);
  expect(bounds.join(" ")).toBe("1e-8 1e-7 0.000001 0.00001 0.0001 0.001 0.01 0.1 1 10 100 1000 +Inf");
});

test("a queue without a name has no metrics", async () => {
  const metrics = prometheus();
  const queue = new WorkQueue({ metrics });
  queue.add("a");
  expect(await metrics.text()).not.toContain("workqueue");
});
