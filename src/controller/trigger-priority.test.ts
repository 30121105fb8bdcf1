import { expect, test } from "vitest";
import type { ObjectKey } from "../api/index.ts";
import { ConfigMap, Secret } from "../api/types/core/v1.ts";
import { Controlled } from "./controlled.fixture.ts";
import { channel, controller, external, owns, poll, type Trigger, watches } from "./index.ts";

/** Runs a controller of ConfigMaps whose reconciles take 100 ms, so that keys queue. Returns the order of names. */
async function busy(
  world: Controlled,
  on: readonly Trigger[],
  debounce?: { readonly quietMs: number; readonly maxMs: number },
): Promise<string[]> {
  const order: string[] = [];
  const reconcile = async ({ name }: ObjectKey): Promise<void> => {
    order.push(name);
    await new Promise<void>((resolve) => void world.clock.timer(100, resolve));
  };
  await world.run(
    controller({ name: "configmap", for: ConfigMap, when: () => false, on, debounce, reconcile }),
  );
  return order;
}

const toNamed =
  (prefix: string) =>
  ({ metadata }: Secret): string[] => [`${prefix}-${metadata.name}`];

test("keys of a trigger with a higher priority are reconciled first", async () => {
  await using world = await Controlled.start();
  const important = watches(Secret, toNamed("high"), { priority: 10 });
  const order = await busy(world, [watches(Secret, toNamed("normal")), important]);
  for (const name of ["a", "b"]) await world.live.create(Secret, { metadata: { name } });
  await world.clock.advance(1000);
  expect(order).toEqual(["normal-a", "high-a", "high-b", "normal-b"]);
});

test("initial adds have 100 less than the priority of their trigger", async () => {
  await using world = await Controlled.start();
  for (const name of ["a", "b"]) await world.live.create(Secret, { metadata: { name } });
  const kicks = channel({ priority: -95 });
  const order = await busy(world, [
    watches(Secret, toNamed("low")),
    watches(Secret, toNamed("high"), { priority: 10 }),
    kicks,
  ]);
  kicks.push("default/kicked");
  await world.clock.advance(1000);
  expect(order.slice(1)).toEqual(
    ["high-a", "high-b", "kicked", "low-a", "low-b"].filter((name) => name !== order[0]),
  );
});

test("a debounced key keeps the priority of its trigger", async () => {
  await using world = await Controlled.start();
  const on = [watches(Secret, toNamed("normal")), watches(Secret, toNamed("high"), { priority: 10 })];
  const order = await busy(world, on, { quietMs: 50, maxMs: 50 });
  for (const name of ["a", "b", "c"]) await world.live.create(Secret, { metadata: { name } });
  await world.clock.advance(1000);
  expect(order.filter((name) => name.startsWith("high"))).toEqual(["high-a", "high-b", "high-c"]);
  expect(order.slice(-2)).toEqual(["normal-b", "normal-c"]);
});

test("external sources have a priority", async () => {
  await using world = await Controlled.start();
  const source = (name: string) =>
    async function* keys(signal: AbortSignal): AsyncGenerator<string> {
      for (const each of [1, 2]) yield `default/${name}-${each}`;
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    };
  const order = await busy(world, [external(source("normal")), external(source("high"), { priority: 10 })]);
  await world.clock.advance(1000);
  expect(order).toEqual(["normal-1", "high-1", "high-2", "normal-2"]);
});

test("a priority that is not a finite number is an error that names the trigger", () => {
  const priority = Number.NaN;
  const triggers: Record<string, () => unknown> = {
    "owns(Secret)": () => owns(Secret, { priority }),
    "watches(Secret)": () => watches(Secret, () => [], { priority }),
    external: () => external(async function* none() {}, { priority }),
    poll: () => poll({ everyMs: 1000, priority }),
    channel: () => channel({ priority }),
  };
  for (const [name, make] of Object.entries(triggers)) {
    expect(make).toThrow(new RangeError(`expected priority of ${name} to be a finite number, got NaN`));
  }
});
