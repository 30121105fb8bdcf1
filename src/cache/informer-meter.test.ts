import { expect, test } from "vitest";
import { ConfigMap } from "../api/types/core/v1.ts";
import { prometheus } from "../base/index.ts";
import { Informed } from "./informed.fixture.ts";
import { added, initialEnd, modified } from "./reflected.fixture.ts";
import { Stream } from "./scripted-transport.fixture.ts";

test("an informer is measured under client-go's names, and nothing of its state is left when it ends", async () => {
  const metrics = prometheus();
  const stream = new Stream().lines(added("a", "1"), added("b", "2"), added("bad", "3"), initialEnd("5"));
  await using world = new Informed([stream], { metrics });
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
    "informer_set_aside_total 1",
    "informer_handler_failures_total 1",
    "informer_processing_latency_seconds_count 2",
  ]);
  await world.factory.close();
  expect(await lines()).toEqual([
    "informer_set_aside_total 1",
    "informer_handler_failures_total 1",
    "informer_processing_latency_seconds_count 2",
  ]);
});
