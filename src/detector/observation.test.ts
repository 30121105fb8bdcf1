import { expect, test } from "vitest";
import type { KubeObject } from "../api/index.ts";
import { type LogEntry, loggerTo, noMetrics, VirtualClock } from "../base/index.ts";
import { type Asked, Detector, type Monitor, Observation, type Write } from "./index.ts";

/** One controller, whose writes are answered with version after version. */
class Watched {
  readonly clock: VirtualClock = new VirtualClock();
  readonly logged: LogEntry[] = [];
  readonly monitor: Monitor;
  /** How often an object was looked at in the cache. */
  looks = 0;
  #version = 0;
  #object = this.#next();

  constructor() {
    const log = loggerTo((entry) => this.logged.push(entry));
    this.monitor = new Detector({ log, metrics: noMetrics, clock: this.clock }).of("test");
  }

  /** An event of the object as it is. */
  get echo(): Asked {
    const { resourceVersion } = this.#object.metadata;
    return { kind: "ConfigMap", key: "default/a", event: "updated", resourceVersion };
  }

  /** A reconcile of the key that writes the object once, with other data each time. */
  async write(key: string, asked: Asked = outside, options: Partial<Write> = {}): Promise<KubeObject> {
    using observation = new Observation(this.monitor, key, [asked]);
    const before = this.#object;
    const seen = (): KubeObject => {
      this.looks += 1;
      return before;
    };
    const write: Write = {
      verb: "update",
      kind: "ConfigMap",
      key: "default/a",
      seen,
      ask: () => Promise.resolve(before),
      ...options,
    };
    return await observation.around(write, async () => {
      this.#object = this.#next();
      return this.#object;
    });
  }

  #next(): KubeObject {
    this.#version += 1;
    const resourceVersion = `${this.#version}`;
    const metadata = { name: "a", namespace: "default", uid: "1", resourceVersion, creationTimestamp: "" };
    return { apiVersion: "v1", kind: "ConfigMap", metadata, data: { at: resourceVersion } } as KubeObject;
  }
}

const outside: Asked = { kind: "Secret", key: "default/b", event: "updated", resourceVersion: "elsewhere" };

test("objects are looked at from the third write on, and no more for ten minutes after sixteen looks in vain", async () => {
  const world = new Watched();
  const looks: number[] = [];
  for (let writes = 1; writes <= 40; writes += 1) {
    await world.write("default/a");
    looks.push(world.looks);
  }
  expect([looks.slice(0, 4), looks.slice(16, 20), looks.at(-1)]).toEqual([
    [0, 0, 1, 2],
    [15, 16, 16, 16],
    16,
  ]);
  await world.clock.advance(600_000);
  for (let writes = 1; writes <= 3; writes += 1) await world.write("default/a");
  expect(world.looks).toBe(19);
});

test("writes with more than ten minutes in between have nothing to do with each other", async () => {
  const world = new Watched();
  for (let writes = 1; writes <= 20; writes += 1) {
    await world.write("default/a", world.echo);
    await world.clock.advance(600_001);
  }
  expect([world.looks, world.logged]).toEqual([0, []]);
});

test("a reconcile that something else asks for ends a row", async () => {
  const world = new Watched();
  for (let writes = 1; writes <= 40; writes += 1) {
    await world.write("default/a", writes % 10 === 0 ? outside : world.echo);
  }
  expect(world.logged).toEqual([]);
});

test("a reconcile that writes nothing ends a row", async () => {
  const world = new Watched();
  for (let writes = 1; writes <= 40; writes += 1) {
    await world.write("default/a", world.echo);
    if (writes % 9 === 0) new Observation(world.monitor, "default/a", [world.echo])[Symbol.dispose]();
  }
  expect(world.logged).toEqual([]);
});

test("two thousand keys are remembered, and those that are not worked on give way", async () => {
  const world = new Watched();
  for (let key = 1; key <= 2001; key += 1) await world.write(`default/${key}`);
  const remembered = (): boolean[] =>
    ["default/1", "default/2000", "default/2001"].map((key) => world.monitor.history(key) !== undefined);
  expect(remembered()).toEqual([true, true, false]);
  await world.clock.advance(600_001);
  await world.write("default/2001");
  expect(remembered()).toEqual([false, true, true]);
});

test("a write goes its way, whatever becomes of looking at it", async () => {
  const world = new Watched();
  const seen = (): never => {
    throw new Error("the cache is gone");
  };
  const versions: string[] = [];
  for (let writes = 1; writes <= 4; writes += 1) {
    const { metadata } = await world.write("default/a", outside, { seen });
    versions.push(metadata.resourceVersion);
  }
  expect(versions).toEqual(["2", "3", "4", "5"]);
  expect(world.logged.map(({ level, message }) => [level, message])).toEqual([
    ["debug", "the detector failed"],
    ["debug", "the detector failed"],
  ]);
});

test("what a write is refused with is thrown on", async () => {
  const { monitor } = new Watched();
  const observation = new Observation(monitor, "default/a", [outside]);
  const write: Write = {
    verb: "update",
    kind: "ConfigMap",
    key: "default/a",
    seen: () => undefined,
    ask: async () => undefined,
  };
  const refused = new Error("no");
  await expect(observation.around(write, () => Promise.reject(refused))).rejects.toBe(refused);
});
