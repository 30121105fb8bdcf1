import { expect, test } from "vitest";
import { ConfigMap } from "../api/types/core/v1.ts";
import { Controlled } from "./controlled.fixture.ts";
import { type Context, type Controller, controller } from "./index.ts";

const ours = "trimtab.dev/configmap";

function finalizersOf(map: ConfigMap | undefined): readonly string[] | undefined {
  return map && (map.metadata.finalizers ?? []);
}

test("the finalizer is on the object before it is reconciled, beside those of others", async () => {
  await using world = await Controlled.start();
  const seen = new Set<string>();
  const reconcile = async ({ name }: { name: string }, { client }: Context): Promise<void> => {
    for (const reader of [client, world.live]) {
      seen.add(`${name} ${finalizersOf(await reader.get(ConfigMap, name))?.join(" ")}`);
    }
  };
  await world.live.create(ConfigMap, { metadata: { name: "a" } });
  await world.live.create(ConfigMap, { metadata: { name: "b", finalizers: ["other.dev/keep"] } });
  await world.run(controller({ name: "configmap", for: ConfigMap, reconcile, cleanup: async () => {} }));
  expect([...seen].sort()).toEqual([`a ${ours}`, `b other.dev/keep ${ours}`]);
});

test("an object goes when its clean-up has succeeded, and is reconciled no more until then", async () => {
  await using world = await Controlled.start();
  const log: string[] = [];
  const cleanup = async (map: ConfigMap): Promise<void> => {
    log.push(`cleanup ${map.metadata.name} ${map.data?.x}`);
    if (log.length < 4) throw new Error("not yet");
  };
  const reconcile = async (): Promise<void> => void log.push("reconcile");
  await world.live.create(ConfigMap, { metadata: { name: "a" }, data: { x: "1" } });
  await world.run(controller({ name: "configmap", for: ConfigMap, reconcile, cleanup }));
  await world.clock.advance(1000);
  log.splice(0);
  await world.live.delete(ConfigMap, "a");
  await world.settle();
  expect(finalizersOf(await world.live.get(ConfigMap, "a"))).toEqual([ours]);
  await world.clock.advance(10_000);
  expect(await world.live.get(ConfigMap, "a")).toBe(undefined);
  expect(log).toEqual(["cleanup a 1", "cleanup a 1", "cleanup a 1", "cleanup a 1", "reconcile"]);
});

test("a clean-up that asks to be called again is, and the object waits", async () => {
  await using world = await Controlled.start();
  let calls = 0;
  const cleanup = async (): Promise<{ requeueAfterMs: number } | undefined> => {
    calls += 1;
    return calls < 3 ? { requeueAfterMs: 5000 } : undefined;
  };
  await world.live.create(ConfigMap, { metadata: { name: "a" } });
  await world.run(controller({ name: "configmap", for: ConfigMap, reconcile: async () => {}, cleanup }));
  await world.live.delete(ConfigMap, "a");
  await world.clock.advance(9999);
  expect([calls, finalizersOf(await world.live.get(ConfigMap, "a"))]).toEqual([2, [ours]]);
  await world.clock.advance(1);
  expect([calls, await world.live.get(ConfigMap, "a")]).toEqual([3, undefined]);
});

test("finalizers of others are left alone, and what they hold is not cleaned up twice", async () => {
  await using world = await Controlled.start();
  let calls = 0;
  const cleanup = async (): Promise<void> => {
    calls += 1;
  };
  await world.live.create(ConfigMap, { metadata: { name: "a", finalizers: ["other.dev/keep"] } });
  await world.run(controller({ name: "configmap", for: ConfigMap, reconcile: async () => {}, cleanup }));
  await world.live.delete(ConfigMap, "a");
  await world.clock.advance(60_000);
  expect([calls, finalizersOf(await world.live.get(ConfigMap, "a"))]).toEqual([1, ["other.dev/keep"]]);
});

test("an object that was on its way out before it was seen is not held up", async () => {
  await using world = await Controlled.start();
  const log: string[] = [];
  await world.live.create(ConfigMap, { metadata: { name: "a", finalizers: ["other.dev/keep"] } });
  await world.live.delete(ConfigMap, "a");
  const cleanup = async (): Promise<void> => void log.push("cleanup");
  const reconcile = async (): Promise<void> => void log.push("reconcile");
  await world.run(controller({ name: "configmap", for: ConfigMap, reconcile, cleanup }));
  await world.clock.advance(60_000);
  expect([log, finalizersOf(await world.live.get(ConfigMap, "a"))]).toEqual([[], ["other.dev/keep"]]);
});

test("of two that clean up after an object each does its part, and one that fails holds up only itself", async () => {
  await using world = await Controlled.start();
  const log: string[] = [];
  let fails = true;
  const tidy = (name: string, cleanup: () => void): Controller =>
    controller({
      name,
      for: ConfigMap,
      reconcile: async () => {},
      async cleanup() {
        log.push(name);
        cleanup();
      },
    });
  const failing = tidy("failing", () => {
    if (fails) throw new Error("not yet");
  });
  await world.run(
    failing,
    tidy("fine", () => {}),
  );
  await world.live.create(ConfigMap, { metadata: { name: "a" } });
  await world.clock.advance(5000);
  const both = ["trimtab.dev/failing", "trimtab.dev/fine"];
  expect([...(finalizersOf(await world.live.get(ConfigMap, "a")) ?? [])].sort()).toEqual(both);
  await world.live.delete(ConfigMap, "a");
  await world.clock.advance(60_000);
  expect(finalizersOf(await world.live.get(ConfigMap, "a"))).toEqual(["trimtab.dev/failing"]);
  expect(log.filter((name) => name === "fine")).toEqual(["fine"]);
  fails = false;
  await world.clock.advance(120_000);
  expect(await world.live.get(ConfigMap, "a")).toBe(undefined);
});
