import { afterAll, beforeEach, expect, test } from "vitest";
import type { ConfigMap } from "../api/types/core/v1.ts";
import { Event } from "../api/types/events/v1.ts";
import { seededRng, VirtualClock } from "../base/index.ts";
import { startCluster } from "../testing/index.ts";
import { type Recorder, recorder } from "./index.ts";
import { Wire } from "./wire.fixture.ts";

const cluster = await startCluster();
afterAll(() => cluster.close());

let clock: VirtualClock;
let wire: Wire;
let served: number;
beforeEach(async () => {
  served = 0;
  clock = new VirtualClock(Date.UTC(2030, 0, 1));
  wire = new Wire(cluster.client);
  await cluster.client.deleteAll(Event, { namespace: "default" });
});

function recording(): Recorder {
  return recorder({ client: wire.client, component: "shop", instance: "h", clock, rng: seededRng(1) });
}

const metadata = {
  name: "menu",
  namespace: "default",
  uid: "u",
  resourceVersion: "1",
  creationTimestamp: "",
};
const menu: ConfigMap = { apiVersion: "v1", kind: "ConfigMap", metadata };
const minute = 60_000;

async function series(): Promise<unknown[]> {
  return (await cluster.client.list(Event, { namespace: "default" })).map((event) => event.series);
}

/** Records the same event `times` times, a minute apart, and awaits the writes of the first two. */
async function serve(events: Recorder, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    events.normal(menu, "Served", "soup");
    served += 1;
    await wire.answered(Math.min(served, 2));
    await clock.advance(minute);
  }
}

test("the first occurrence creates an event, the second makes it a series, and the third is only counted", async () => {
  await using events = recording();
  events.normal(menu, "Served", "soup");
  await wire.answered(1);
  expect(await series()).toEqual([undefined]);
  await clock.advance(minute);
  events.normal(menu, "Served", "soup");
  await wire.answered(2);
  const second = { count: 2, lastObservedTime: "2030-01-01T00:01:00.000000Z" };
  expect(await series()).toEqual([second]);
  expect(wire.sent[1]).toEqual({
    line: expect.stringMatching(/^PATCH .*events\/menu\./),
    body: { series: second },
  });
  events.normal(menu, "Served", "soup");
  await clock.advance(minute);
  expect(wire.sent).toHaveLength(2);
});

test("a series without repetitions for six minutes is written a last time and forgotten", async () => {
  await using events = recording();
  await serve(events, 3);
  await clock.advance(12 * minute);
  await wire.answered(3);
  expect(await series()).toEqual([{ count: 3, lastObservedTime: "2030-01-01T00:02:00.000000Z" }]);
  events.normal(menu, "Served", "soup");
  await wire.answered(4);
  expect(wire.lines.map((line) => line.split(" ")[0])).toEqual(["POST", "PATCH", "PATCH", "POST"]);
});

test("a continuing series is written every half hour", async () => {
  await using events = recording();
  await serve(events, 29);
  expect(wire.sent).toHaveLength(2);
  await serve(events, 2);
  await wire.answered(3);
  expect(await series()).toEqual([{ count: 30, lastObservedTime: "2030-01-01T00:29:00.000000Z" }]);
});

test("close writes the final counts of series", async () => {
  const events = recording();
  await serve(events, 5);
  await events.close();
  expect(await series()).toEqual([{ count: 5, lastObservedTime: "2030-01-01T00:04:00.000000Z" }]);
  expect(clock.timers).toBe(0);
});

test("no timer is left when all series are forgotten", async () => {
  await using events = recording();
  await serve(events, 1);
  await clock.advance(30 * minute);
  expect(clock.timers).toBe(0);
});
