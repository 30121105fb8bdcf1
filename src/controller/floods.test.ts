import { expect, test } from "vitest";
import { keyText, type ObjectKey } from "../api/index.ts";
import { ConfigMap, Namespace, Secret } from "../api/types/core/v1.ts";
import { type Clock, loggerTo, noMetrics, realClock, seededRng } from "../base/index.ts";
import { informers } from "../cache/index.ts";
import { startCluster } from "../testing/index.ts";
import { Controlled } from "./controlled.fixture.ts";
import {
  CachingClient,
  type Context,
  type Controller,
  controller,
  DeclaredCache,
  external,
  RunningController,
  watches,
} from "./index.ts";

/** A clock that advances by 1 ms on each read, so that reconciles take time without waiting. */
class TiringClock implements Clock {
  #looks = 0;
  readonly now = realClock.now;
  readonly timer = realClock.timer;

  monotonic(): number {
    this.#looks += 1;
    return this.#looks;
  }
}

/** Runs a controller in real turns of the event loop until `stop` is called. Resolves when it has ended. */
async function flooded(describe: (stop: () => void) => Controller): Promise<void> {
  const clock = new TiringClock();
  const rng = seededRng(1);
  const log = loggerTo(() => {});
  await using cluster = await startCluster({ rng });
  const { client: live } = cluster;
  const cache = new DeclaredCache();
  await using factory = informers({ client: live, rng, log });
  const client = new CachingClient({ live, cache });
  const events = { normal() {}, warning() {} };
  const stop = new AbortController();
  const environment = { client, cache, informers: factory, events, log, metrics: noMetrics, clock, rng };
  const running = new RunningController(
    describe(() => stop.abort(new Error("enough"))),
    environment,
  );
  running.prepare();
  factory.start({ signal: stop.signal });
  await running.synced;
  await running.work({ stop: stop.signal, cancel: stop.signal });
  await running.close();
}

test("an endless source that never waits does not prevent a controller from stopping", async () => {
  async function* endless(): AsyncGenerator<string> {
    for (let index = 0; ; index++) yield `default/key-${index}`;
  }
  let reconciled = 0;
  await flooded((stop) =>
    controller({
      name: "configmap",
      for: ConfigMap,
      on: [external(endless)],
      async reconcile() {
        reconciled += 1;
        if (reconciled === 1) setImmediate(stop); // like a process signal, which needs a turn of the event loop
      },
    }),
  );
  expect(reconciled).toBeGreaterThan(0);
});

test("a source is read further when the queue has room", async () => {
  await using world = await Controlled.start();
  let yielded = 0;
  async function* endless(): AsyncGenerator<string> {
    for (; ; yielded++) yield `default/key-${yielded}`;
  }
  const blocked = controller({
    name: "configmap",
    for: ConfigMap,
    on: [external(endless)],
    reconcile: (_, { signal }) =>
      new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true })),
  });
  const [running] = await world.run(blocked);
  for (let turns = 0; turns < 200; turns++) await world.clock.advance(10);
  expect([yielded < 12_000, running?.queue.size]).toEqual([true, yielded]);
});

test("the failure of a source that is being closed is ignored", async () => {
  await using world = await Controlled.start();
  const source: AsyncIterable<string> = {
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise<never>(() => {}),
      return: () => Promise.reject(new Error("left")),
    }),
  };
  await world.run(
    controller({
      name: "configmap",
      for: ConfigMap,
      on: [external(() => source)],
      reconcile: async () => {},
    }),
  );
  await world.stop();
  await world.settle();
  expect(world.logged.filter(({ level }) => level === "error")).toEqual([]);
});

test("reconciles that never wait do not starve timers and the network", async () => {
  const keys = Array.from({ length: 1000 }, (_, index) => `default/key-${index}`);
  let [reconciled, turns] = [0, 0];
  await flooded((stop) =>
    controller({
      name: "configmap",
      for: ConfigMap,
      on: [watches(Namespace, () => keys)], // all keys at once: a source would pause between them
      async reconcile() {
        reconciled += 1;
        if (reconciled === 1) {
          const turn = (): void => {
            turns += 1;
            if (reconciled < keys.length) setImmediate(turn);
          };
          setImmediate(turn);
        }
        if (reconciled === keys.length) stop();
      },
    }),
  );
  expect([reconciled, turns > 10]).toEqual([keys.length, true]);
});

test("many events about one key are one reconcile, with the newest 16 reasons and their number", async () => {
  await using world = await Controlled.start();
  const seen: [string, number, number][] = [];
  const reconcile = async (key: ObjectKey, { reasons, reasonCount }: Context): Promise<void> => {
    seen.push([keyText(key), reasons.length, reasonCount]);
    if (seen.length === 1) await new Promise<void>((resolve) => void world.clock.timer(1000, resolve));
  };
  const all = watches(Secret, () => ["default/one"]);
  await world.run(controller({ name: "configmap", for: ConfigMap, on: [all], reconcile }));
  for (let index = 0; index < 500; index++) {
    await world.live.create(Secret, { metadata: { name: `s-${index}` } });
  }
  await world.clock.advance(2000);
  expect(seen).toEqual([
    ["default/one", 1, 1],
    ["default/one", 16, 499],
  ]);
});

test("each of ten thousand keys of a mapper is reconciled once, even if it is returned twice", async () => {
  await using world = await Controlled.start();
  const names = Array.from({ length: 10_000 }, (_, index) => `default/key-${index}`);
  const seen = new Set<string>();
  let calls = 0;
  const reconcile = async ({ name }: ObjectKey): Promise<void> => {
    calls += 1;
    seen.add(name);
  };
  const all = watches(Secret, () => [...names, ...names]);
  await world.run(controller({ name: "configmap", for: ConfigMap, on: [all], concurrency: 4, reconcile }));
  await world.live.create(Secret, { metadata: { name: "s" } });
  await world.settle();
  expect([calls, seen.size]).toEqual([10_000, 10_000]);
});
