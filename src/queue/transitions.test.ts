import { expect, test } from "vitest";
import { prometheus, VirtualClock } from "../base/index.ts";
import { WorkQueue } from "./index.ts";

test("a delayed key overtakes queued keys of a lower priority only, once it is due", async () => {
  const clock = new VirtualClock();
  const queue = new WorkQueue({ clock });
  queue.add("due", { afterMs: 100, priority: 5 });
  queue.add("low", { priority: -100 });
  queue.add("peer", { priority: 5 });
  await clock.advance(100);
  expect([queue.take()?.key, queue.take()?.key, queue.take()?.key]).toEqual(["peer", "due", "low"]);
});

test("adds, depth and durations are correct across all transitions of a key", async () => {
  const clock = new VirtualClock();
  const metrics = prometheus();
  const queue = new WorkQueue({ name: "foos", metrics, clock });
  const read = async (): Promise<Record<string, number>> => {
    const lines = (await metrics.text()).matchAll(
      /^workqueue_(adds_total|depth|(?:queue|work)_duration_seconds_sum)\{.*?(?:priority="(.*)")?\} (\S+)$/gm,
    );
    return Object.fromEntries(
      Array.from(lines, ([, name, at, value]) => [at ? `${name} at ${at}` : name, Number(value)]),
    );
  };

  queue.add("a", { afterMs: 1000 });
  queue.add("a"); // queued and delayed
  expect(await read()).toMatchObject({ adds_total: 1, "depth at 0": 1 });
  await clock.advance(500);
  queue.add("a", { priority: 5 }); // moves to the higher priority
  expect(await read()).toMatchObject({ adds_total: 1, "depth at 0": 0, "depth at 5": 1 });
  await clock.advance(500); // becomes due while it is queued
  expect(await read()).toMatchObject({ adds_total: 1, "depth at 0": 0, "depth at 5": 1 });
  await clock.advance(1000);
  const first = queue.take();
  expect(await read()).toMatchObject({ "depth at 5": 0, queue_duration_seconds_sum: 2 });

  queue.add("a", { afterMs: 1000 });
  await clock.advance(1000); // becomes due while it is processing
  expect(await read()).toMatchObject({ adds_total: 2, "depth at 0": 0, "depth at 5": 0 });
  await clock.advance(1000);
  first?.[Symbol.dispose]();
  expect(await read()).toMatchObject({ adds_total: 2, "depth at 0": 1, work_duration_seconds_sum: 2 });
  await clock.advance(1000);
  queue.take()?.[Symbol.dispose]();
  expect(await read()).toMatchObject({ adds_total: 2, "depth at 0": 0, queue_duration_seconds_sum: 4 });
});
