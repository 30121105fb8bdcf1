import { expect, test } from "vitest";
import type { KubeObject } from "../api/index.ts";
import { type LogEntry, loggerTo, noMetrics, VirtualClock } from "../base/index.ts";
import { type Asked, Detector, type Monitor, Observation, type Write } from "./index.ts";

interface Watched {
  readonly monitor: Monitor;
  readonly causes: unknown[];
}

function watched(): Watched {
  const causes: unknown[] = [];
  const log = loggerTo(({ level, fields }: LogEntry) => void (level === "warn" && causes.push(fields.cause)));
  return {
    monitor: new Detector({ log, metrics: noMetrics, clock: new VirtualClock() }).of("test"),
    causes,
  };
}

function map(name: string, version: number, data: Record<string, string> = {}): KubeObject {
  const metadata = { name, uid: name, resourceVersion: `${version}`, creationTimestamp: "" };
  return { apiVersion: "v1", kind: "ConfigMap", metadata, data } as KubeObject; // of what is looked at
}

function event(name: string, version: number, what = "updated"): Asked {
  return { kind: "ConfigMap", key: name, event: what, resourceVersion: `${version}` };
}

const outside: Asked = { kind: "Secret", key: "b", event: "updated", resourceVersion: "elsewhere" };

/** A write of the ConfigMap that is answered with `answer`. */
function write(name: string, rest: Partial<Write> = {}): Write {
  const nothing = { seen: () => undefined, ask: () => Promise.resolve(undefined) };
  return { verb: "update", kind: "ConfigMap", key: name, ...nothing, ...rest };
}

test("where the cache is behind, a fight is not taken for a write that changes nothing", async () => {
  const { monitor, causes } = watched();
  for (let version = 10; version <= 200; version += 10) {
    using observation = new Observation(monitor, "a", [event("a", version - 10)]);
    const seen = (): KubeObject => map("a", version - 10, { size: "1" });
    const ask = (): Promise<KubeObject> => Promise.resolve(map("a", version - 5, { size: "2" }));
    await observation.around(write("a", { seen, ask }), async () => map("a", version, { size: "1" }));
  }
  expect(causes).toEqual(["fight"]);
});

test("a fight is told also where others ask for each write, and the cache is behind each time", async () => {
  const { monitor, causes } = watched();
  for (let version = 10; version <= 200; version += 10) {
    using observation = new Observation(monitor, "a", [outside]);
    const seen = (): KubeObject => map("a", version - 10, { size: "1" });
    const ask = (): Promise<KubeObject> => Promise.resolve(map("a", version - 5, { size: "2" }));
    const apply = write("a", { seen, ask, verb: "apply" });
    await observation.around(apply, async () => map("a", version, { size: "1" }));
  }
  expect(causes).toEqual(["fight"]);
});

test("who is answered with a version that was there has written nothing, and is not looked at", async () => {
  const { monitor } = watched();
  let looks = 0;
  const seen = (): KubeObject => {
    looks += 1;
    return map("a", 0);
  };
  for (let version = 1; version <= 10; version += 1) {
    for (const asked of [event("a", version), outside]) {
      using observation = new Observation(monitor, "a", [asked]);
      await observation.around(write("a", { seen, verb: "apply" }), async () => map("a", version));
    }
  }
  expect(looks).toBe(0);
});

test("to be told again of what is there is no echo", async () => {
  const { monitor, causes } = watched();
  for (let version = 1; version <= 30; version += 1) {
    using observation = new Observation(monitor, "a", [event("a", version - 1, "resync")]);
    const seen = (): KubeObject => map("a", version - 1, { at: `${version - 1}` });
    await observation.around(write("a", { seen }), async () => map("a", version, { at: `${version}` }));
  }
  expect(causes).toEqual([]);
});

test("a write that is made something of ends a row of those that are not", async () => {
  const { monitor, causes } = watched();
  const sent = { data: { size: "1000m" } };
  for (let times = 1; times <= 40; times += 1) {
    const version = Math.floor(times / 9);
    using observation = new Observation(monitor, "a", [outside]);
    await observation.around(write("a", { sent }), async () => map("a", version, { size: "1" }));
  }
  expect(causes).toEqual([]);
});

test("who writes more objects than are remembered is still seen to go in circles", async () => {
  const { monitor, causes } = watched();
  for (let turn = 1; turn <= 15; turn += 1) {
    const asked = Array.from({ length: 64 }, (_, at) => event(`m${at}`, turn * 100 - 100 + at));
    using observation = new Observation(monitor, "a", asked);
    for (let at = 0; at < 70; at += 1) {
      const [old, now] = [turn * 100 - 100 + at, turn * 100 + at];
      const seen = (): KubeObject => map(`m${at}`, old, { at: `${old}` });
      await observation.around(write(`m${at}`, { seen }), async () => map(`m${at}`, now, { at: `${now}` }));
    }
  }
  expect(causes).toEqual(["loop"]);
});
