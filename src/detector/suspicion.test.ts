import { expect, test } from "vitest";
import type { KubeObject } from "../api/index.ts";
import { type LogEntry, loggerTo, noMetrics, VirtualClock } from "../base/index.ts";
import { Detector, type Monitor, ReconcileObserver, type ReconcileTrigger, type Write } from "./index.ts";

interface Monitored {
  readonly monitor: Monitor;
  readonly causes: unknown[];
}

function monitored(): Monitored {
  const causes: unknown[] = [];
  const log = loggerTo(({ level, fields }: LogEntry) => void (level === "warn" && causes.push(fields.cause)));
  return {
    monitor: new Detector({ log, metrics: noMetrics, clock: new VirtualClock() }).of("test"),
    causes,
  };
}

function map(name: string, version: number, data: Record<string, string> = {}): KubeObject {
  const metadata = { name, uid: name, resourceVersion: `${version}`, creationTimestamp: "" };
  return { apiVersion: "v1", kind: "ConfigMap", metadata, data } as KubeObject; // the detector reads only these fields
}

function event(name: string, version: number, what = "updated"): ReconcileTrigger {
  return { kind: "ConfigMap", key: name, event: what, resourceVersion: `${version}` };
}

const outside: ReconcileTrigger = {
  kind: "Secret",
  key: "b",
  event: "updated",
  resourceVersion: "elsewhere",
};

/** Returns a write of the ConfigMap with this name. */
function write(name: string, rest: Partial<Write> = {}): Write {
  const nothing = { cached: () => undefined, fetch: () => Promise.resolve(undefined) };
  return { verb: "update", kind: "ConfigMap", key: name, ...nothing, ...rest };
}

test("with a stale cache, a fight is not reported as a write that changes nothing", async () => {
  const { monitor, causes } = monitored();
  for (let version = 10; version <= 200; version += 10) {
    using observation = new ReconcileObserver(monitor, "a", [event("a", version - 10)]);
    const cached = (): KubeObject => map("a", version - 10, { size: "1" });
    const fetch = (): Promise<KubeObject> => Promise.resolve(map("a", version - 5, { size: "2" }));
    await observation.around(write("a", { cached, fetch }), async () => map("a", version, { size: "1" }));
  }
  expect(causes).toEqual(["fight"]);
});

test("a fight is reported even if other triggers cause each write and the cache is always stale", async () => {
  const { monitor, causes } = monitored();
  for (let version = 10; version <= 200; version += 10) {
    using observation = new ReconcileObserver(monitor, "a", [outside]);
    const cached = (): KubeObject => map("a", version - 10, { size: "1" });
    const fetch = (): Promise<KubeObject> => Promise.resolve(map("a", version - 5, { size: "2" }));
    const apply = write("a", { cached, fetch, verb: "apply" });
    await observation.around(apply, async () => map("a", version, { size: "1" }));
  }
  expect(causes).toEqual(["fight"]);
});

test("writes that do not make a new version are not compared", async () => {
  const { monitor } = monitored();
  let cacheReads = 0;
  const cached = (): KubeObject => {
    cacheReads += 1;
    return map("a", 0);
  };
  for (let version = 1; version <= 10; version += 1) {
    for (const trigger of [event("a", version), outside]) {
      using observation = new ReconcileObserver(monitor, "a", [trigger]);
      await observation.around(write("a", { cached, verb: "apply" }), async () => map("a", version));
    }
  }
  expect(cacheReads).toBe(0);
});

test("a resync of the current object is not an echo", async () => {
  const { monitor, causes } = monitored();
  for (let version = 1; version <= 30; version += 1) {
    using observation = new ReconcileObserver(monitor, "a", [event("a", version - 1, "resync")]);
    const cached = (): KubeObject => map("a", version - 1, { at: `${version - 1}` });
    await observation.around(write("a", { cached }), async () => map("a", version, { at: `${version}` }));
  }
  expect(causes).toEqual([]);
});

test("a write that changes the object ends a sequence of writes without effect", async () => {
  const { monitor, causes } = monitored();
  const sent = { data: { size: "1000m" } };
  for (let times = 1; times <= 40; times += 1) {
    const version = Math.floor(times / 9);
    using observation = new ReconcileObserver(monitor, "a", [outside]);
    await observation.around(write("a", { sent }), async () => map("a", version, { size: "1" }));
  }
  expect(causes).toEqual([]);
});

test("a loop is detected even if it writes more objects than are remembered", async () => {
  const { monitor, causes } = monitored();
  for (let turn = 1; turn <= 15; turn += 1) {
    const triggers = Array.from({ length: 64 }, (_, at) => event(`m${at}`, turn * 100 - 100 + at));
    using observation = new ReconcileObserver(monitor, "a", triggers);
    for (let at = 0; at < 70; at += 1) {
      const [old, now] = [turn * 100 - 100 + at, turn * 100 + at];
      const cached = (): KubeObject => map(`m${at}`, old, { at: `${old}` });
      await observation.around(write(`m${at}`, { cached }), async () => map(`m${at}`, now, { at: `${now}` }));
    }
  }
  expect(causes).toEqual(["loop"]);
});
