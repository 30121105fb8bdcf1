import { expect, test } from "vitest";
import type { KubeObject } from "../api/index.ts";
import { type LogEntry, loggerTo, noMetrics, VirtualClock } from "../base/index.ts";
import { Detector, type Monitor, ReconcileObserver, type ReconcileTrigger, type Write } from "./index.ts";

/** A monitored controller whose writes get increasing resource versions. */
class MonitoredController {
  readonly clock: VirtualClock = new VirtualClock();
  readonly logged: LogEntry[] = [];
  readonly monitor: Monitor;
  /** Number of reads of the object from the cache. */
  cacheReads = 0;
  #version = 0;
  #object = this.#next();

  constructor() {
    const log = loggerTo((entry) => this.logged.push(entry));
    this.monitor = new Detector({ log, metrics: noMetrics, clock: this.clock }).of("test");
  }

  /** The event of the object's current version. */
  get echo(): ReconcileTrigger {
    const { resourceVersion } = this.#object.metadata;
    return { kind: "ConfigMap", key: "default/a", event: "updated", resourceVersion };
  }

  /** Reconciles the key, with one write of the object that changes its data. */
  async write(
    key: string,
    trigger: ReconcileTrigger = outside,
    options: Partial<Write> = {},
  ): Promise<KubeObject> {
    using observation = new ReconcileObserver(this.monitor, key, [trigger]);
    const before = this.#object;
    const cached = (): KubeObject => {
      this.cacheReads += 1;
      return before;
    };
    const write: Write = {
      verb: "update",
      kind: "ConfigMap",
      key: "default/a",
      cached,
      fetch: () => Promise.resolve(before),
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

const outside: ReconcileTrigger = {
  kind: "Secret",
  key: "default/b",
  event: "updated",
  resourceVersion: "elsewhere",
};

test("objects are compared from the third write on, and not for ten minutes after sixteen comparisons without a finding", async () => {
  const world = new MonitoredController();
  const cacheReads: number[] = [];
  for (let writes = 1; writes <= 40; writes += 1) {
    await world.write("default/a");
    cacheReads.push(world.cacheReads);
  }
  expect([cacheReads.slice(0, 4), cacheReads.slice(16, 20), cacheReads.at(-1)]).toEqual([
    [0, 0, 1, 2],
    [15, 16, 16, 16],
    16,
  ]);
  await world.clock.advance(600_000);
  for (let writes = 1; writes <= 3; writes += 1) await world.write("default/a");
  expect(world.cacheReads).toBe(19);
});

test("writes more than ten minutes apart are unrelated", async () => {
  const world = new MonitoredController();
  for (let writes = 1; writes <= 20; writes += 1) {
    await world.write("default/a", world.echo);
    await world.clock.advance(600_001);
  }
  expect([world.cacheReads, world.logged]).toEqual([0, []]);
});

test("a reconcile with another trigger ends a sequence of own writes", async () => {
  const world = new MonitoredController();
  for (let writes = 1; writes <= 40; writes += 1) {
    await world.write("default/a", writes % 10 === 0 ? outside : world.echo);
  }
  expect(world.logged).toEqual([]);
});

test("a reconcile that writes nothing ends a sequence of own writes", async () => {
  const world = new MonitoredController();
  for (let writes = 1; writes <= 40; writes += 1) {
    await world.write("default/a", world.echo);
    if (writes % 9 === 0) new ReconcileObserver(world.monitor, "default/a", [world.echo])[Symbol.dispose]();
  }
  expect(world.logged).toEqual([]);
});

test("at most two thousand keys are remembered, and idle ones are evicted", async () => {
  const world = new MonitoredController();
  for (let key = 1; key <= 2001; key += 1) await world.write(`default/${key}`);
  const remembered = (): boolean[] =>
    ["default/1", "default/2000", "default/2001"].map((key) => world.monitor.history(key) !== undefined);
  expect(remembered()).toEqual([true, true, false]);
  await world.clock.advance(600_001);
  await world.write("default/2001");
  expect(remembered()).toEqual([false, true, true]);
});

test("a failure of the detector does not affect the write", async () => {
  const world = new MonitoredController();
  const cached = (): never => {
    throw new Error("the cache is closed");
  };
  const versions: string[] = [];
  for (let writes = 1; writes <= 4; writes += 1) {
    const { metadata } = await world.write("default/a", outside, { cached });
    versions.push(metadata.resourceVersion);
  }
  expect(versions).toEqual(["2", "3", "4", "5"]);
  expect(world.logged.map(({ level, message }) => [level, message])).toEqual([
    ["debug", "detector failed"],
    ["debug", "detector failed"],
  ]);
});

test("the error of a failed write is rethrown", async () => {
  const { monitor } = new MonitoredController();
  const observation = new ReconcileObserver(monitor, "default/a", [outside]);
  const write: Write = {
    verb: "update",
    kind: "ConfigMap",
    key: "default/a",
    cached: () => undefined,
    fetch: async () => undefined,
  };
  const refused = new Error("no");
  await expect(observation.around(write, () => Promise.reject(refused))).rejects.toBe(refused);
});
