import { expect, test } from "vitest";
import { ConfigMap } from "../api/types/core/v1.ts";
import { type Clock, prometheus, VirtualClock } from "../base/index.ts";
import { Stream } from "./reflector/scripted-transport.fixture.ts";
import { added, initialEnd, modified } from "./reflector/test-reflector.fixture.ts";
import { TestInformers } from "./test-informers.fixture.ts";

test("an informer has metrics with client-go's names, and its gauges are removed when it ends", async () => {
  const metrics = prometheus();
  const stream = new Stream().lines(added("a", "1"), added("b", "2"), added("bad", "3"), initialEnd("5"));
  await using world = new TestInformers([stream], { metrics });
  const maps = world.factory.for(ConfigMap, {
    transform(map) {
      if (map.metadata.name === "bad") throw new Error("no");
      return map;
    },
  });
  maps.on(({ key }) => {
    if (key === "home/b") throw new Error("no");
  });
  await world.start();
  stream.lines(modified("a", "1234567890123456789"));
  const lines = async (): Promise<string[]> =>
    (await metrics.text())
      .split("\n")
      .filter((line) => /^informer_(?!.*(?:_bucket|_sum))/.test(line))
      .map((line) => line.replace('{name="v1 ConfigMap",group="",version="v1",resource="configmaps"}', ""));
  expect(await lines()).toEqual([
    "informer_queued_items 0",
    "informer_store_resource_version 567890123456789",
    "informer_objects 2",
    "informer_bytes 16384",
    "informer_undecodable_objects_total 1",
    "informer_handler_failures_total 1",
    "informer_processing_latency_seconds_count 2",
  ]);
  await world.factory.close();
  expect(await lines()).toEqual([
    "informer_undecodable_objects_total 1",
    "informer_handler_failures_total 1",
    "informer_processing_latency_seconds_count 2",
  ]);
});

test("an informer that ends while a handler is behind leaves no gauges, either", async () => {
  const metrics = prometheus();
  const clock = new VirtualClock();
  let workedMs = 0;
  const working: Clock = {
    now: () => clock.now() + workedMs,
    monotonic: () => clock.monotonic() + workedMs,
    timer: (afterMs, run) => clock.timer(afterMs, run),
  };
  const stream = new Stream().lines(added("a", "1"), added("b", "2"), added("c", "3"), initialEnd("5"));
  await using world = new TestInformers([stream], { metrics, clock: working });
  const told: string[] = [];
  const maps = world.factory.for(ConfigMap);
  maps.on(({ key }) => {
    told.push(key);
    workedMs += 20;
  });
  world.factory.start({ signal: world.ended.signal });
  await maps.synced;
  const gauges = async (): Promise<string[]> =>
    Array.from(
      (await metrics.text()).matchAll(/^informer_(queued_items|objects|bytes|store_\w+)\{.*\} (\S+)$/gm),
      ([, name, value]) => `${name} ${value}`,
    );
  expect([told, (await gauges())[0]]).toEqual([["home/a"], "queued_items 2"]);
  await maps.close();
  await clock.advance(1000);
  expect([told, await gauges()]).toEqual([["home/a"], []]);
});
