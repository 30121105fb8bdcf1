import { afterAll, beforeEach, expect, test } from "vitest";
import type { KubeObject } from "../api/index.ts";
import { Event } from "../api/types/events/v1.ts";
import { seededRng } from "../base/index.ts";
import { startCluster } from "../testing/index.ts";
import { apiSink } from "./index.ts";
import { configMap, RecorderStage } from "./recorder-stage.fixture.ts";
import { Wire } from "./wire.fixture.ts";

const cluster = await startCluster();
afterAll(() => cluster.close());

let stage: RecorderStage;
beforeEach(async () => {
  stage = await RecorderStage.on(cluster.client);
});

const menu = configMap("menu");
const regarding = {
  kind: "ConfigMap",
  namespace: "default",
  name: "menu",
  uid: "uid-menu",
  apiVersion: "v1",
  resourceVersion: "7",
};

test("an event is written with its fields and its reporter", async () => {
  await using events = stage.recording();
  events.warning(menu, "Burnt", {
    note: "the soup is burnt",
    action: "Cooking",
    fieldPath: "data{soup}",
    related: configMap("bill"),
    annotations: { table: "4" },
  });
  await stage.wire.answered(1);
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

test("core events have a count and the times of the first and the last occurrence", async () => {
  await using events = stage.recording({ api: "v1" });
  const note = { note: "soup is served", fieldPath: "data{soup}", annotations: { table: "4" } };
  events.normal(menu, "Served", note);
  await stage.wire.answered(1);
  await stage.clock.advance(60_000);
  events.normal(menu, "Served", note);
  await stage.wire.answered(2);
  events.normal(menu, "Served", note);
  await stage.wire.answered(3);
  const name = expect.stringMatching(/^menu\.[0-9a-f]{16}$/);
  expect(await stage.coreEvents()).toEqual([
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
  expect(stage.wire.sent.slice(1).map(({ body }) => body)).toEqual([
    { ...change, count: 2 },
    { ...change, count: 3 },
  ]);
});

test("events with other notes, reasons, types or objects are separate events", async () => {
  await using events = stage.recording({ api: "v1" });
  events.normal(menu, "Served", "soup");
  events.normal(menu, "Served", "bread");
  events.normal(menu, "Eaten", "soup");
  events.warning(menu, "Served", "soup");
  events.normal(configMap("bill"), "Served", "soup");
  events.normal(menu, "Served", { note: "soup", fieldPath: "data{soup}" });
  await stage.wire.answered(6);
  expect(stage.wire.lines).toEqual(Array.from({ length: 6 }, () => "POST /api/v1/namespaces/default/events"));
  const names = stage.wire.sent.map(({ body }) => (body as KubeObject).metadata.name);
  expect(new Set(names).size).toBe(6);
});

test.each([
  ["v1", { message: "(combined from similar events): dish 10", count: 2 }],
  ["events.k8s.io/v1", { message: "(combined from similar events): dish 9", series: { count: 2 } }],
] as const)(
  "in %s the tenth note for the same reason and later ones are combined into one event",
  async (api, combined) => {
    await using events = stage.recording({ api });
    for (let dish = 0; dish < 11; dish++) {
      events.normal(menu, "Served", `dish ${dish}`);
      await stage.wire.answered(dish + 1);
    }
    const written = (await stage.coreEvents()) as { readonly message: string }[];
    expect(written).toHaveLength(10);
    expect(written.find(({ message }) => message.startsWith("("))).toMatchObject(combined);
  },
);

test("an event about a cluster-scoped object is in the namespace default", async () => {
  await using events = stage.recording();
  const node = { ...configMap("worker", ""), kind: "Node" };
  events.normal(node, "Joined", "node joined");
  await stage.wire.answered(1);
  const [event] = await cluster.client.list(Event, { namespace: "default" });
  expect([event?.metadata.namespace, event?.regarding?.kind]).toEqual(["default", "Node"]);
});

test.each(["system:menu", "x".repeat(240)])(
  "events of an object with the name %s have random names",
  async (name) => {
    await using events = stage.recording();
    events.normal(configMap(name), "Served", "soup");
    await stage.wire.answered(1);
    const [event] = await cluster.client.list(Event, { namespace: "default" });
    expect(event?.metadata.name).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  },
);

test("a note that is too long for the server is shortened", async () => {
  await using events = stage.recording();
  events.normal(menu, "Served", "x".repeat(2000));
  await stage.wire.answered(1);
  const [event] = await cluster.client.list(Event, { namespace: "default" });
  expect(event?.note).toBe(`${"x".repeat(1021)}...`);
});

test("every occurrence of an event is logged", async () => {
  await using events = stage.recording();
  events.normal(menu, "Served", "soup");
  events.warning(menu, "Burnt", "bread");
  events.warning(menu, "Burnt", "bread");
  const fields = { kind: "ConfigMap", key: "default/menu" };
  const burnt = { ...fields, type: "Warning", reason: "Burnt", note: "bread" };
  expect(stage.logged).toEqual([
    {
      level: "info",
      message: "event",
      fields: { ...fields, type: "Normal", reason: "Served", note: "soup" },
    },
    { level: "warn", message: "event", fields: burnt },
    { level: "warn", message: "event", fields: burnt },
  ]);
});

test("an object without kind and apiVersion gets no event, and that is logged", async () => {
  await using events = stage.recording();
  events.normal({ metadata: { name: "menu" } } as KubeObject, "Served", "soup");
  expect(stage.logged).toEqual([
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
  expect(stage.wire.sent).toEqual([]);
});

test("a sink that throws does not keep the event from other sinks", async () => {
  const failure = new Error("full");
  const failing = {
    record() {
      throw failure;
    },
    close: () => Promise.resolve(),
  };
  const received: string[] = [];
  const receiving = {
    record: ({ note }: { note: string }) => void received.push(note),
    close: async () => {},
  };
  await using events = stage.recording({ sinks: [failing, receiving] });
  events.normal(menu, "Served", "soup");
  expect(received).toEqual(["soup"]);
  expect(stage.logged.at(-1)).toEqual({
    level: "warn",
    message: "event not recorded",
    fields: { reason: "Served", note: "soup", error: failure },
  });
});

test("a sink that rejects is logged, and does not prevent closing the others", async () => {
  const error = new Error("full");
  const rejecting = {
    record: (() => Promise.reject(error)) as () => void,
    close: () => Promise.reject(error),
  };
  const events = stage.recording({ sinks: [rejecting] });
  events.normal(menu, "Served", "soup");
  await events.close();
  expect(stage.logged.slice(-2)).toEqual([
    { level: "warn", message: "event not recorded", fields: { reason: "Served", note: "soup", error } },
    { level: "warn", message: "event sink not closed", fields: { error } },
  ]);
});

test("two sinks have separate counts", async () => {
  const other = new Wire(cluster.client);
  const { clock } = stage;
  const sinks = [stage.wire, other].map(({ client }, at) =>
    apiSink({ client, api: "v1", clock, rng: seededRng(2 + at) }),
  );
  await using events = stage.recording({ api: "v1" });
  events.normal(menu, "Served", "soup");
  await stage.wire.answered(1);
  await using both = stage.recording({ api: "v1", sinks });
  both.normal(menu, "Served", "soup");
  await Promise.all([stage.wire.answered(2), other.answered(1)]);
  expect([...stage.wire.lines, ...other.lines]).toEqual(
    Array.from({ length: 3 }, () => "POST /api/v1/namespaces/default/events"),
  );
});

test("an apiSink among the sinks replaces the recorder's own, so that each event is written once", async () => {
  const { wire, clock } = stage;
  const sink = apiSink({ client: wire.client, clock, api: "v1" });
  const events = stage.recording({ sinks: [sink] });
  events.normal(menu, "Served", "soup");
  await events.close();
  expect(wire.lines).toEqual(["POST /api/v1/namespaces/default/events"]);
});

test("withComponent shares sinks and close", async () => {
  const events = stage.recording();
  const waiter = events.withComponent("waiter");
  waiter.normal(menu, "Served", "soup");
  events.normal(menu, "Served", "soup");
  await events.close();
  waiter.warning(menu, "Late", "bread");
  const written = await cluster.client.list(Event, { namespace: "default" });
  expect(written.map(({ reason, reportingController }) => `${reason} ${reportingController}`).sort()).toEqual(
    ["Served shop", "Served waiter"],
  );
});

test.each([
  ["website", "website"],
  ["example.dev/website", "example.dev/website"],
  ["two words", "two-words"],
  ["(odd)", "odd"],
  [`${"n".repeat(62)}..n`, "n".repeat(62)],
  ["ü", "trimtab"],
])("the component %j is reported to events.k8s.io as %j, which it accepts", async (component, reported) => {
  const events = stage.recording({ component });
  events.normal(menu, "Served", "soup");
  await events.close();
  const written = await cluster.client.list(Event, { namespace: "default" });
  expect(written.map(({ reportingController }) => reportingController)).toEqual([reported]);
});
