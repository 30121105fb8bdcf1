import { expect, test } from "vitest";
import { ConfigMap } from "../api/types/core/v1.ts";
import {
  type Clock,
  type LogEntry,
  loggerTo,
  prometheus,
  seededRng,
  silentLogger,
  VirtualClock,
} from "../base/index.ts";
import type { Client } from "../client/index.ts";
import { type FaultRule, startCluster } from "../testing/index.ts";
import { type InformerFactory, type InformersOptions, informers } from "./index.ts";
import { Recorder, stateOf } from "./test-informers.fixture.ts";

/** A server with faults, and informers that are not started. */
interface World extends AsyncDisposable {
  readonly client: Client;
  readonly clock: VirtualClock;
  readonly factory: InformerFactory;
  start(): Promise<void>;
  make(...names: readonly string[]): Promise<void>;
}

async function worldWith(
  faults: readonly FaultRule[],
  options: Partial<InformersOptions> = {},
): Promise<World> {
  const clock = new VirtualClock();
  const rng = seededRng(1);
  const cluster = await startCluster({ clock, rng, faults });
  const { client } = cluster;
  const factory = informers({ client, clock, rng, log: silentLogger, ...options });
  return {
    client,
    clock,
    factory,
    async start() {
      factory.start({ signal: new AbortController().signal });
      await clock.advance(0);
    },
    async make(...names) {
      for (const name of names) await client.create(ConfigMap, { metadata: { name } });
    },
    async [Symbol.asyncDispose]() {
      await factory.close();
      await cluster.close();
    },
  };
}

const on = { verb: "watch", resource: "configmaps" } as const;
/** A fault of the first watch after this many objects and the end of the initial events. */
const frozenAfter = (objects: number): FaultRule => ({
  on,
  which: { first: 1 },
  fault: { type: "freeze", afterEvents: objects + 1 },
});
const names = (recorder: Recorder): string[] => recorder.received().map((line) => line.replace(/@\S+/, ""));

test("2: when `synced` resolves, the cache has the first list, and every handler has received it", async () => {
  const late: FaultRule = { on, which: { first: 1 }, fault: { type: "delay", ms: 5000 } };
  await using world = await worldWith([late]);
  await world.make("a", "b");
  const maps = world.factory.for(ConfigMap);
  const recorder = new Recorder();
  const subscription = maps.on(recorder.handler);
  await world.start();
  const waited = [maps.synced, subscription.synced, world.factory.synced];
  expect(await Promise.all(waited.map(stateOf))).toEqual(["pending", "pending", "pending"]);
  const seen = Promise.all(waited.map((synced) => synced.then(() => [...maps.lister.keys()])));
  await world.clock.advance(5000);
  expect(await seen).toEqual(waited.map(() => ["default/a", "default/b"]));
  expect(names(recorder)).toEqual(["added default/a initial", "added default/b initial"]);
});

test("2: a list that takes several slices is delivered before `synced` resolves", async () => {
  await using world = await worldWith([]);
  const all = Array.from({ length: 100 }, (_, index) => `map-${index}`);
  await world.make(...all);
  let looks = 0;
  const tiring: Clock = {
    now: () => world.clock.now(),
    monotonic: () => world.clock.monotonic() + looks++, // each read takes a millisecond, so a slice has few events
    timer: (ms, run) => world.clock.timer(ms, run),
  };
  await using factory = informers({
    client: world.client,
    clock: tiring,
    rng: seededRng(1),
    log: silentLogger,
  });
  const maps = factory.for(ConfigMap);
  let told = 0;
  const subscription = maps.on(() => {
    told += 1;
  });
  factory.start({ signal: new AbortController().signal });
  const seen = [subscription.synced, factory.synced].map((synced) => synced.then(() => told));
  await world.clock.advance(0);
  expect(await Promise.all(seen)).toEqual([100, 100]);
});

test("3: a delete during a disconnection reaches every handler, with the last known object", async () => {
  const lost: FaultRule = { on, which: { first: 1 }, fault: { type: "expire", afterEvents: 3 } };
  await using world = await worldWith([lost]);
  await world.make("a", "b");
  const maps = world.factory.for(ConfigMap);
  const recorders = [new Recorder(), new Recorder()];
  for (const recorder of recorders) maps.on(recorder.handler);
  await world.start();
  await world.client.delete(ConfigMap, "a");
  await world.make("c");
  await world.clock.advance(30_000);
  for (const recorder of recorders) {
    expect(names(recorder)).toEqual([
      "added default/a initial",
      "added default/b initial",
      "deleted default/a missed",
      "added default/c",
    ]);
  }
});

test("5: a silent watch is replaced within 75 s, and its missed events are delivered", async () => {
  const metrics = prometheus();
  await using world = await worldWith([frozenAfter(1)], { metrics });
  await world.make("a");
  const maps = world.factory.for(ConfigMap);
  const recorder = new Recorder();
  maps.on(recorder.handler);
  await world.start();
  await world.make("b");
  const heardMs = async (): Promise<number> =>
    Number(/^reflector_last_heard[^}]*\} (\S+)$/m.exec(await metrics.text())?.[1]) * 1000;
  const [beganMs, heardAtFirstMs] = [world.clock.now(), await heardMs()];
  await world.clock.advance(60_000);
  expect([names(recorder), await heardMs()]).toEqual([["added default/a initial"], heardAtFirstMs]);
  await world.clock.advance(15_000);
  expect(names(recorder)).toEqual(["added default/b"]);
  expect([heardAtFirstMs, (await heardMs()) > beganMs + 60_000]).toEqual([beganMs, true]);
});

test("6: a read after an own write returns it before the watch delivers it", async () => {
  await using world = await worldWith([frozenAfter(2)]);
  await world.make("a", "b");
  const { client, clock } = world;
  const { overlay, lister } = world.factory.for(ConfigMap);
  await world.start();
  const a = lister.get("default/a");
  if (!a) throw new Error("expected a to be there");
  overlay.recordWrite(await client.update(ConfigMap, { ...a, data: { step: "1" } }));
  overlay.recordWrite(await client.create(ConfigMap, { metadata: { name: "c" } }));
  const b = lister.get("default/b");
  if (!b) throw new Error("expected b to be there");
  await client.delete(ConfigMap, b);
  overlay.recordDelete(b.metadata, { uid: b.metadata.uid, uncertain: true });
  const read = (from: typeof lister): unknown => [
    from.get("default/a")?.data,
    from
      .list()
      .map(({ metadata }) => metadata.name)
      .sort(),
    from.by("namespace", "default").length,
  ];
  expect(read(lister)).toEqual([undefined, ["a", "b"], 2]);
  expect(read(overlay)).toEqual([{ step: "1" }, ["a", "c"], 2]);
  await clock.advance(75_000);
  expect([read(overlay), overlay.size]).toEqual([read(lister), 0]);
});

test("7: changes to objects of a handler or reader affect no other object", async () => {
  await using world = await worldWith([]);
  await world.make("a");
  const maps = world.factory.for(ConfigMap);
  maps.on(({ object }) => {
    object.data = { spoiled: "yes" };
    object.metadata.name = "spoiled";
  });
  const told: unknown[] = [];
  maps.on(({ object }) => void told.push([object.metadata.name, object.data]));
  await world.start();
  const { lister } = maps;
  for (const map of [lister.get("default/a"), ...lister.list(), ...lister.by("namespace", "default")]) {
    Object.assign(map ?? {}, { data: { spoiled: "yes" }, metadata: { name: "spoiled" } });
  }
  expect(() => Object.assign(lister.view("default/a") ?? {}, { data: {} })).toThrow(TypeError);
  for (const map of [lister.get("default/a"), ...lister.list(), ...lister.by("namespace", "default")]) {
    expect([map?.metadata.name, map?.data]).toEqual(["a", undefined]);
  }
  expect(told).toEqual([["a", undefined]]);
});

test("10: an undecodable object is reported, and the informer continues", async () => {
  const logged: LogEntry[] = [];
  const metrics = prometheus();
  await using world = await worldWith([], { metrics, log: loggerTo((entry) => logged.push(entry)) });
  await world.make("bad", "good");
  const maps = world.factory.for(ConfigMap, {
    transform(map) {
      if (map.metadata.name === "bad") throw new Error("no");
      return map;
    },
  });
  const recorder = new Recorder();
  maps.on(recorder.handler);
  await world.start();
  await world.make("better");
  await world.clock.advance(0);
  expect(names(recorder)).toEqual(["added default/good initial", "added default/better"]);
  expect([...maps.undecodable]).toEqual([["default/bad", expect.objectContaining({ message: "no" })]]);
  const reports = logged.filter(({ level }) => level === "error");
  expect(reports.map(({ message, fields }) => [message, fields?.key])).toEqual([
    ["object undecodable", "default/bad"],
  ]);
  expect(await metrics.text()).toMatch(/^\w+_undecodable_objects_total\{.*\} 1$/m);
});
