import { expect, test } from "vitest";
import type { ObjectKey } from "../api/index.ts";
import { ConfigMap } from "../api/types/core/v1.ts";
import { loggerTo } from "../base/index.ts";
import { Controlled } from "./controlled.fixture.ts";
import { type Context, controller, RunningController } from "./index.ts";

test("the members of a context stay the same during a reconcile", async () => {
  await using world = await Controlled.start();
  const seen: boolean[] = [];
  const reconcile = async (_: ObjectKey, context: Context): Promise<void> => {
    const { client, cache, events, log, signal, reasons, attempt } = context;
    await client.get(ConfigMap, "a");
    seen.push(client === context.client, log === context.log, cache === context.cache);
    seen.push(events === context.events, signal === context.signal, reasons === context.reasons);
    seen.push(attempt === context.attempt);
  };
  await world.live.create(ConfigMap, { metadata: { name: "a" } });
  await world.run(
    controller({ name: "configmap", for: ConfigMap, when: ({ key }) => key === "default/a", reconcile }),
  );
  expect(seen).toEqual(Array.from({ length: 7 }, () => true));
});

test("a context has the clock of the manager, and its time, also when it is destructured", async () => {
  await using world = await Controlled.start();
  const seen: unknown[] = [];
  await world.live.create(ConfigMap, { metadata: { name: "a" } });
  await world.run(
    controller({
      name: "configmap",
      for: ConfigMap,
      when: ({ key }) => key === "default/a",
      async reconcile(_, { clock, now }) {
        seen.push(clock === world.environment.clock, new Date(now()).toISOString());
      },
    }),
  );
  expect(seen).toEqual([true, "2026-01-01T00:00:00.000Z"]);
});

test.each([true, false, undefined])(
  "a reconcile logs at debug unless the logger's `writes` returns false: %s",
  async (writes) => {
    await using world = await Controlled.start();
    const made: string[] = [];
    const noting = loggerTo(({ message }) => void made.push(message));
    const log = {
      debug: (message: string) => noting.debug(message),
      info() {},
      warn() {},
      error() {},
      with: () => log,
      ...(writes !== undefined && { writes: () => writes }),
    };
    await world.live.create(ConfigMap, { metadata: { name: "a" } });
    const stop = new AbortController();
    const when = ({ key }: { key: string }): boolean => key === "default/a";
    const described = controller({
      name: "configmap",
      for: ConfigMap,
      when,
      reconcile: async () => stop.abort(),
    });
    const running = new RunningController(described, { ...world.environment, log });
    running.prepare();
    world.startCaches(stop.signal);
    await running.synced;
    await running.work({ stop: stop.signal, cancel: new AbortController().signal });
    await running.close();
    expect(made).toEqual(writes === false ? [] : ["reconciled"]);
  },
);
