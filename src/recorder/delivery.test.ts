import { afterAll, beforeEach, expect, test } from "vitest";
import type { KubeObject } from "../api/index.ts";
import { Event as CoreEvent } from "../api/types/core/v1.ts";
import { settled } from "../base/index.ts";
import { ApiError } from "../client/index.ts";
import { startCluster } from "../testing/index.ts";
import { apiSink } from "./index.ts";
import { configMap, RecorderStage } from "./recorder-stage.fixture.ts";
import { unreachable } from "./wire.fixture.ts";

const cluster = await startCluster();
afterAll(() => cluster.close());

let stage: RecorderStage;
beforeEach(async () => {
  stage = await RecorderStage.on(cluster.client);
});

const menu = configMap("menu");

test("events recorded concurrently before close are written, and none after it", async () => {
  const events = stage.recording({ api: "v1" });
  const tasks = Array.from({ length: 100 }, async (_, task) => {
    await Promise.resolve();
    events.normal(configMap(`object-${task}`), "Served", "soup");
  });
  await Promise.all(tasks);
  await events.close();
  events.normal(menu, "Late", "soup");
  await events.close();
  expect(await stage.coreEvents()).toHaveLength(100);
  expect([stage.wire.sent.length, stage.loggedWith("event").length]).toEqual([100, 100]);
  expect(stage.clock.timers).toBe(0);
});

test("a closed apiSink accepts no events and leaves no timer", async () => {
  const { wire, clock } = stage;
  const sink = apiSink({ client: wire.client, clock });
  await sink.close();
  sink.record({
    type: "Normal",
    reason: "Late",
    note: "soup",
    action: "Reconcile",
    regarding: { apiVersion: "v1", kind: "ConfigMap", namespace: "default", name: "menu" },
    component: "shop",
    instance: "host-1",
    atMs: clock.now(),
  });
  await sink.close();
  expect([wire.sent, clock.timers]).toEqual([[], 0]);
});

test("an error response is final: it is logged and not retried", async () => {
  const events = stage.recording();
  events.normal(configMap("menu", "nowhere"), "Served", "soup");
  await stage.wire.answered(1);
  await stage.clock.advance(600_000);
  expect(stage.wire.sent).toHaveLength(1);
  expect(stage.logged.at(-1)).toMatchObject({
    level: "warn",
    message: "event not written",
    fields: { reason: "Served", note: "soup", error: { code: 404 } },
  });
  await events.close();
});

test("an unreachable server is tried twelve times, ten seconds apart", async () => {
  stage.wire.broken = unreachable;
  const events = stage.recording();
  events.normal(menu, "Served", "soup");
  await stage.clock.advance(10_000);
  expect(stage.wire.sent).toHaveLength(2);
  await stage.clock.advance(11 * 12_500);
  expect(stage.wire.sent).toHaveLength(12);
  expect(stage.loggedWith("event not written")).toHaveLength(1);
  await events.close();
  expect(stage.clock.timers).toBe(0);
});

/** Makes the server refuse writes to one of the APIs, or to both. */
function forbidding(...apis: readonly ("events.k8s.io" | "api/v1")[]): void {
  stage.wire.broken = (_, line) =>
    apis.some((api) => line.includes(api))
      ? new ApiError("may not create events", { code: 403, reason: "Forbidden" })
      : undefined;
}

test("a missing permission is logged once, with the RBAC rule that grants it", async () => {
  forbidding("events.k8s.io", "api/v1");
  const events = stage.recording({ api: "events.k8s.io/v1" });
  events.normal(menu, "Served", "soup");
  await stage.wire.answered(2);
  await settled();
  events.normal(menu, "Eaten", "bread");
  await events.close();
  const place = "namespaces/default/events";
  expect(stage.wire.lines).toEqual([
    `POST /apis/events.k8s.io/v1/${place}`,
    `POST /api/v1/${place}`,
    `POST /apis/events.k8s.io/v1/${place}`,
  ]);
  expect(stage.logged.filter(({ level }) => level === "warn")).toEqual([
    {
      level: "warn",
      message: "events not written: missing permission",
      fields: {
        error: "may not create events",
        rule: '{ apiGroups: ["events.k8s.io"], resources: ["events"], verbs: ["create", "patch"] }',
      },
    },
  ]);
});

test("if events.k8s.io is forbidden, events are written to core/v1, with every repetition", async () => {
  forbidding("events.k8s.io");
  const events = stage.recording({ api: "events.k8s.io/v1" });
  events.normal(menu, "Served", "soup");
  await stage.wire.answered(2);
  for (let times = 0; times < 3; times += 1) {
    events.normal(menu, "Served", "soup");
    await stage.wire.answered(3 + times);
  }
  await stage.clock.advance(720_000); // unlike series, core Events are not forgotten
  events.normal(menu, "Served", "soup");
  await stage.wire.answered(6);
  await events.close();
  const methods = stage.wire.lines.map((line) => line.replace(/namespaces.*/, ""));
  const patch = "PATCH /api/v1/";
  expect(methods).toEqual(["POST /apis/events.k8s.io/v1/", "POST /api/v1/", patch, patch, patch, patch]);
  expect(await stage.coreEvents()).toMatchObject([
    { reason: "Served", message: "soup", count: 5, source: { component: "shop", host: "host-1" } },
  ]);
  expect(stage.logged.filter(({ level }) => level === "warn")).toEqual([]);
});

test("concurrent events of many objects fall back together", async () => {
  forbidding("events.k8s.io");
  const events = stage.recording({ api: "events.k8s.io/v1" });
  for (let each = 0; each < 20; each += 1) events.normal(configMap(`object-${each}`), "Served", "soup");
  await events.close();
  expect([(await stage.coreEvents()).length, stage.loggedWith("event not written")]).toEqual([20, []]);
});

test("a terminating namespace is not a missing permission, and is logged at debug level", async () => {
  const refusal = { code: 403, reason: "Forbidden" };
  const causes = [{ reason: "NamespaceTerminating" }];
  stage.wire.broken = (before) =>
    before === 0
      ? new ApiError("the namespace is being terminated", { ...refusal, details: { causes } })
      : new ApiError("may not create events", refusal);
  const events = stage.recording();
  events.normal(menu, "Served", "soup");
  await stage.wire.answered(1);
  await settled();
  const lastLog = (): unknown[] => stage.logged.slice(-1).map(({ level, message }) => [level, message]);
  expect(lastLog()).toEqual([["debug", "event not written"]]);
  expect(stage.wire.lines).toEqual(["POST /apis/events.k8s.io/v1/namespaces/default/events"]);
  events.normal(configMap("bill"), "Served", "soup");
  await events.close();
  expect(lastLog()).toEqual([["warn", "events not written: missing permission"]]);
});

test("retries end with the first success", async () => {
  stage.wire.broken = (before) => (before === 0 ? unreachable() : undefined);
  const events = stage.recording();
  events.normal(menu, "Served", "soup");
  await stage.clock.advance(10_000);
  await stage.wire.answered(2);
  await events.close();
  expect(stage.wire.sent).toHaveLength(2);
  expect(await stage.coreEvents()).toHaveLength(1);
});

test("a write without a response is retried", async () => {
  stage.wire.broken = (before) => (before === 0 ? "silence" : undefined);
  const events = stage.recording();
  events.normal(menu, "Served", "soup");
  await stage.clock.advance(30_000 + 10_000);
  await stage.wire.answered(1);
  await events.close();
  expect(await stage.coreEvents()).toHaveLength(1);
});

test("close tries each event once more", async () => {
  stage.wire.broken = unreachable;
  const events = stage.recording();
  events.normal(menu, "Served", "soup");
  events.normal(menu, "Served", "bread");
  await stage.wire.answered(2);
  await settled();
  await events.close();
  expect(stage.wire.sent).toHaveLength(4);
  expect(stage.clock.timers).toBe(0);
});

test("a server without a response delays close by at most five seconds", async () => {
  stage.wire.broken = () => "silence";
  const events = stage.recording();
  events.normal(menu, "Served", "soup");
  const closed = events.close();
  let over = false;
  void closed.then(() => {
    over = true;
  });
  await stage.clock.advance(4_999);
  expect(over).toBe(false);
  await stage.clock.advance(1);
  await closed;
  expect(stage.clock.timers).toBe(0);
});

test("a thousand events that each fail four times are all written and logged", async () => {
  const tries = new Map<string, number>();
  const arrived: string[] = [];
  stage.wire.send = async ({ body }) => {
    const { name } = (JSON.parse(String(body)) as KubeObject).metadata;
    tries.set(name, (tries.get(name) ?? 0) + 1);
    if (tries.get(name) !== 5) throw unreachable();
    arrived.push(name);
    return { status: 201, headers: {}, body: Buffer.from(String(body)) };
  };
  const events = stage.recording();
  for (let each = 0; each < 1000; each += 1) events.normal(configMap(`object-${each}`), "Served", "soup");
  while (arrived.length < 1000) await stage.clock.advance(10_000);
  await events.close();
  expect(new Set(arrived).size).toBe(1000);
  expect(stage.loggedWith("event")).toHaveLength(1000);
  expect(stage.loggedWith("event not written")).toEqual([]);
});

test("events beyond the queue limit are dropped and logged", async () => {
  stage.wire.broken = () => "silence";
  const events = stage.recording();
  for (let each = 0; each < 1009; each += 1) events.normal(configMap(`object-${each}`), "Served", "soup");
  expect(stage.loggedWith("event not written")).toEqual([
    {
      level: "warn",
      message: "event not written",
      fields: {
        event: expect.stringMatching(/^default\/object-1008\./),
        reason: "Served",
        note: "soup",
        error: new Error("event queue is full (1000 waiting)"),
      },
    },
  ]);
  const closed = events.close();
  while (await stage.clock.advanceToNext());
  await closed;
});

test("a repetition of a deleted event creates it again", async () => {
  await using events = stage.recording({ api: "v1" });
  events.normal(menu, "Served", "soup");
  await stage.wire.answered(1);
  await cluster.client.deleteAll(CoreEvent, { namespace: "default" });
  events.normal(menu, "Served", "soup");
  await stage.wire.answered(3);
  expect(stage.wire.lines.map((line) => line.split(" ")[0])).toEqual(["POST", "PATCH", "POST"]);
  expect(await stage.coreEvents()).toEqual([expect.objectContaining({ count: 2 })]);
  expect(stage.wire.sent[2]?.body).not.toHaveProperty("metadata.resourceVersion");
});

test("a repetition that cannot be sent is retried, and not created again", async () => {
  stage.wire.broken = (before) => (before === 1 ? unreachable() : undefined);
  await using events = stage.recording({ api: "v1" });
  events.normal(menu, "Served", "soup");
  await stage.wire.answered(1);
  events.normal(menu, "Served", "soup");
  await stage.wire.answered(2);
  await settled();
  await stage.clock.advance(10_000);
  await stage.wire.answered(3);
  expect(stage.wire.lines.map((line) => line.split(" ")[0])).toEqual(["POST", "PATCH", "PATCH"]);
});

/** Delivers the first write but loses its response. */
function loseFirstResponse(): void {
  const send = stage.wire.send.bind(stage.wire);
  let lost = false;
  stage.wire.send = async (request) => {
    const response = await send(request);
    if (lost) return response;
    lost = true;
    throw unreachable();
  };
}

test("an event that already exists is not reported as a failure", async () => {
  loseFirstResponse();
  const events = stage.recording();
  events.normal(menu, "Served", "soup");
  await stage.wire.answered(1);
  await settled();
  await stage.clock.advance(10_000);
  await stage.wire.answered(2);
  await events.close();
  expect(stage.wire.lines.map((line) => line.split(" ")[0])).toEqual(["POST", "POST"]);
  expect(await stage.coreEvents()).toHaveLength(1);
  expect(stage.loggedWith("event not written").map(({ level }) => level)).toEqual(["debug"]);
});

test.each(["v1", "events.k8s.io/v1"] as const)(
  "in %s a repetition of an event that already exists is written",
  async (api) => {
    loseFirstResponse();
    const events = stage.recording({ api });
    events.normal(menu, "Served", "soup");
    await stage.wire.answered(1);
    await settled();
    events.normal(menu, "Served", "soup");
    for (const responses of [2, 3]) {
      await stage.clock.advance(12_500);
      await stage.wire.answered(responses);
      await settled();
    }
    await events.close();
    expect(stage.wire.lines.map((line) => line.split(" ")[0])).toEqual(["POST", "POST", "PATCH"]);
    const [event] = await stage.coreEvents();
    expect(event).toMatchObject(api === "v1" ? { count: 2 } : { series: { count: 2 } });
    expect(stage.loggedWith("event not written")).toEqual([]);
  },
);

test("repetitions during a write lead to one more write", async () => {
  await using events = stage.recording({ api: "v1" });
  events.normal(menu, "Served", "soup");
  events.normal(menu, "Served", "soup");
  events.normal(menu, "Served", "soup");
  await events.close();
  expect(await stage.coreEvents()).toEqual([expect.objectContaining({ count: 3 })]);
  expect(stage.wire.sent).toHaveLength(2);
});

test("a flood of events about one object is throttled after 25 writes, and still counted", async () => {
  await using events = stage.recording({ api: "v1" });
  for (let each = 1; each <= 30; each += 1) {
    events.normal(menu, "Served", "soup");
    await stage.wire.answered(Math.min(each, 25));
    await stage.clock.advance(1_000);
  }
  expect(stage.wire.sent).toHaveLength(25);
  await stage.clock.advance(300_000);
  events.normal(menu, "Served", "soup");
  await stage.wire.answered(26);
  expect(await stage.coreEvents()).toEqual([expect.objectContaining({ count: 31 })]);
});
