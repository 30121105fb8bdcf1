import { afterAll, beforeEach, expect, test } from "vitest";
import type { KubeObject } from "../api/index.ts";
import { type ConfigMap, Event as CoreEvent } from "../api/types/core/v1.ts";
import { Event } from "../api/types/events/v1.ts";
import { type LogEntry, loggerTo, seededRng, settled, VirtualClock } from "../base/index.ts";
import { startCluster } from "../testing/index.ts";
import { apiSink, type Recorder, type RecorderOptions, recorder } from "./index.ts";
import { unreachable, Wire } from "./wire.fixture.ts";

const cluster = await startCluster();
afterAll(() => cluster.close());

let clock: VirtualClock;
let wire: Wire;
let logged: LogEntry[];
beforeEach(async () => {
  clock = new VirtualClock(Date.UTC(2030, 0, 2, 3, 4, 5, 678));
  wire = new Wire(cluster.client);
  logged = [];
  await cluster.client.deleteAll(CoreEvent, { namespace: "default" });
});

function recording(more: Partial<RecorderOptions> = {}): Recorder {
  const log = loggerTo((entry) => logged.push(entry));
  const own = { client: wire.client, component: "shop", instance: "host-1" };
  return recorder({ ...own, log, clock, rng: seededRng(1), ...more });
}

function configMap(name: string, namespace = "default"): ConfigMap {
  const metadata = { name, namespace, uid: `uid-${name}`, resourceVersion: "7", creationTimestamp: "" };
  return { apiVersion: "v1", kind: "ConfigMap", metadata };
}
const menu = configMap("menu");

/** Without what the server adds. */
async function coreEvents(): Promise<object[]> {
  const events = await cluster.client.list(CoreEvent, { namespace: "default" });
  return events.map(({ metadata: { name, namespace, annotations }, ...event }) => ({
    ...event,
    metadata: { name, namespace, annotations },
  }));
}

const regarding = {
  kind: "ConfigMap",
  namespace: "default",
  name: "menu",
  uid: "uid-menu",
  apiVersion: "v1",
  resourceVersion: "7",
};

test("an event is written as it is told, with who told it", async () => {
  await using events = recording();
  events.warning(menu, "Burnt", {
    note: "the soup is burnt",
    action: "Cooking",
    fieldPath: "data{soup}",
    related: configMap("bill"),
    annotations: { table: "4" },
  });
  await wire.answered(1);
  const [event] = await cluster.client.list(Event, { namespace: "default" });
  expect(event).toEqual({
    apiVersion: "events.k8s.io/v1",
    kind: "Event",
    metadata: {
      ...event?.metadata,
      name: expect.stringMatching(/^menu\.[0-9a-f]{16}$/),
      namespace: "default",
      annotations: { table: "4" },
    },
    eventTime: "2030-01-02T03:04:05.678000Z",
    type: "Warning",
    reason: "Burnt",
    note: "the soup is burnt",
    action: "Cooking",
    regarding: { ...regarding, fieldPath: "data{soup}" },
    related: { ...regarding, name: "bill", uid: "uid-bill" },
    reportingController: "shop",
    reportingInstance: "host-1",
    deprecatedSource: {},
    deprecatedFirstTimestamp: null,
    deprecatedLastTimestamp: null,
  });
});

test("the core's events have a count and the times of the first and the last", async () => {
  await using events = recording({ api: "v1" });
  const note = { note: "soup is served", fieldPath: "data{soup}", annotations: { table: "4" } };
  events.normal(menu, "Served", note);
  await wire.answered(1);
  await clock.advance(60_000);
  events.normal(menu, "Served", note);
  await wire.answered(2);
  events.normal(menu, "Served", note);
  await wire.answered(3);
  const name = expect.stringMatching(/^menu\.[0-9a-f]{16}$/);
  expect(await coreEvents()).toEqual([
    {
      apiVersion: "v1",
      kind: "Event",
      metadata: { name, namespace: "default", annotations: { table: "4" } },
      involvedObject: { ...regarding, fieldPath: "data{soup}" },
      type: "Normal",
      reason: "Served",
      message: "soup is served",
      action: "Reconcile",
      count: 3,
      firstTimestamp: "2030-01-02T03:04:05Z",
      lastTimestamp: "2030-01-02T03:05:05Z",
      eventTime: null,
      source: { component: "shop", host: "host-1" },
      reportingComponent: "shop",
      reportingInstance: "host-1",
    },
  ]);
  const change = { message: "soup is served", lastTimestamp: "2030-01-02T03:05:05Z" };
  expect(wire.sent.slice(1).map(({ body }) => body)).toEqual([
    { ...change, count: 2 },
    { ...change, count: 3 },
  ]);
});

test("other words, reasons, types and objects are events of their own", async () => {
  await using events = recording({ api: "v1" });
  events.normal(menu, "Served", "soup");
  events.normal(menu, "Served", "bread");
  events.normal(menu, "Eaten", "soup");
  events.warning(menu, "Served", "soup");
  events.normal(configMap("bill"), "Served", "soup");
  events.normal(menu, "Served", { note: "soup", fieldPath: "data{soup}" });
  await wire.answered(6);
  expect(wire.lines).toEqual(Array.from({ length: 6 }, () => "POST /api/v1/namespaces/default/events"));
  const names = wire.sent.map(({ body }) => (body as KubeObject).metadata.name);
  expect(new Set(names).size).toBe(6);
});

test("an event about what has no namespace is in default", async () => {
  await using events = recording();
  const node = { ...configMap("worker", ""), kind: "Node" };
  events.normal(node, "Joined", "it is here");
  await wire.answered(1);
  const [event] = await cluster.client.list(Event, { namespace: "default" });
  expect([event?.metadata.namespace, event?.regarding?.kind]).toEqual(["default", "Node"]);
});

test.each(["system:menu", "x".repeat(240)])(
  "an object called %s has events named by chance",
  async (name) => {
    await using events = recording();
    events.normal(configMap(name), "Served", "soup");
    await wire.answered(1);
    const [event] = await cluster.client.list(Event, { namespace: "default" });
    expect(event?.metadata.name).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  },
);

test("a note that is too long for the server is cut", async () => {
  await using events = recording();
  events.normal(menu, "Served", "x".repeat(2000));
  await wire.answered(1);
  const [event] = await cluster.client.list(Event, { namespace: "default" });
  expect(event?.note).toBe(`${"x".repeat(1021)}...`);
});

test("every event is logged, as often as it happens", async () => {
  await using events = recording();
  events.normal(menu, "Served", "soup");
  events.warning(menu, "Burnt", "bread");
  events.warning(menu, "Burnt", "bread");
  const fields = { kind: "ConfigMap", key: "default/menu" };
  const burnt = { ...fields, type: "Warning", reason: "Burnt", note: "bread" };
  expect(logged).toEqual([
    {
      level: "info",
      message: "event",
      fields: { ...fields, type: "Normal", reason: "Served", note: "soup" },
    },
    { level: "warn", message: "event", fields: burnt },
    { level: "warn", message: "event", fields: burnt },
  ]);
});

test("an object that does not say what it is has no event, and that is logged", async () => {
  await using events = recording();
  events.normal({ metadata: { name: "menu" } } as KubeObject, "Served", "soup");
  expect(logged).toEqual([
    {
      level: "warn",
      message: "event not recorded",
      fields: {
        reason: "Served",
        note: "soup",
        error: new Error(
          'expected an object with apiVersion, kind and name, got {"metadata":{"name":"menu"}}',
        ),
      },
    },
  ]);
  expect(wire.sent).toEqual([]);
});

test("a sink that throws keeps the event from nobody", async () => {
  const failure = new Error("full");
  const failing = {
    record() {
      throw failure;
    },
    close: () => Promise.resolve(),
  };
  const heard: string[] = [];
  const hearing = { record: ({ note }: { note: string }) => void heard.push(note), close: async () => {} };
  await using events = recording({ sinks: [failing, hearing] });
  events.normal(menu, "Served", "soup");
  expect(heard).toEqual(["soup"]);
  expect(logged.at(-1)).toEqual({
    level: "warn",
    message: "event not recorded",
    fields: { reason: "Served", note: "soup", error: failure },
  });
});

test("two sinks count apart", async () => {
  const other = new Wire(cluster.client);
  const second = apiSink({ client: other.client, api: "v1", clock, rng: seededRng(2) });
  await using events = recording({ api: "v1" });
  events.normal(menu, "Served", "soup");
  await wire.answered(1);
  await using both = recording({ api: "v1", sinks: [second] });
  both.normal(menu, "Served", "soup");
  await Promise.all([wire.answered(2), other.answered(1)]);
  expect([...wire.lines, ...other.lines]).toEqual(
    Array.from({ length: 3 }, () => "POST /api/v1/namespaces/default/events"),
  );
});

test("what is recorded by many at once before the end is written, and nothing after it", async () => {
  const events = recording({ api: "v1" });
  const tasks = Array.from({ length: 100 }, async (_, task) => {
    await Promise.resolve();
    events.normal(configMap(`object-${task}`), "Served", "soup");
  });
  await Promise.all(tasks);
  await events.close();
  events.normal(menu, "Late", "soup");
  await events.close();
  expect(await coreEvents()).toHaveLength(100);
  expect(wire.sent).toHaveLength(100);
  expect(clock.timers).toBe(0);
});

test("an answer of the server is final: what it refused is logged, and not tried again", async () => {
  const events = recording();
  events.normal(configMap("menu", "nowhere"), "Served", "soup");
  await wire.answered(1);
  await clock.advance(600_000);
  expect(wire.sent).toHaveLength(1);
  expect(logged.at(-1)).toMatchObject({
    level: "warn",
    message: "event not written",
    fields: { reason: "Served", note: "soup", error: { code: 404 } },
  });
  await events.close();
});

test("a server that cannot be reached is tried twelve times, ten seconds apart", async () => {
  wire.broken = unreachable;
  const events = recording();
  events.normal(menu, "Served", "soup");
  await clock.advance(10_000);
  expect(wire.sent).toHaveLength(2);
  await clock.advance(11 * 12_500);
  expect(wire.sent).toHaveLength(12);
  expect(logged.filter(({ message }) => message === "event not written")).toHaveLength(1);
  await events.close();
  expect(clock.timers).toBe(0);
});

test("the first try that succeeds is the last", async () => {
  wire.broken = (before) => (before === 0 ? unreachable() : undefined);
  const events = recording();
  events.normal(menu, "Served", "soup");
  await clock.advance(10_000);
  await wire.answered(2);
  await events.close();
  expect(wire.sent).toHaveLength(2);
  expect(await coreEvents()).toHaveLength(1);
});

test("a server that does not answer is asked again", async () => {
  wire.broken = (before) => (before === 0 ? "silence" : undefined);
  const events = recording();
  events.normal(menu, "Served", "soup");
  await clock.advance(30_000 + 10_000);
  await wire.answered(1);
  await events.close();
  expect(await coreEvents()).toHaveLength(1);
});

test("at the end each event is tried once more, and no longer than that", async () => {
  wire.broken = unreachable;
  const events = recording();
  events.normal(menu, "Served", "soup");
  events.normal(menu, "Served", "bread");
  await wire.answered(2);
  await settled();
  await events.close();
  expect(wire.sent).toHaveLength(4);
  expect(clock.timers).toBe(0);
});

test("a server that never answers holds up the end for five seconds", async () => {
  wire.broken = () => "silence";
  const events = recording();
  events.normal(menu, "Served", "soup");
  const closed = events.close();
  let over = false;
  void closed.then(() => {
    over = true;
  });
  await clock.advance(4_999);
  expect(over).toBe(false);
  await clock.advance(1);
  await closed;
  expect(clock.timers).toBe(0);
});

test("a thousand events that each fail four times all arrive, and are all logged", async () => {
  const tries = new Map<string, number>();
  const arrived: string[] = [];
  wire.send = async ({ body }) => {
    const { name } = (JSON.parse(String(body)) as KubeObject).metadata;
    tries.set(name, (tries.get(name) ?? 0) + 1);
    if (tries.get(name) !== 5) throw unreachable();
    arrived.push(name);
    return { status: 201, headers: {}, body: Buffer.from(String(body)) };
  };
  const events = recording();
  for (let each = 0; each < 1000; each += 1) events.normal(configMap(`object-${each}`), "Served", "soup");
  while (arrived.length < 1000) await clock.advance(10_000);
  await events.close();
  expect(new Set(arrived).size).toBe(1000);
  expect(logged.filter(({ message }) => message === "event")).toHaveLength(1000);
  expect(logged.filter(({ message }) => message === "event not written")).toEqual([]);
});

test("what finds no room behind a server that is away is dropped and logged", async () => {
  wire.broken = () => "silence";
  const events = recording();
  for (let each = 0; each < 1009; each += 1) events.normal(configMap(`object-${each}`), "Served", "soup");
  expect(logged.filter(({ message }) => message === "event not written")).toEqual([
    {
      level: "warn",
      message: "event not written",
      fields: {
        event: expect.stringMatching(/^default\/object-1008\./),
        reason: "Served",
        note: "soup",
        error: new Error("expected at most 1000 to wait, got more"),
      },
    },
  ]);
  const closed = events.close();
  while (await clock.advanceToNext());
  await closed;
});

test("a repetition of an event that is gone is written anew", async () => {
  await using events = recording({ api: "v1" });
  events.normal(menu, "Served", "soup");
  await wire.answered(1);
  await cluster.client.deleteAll(CoreEvent, { namespace: "default" });
  events.normal(menu, "Served", "soup");
  await wire.answered(3);
  expect(wire.lines.map((line) => line.split(" ")[0])).toEqual(["POST", "PATCH", "POST"]);
  expect(await coreEvents()).toEqual([expect.objectContaining({ count: 2 })]);
  expect(wire.sent[2]?.body).not.toHaveProperty("metadata.resourceVersion");
});

test("what happens again while it is written costs one more write, however often", async () => {
  await using events = recording({ api: "v1" });
  events.normal(menu, "Served", "soup");
  events.normal(menu, "Served", "soup");
  events.normal(menu, "Served", "soup");
  await events.close();
  expect(await coreEvents()).toEqual([expect.objectContaining({ count: 3 })]);
  expect(wire.sent).toHaveLength(2);
});

test("an object that floods is kept back after 25 writes, and counted on", async () => {
  await using events = recording({ api: "v1" });
  for (let each = 1; each <= 30; each += 1) {
    events.normal(menu, "Served", "soup");
    await wire.answered(Math.min(each, 25));
    await clock.advance(1_000);
  }
  expect(wire.sent).toHaveLength(25);
  await clock.advance(300_000);
  events.normal(menu, "Served", "soup");
  await wire.answered(26);
  expect(await coreEvents()).toEqual([expect.objectContaining({ count: 31 })]);
});
