import { expect, test } from "vitest";
import type { KubeObject, ObjectKey } from "../api/index.ts";
import { ConfigMap, Secret } from "../api/types/core/v1.ts";
import { Controlled } from "./controlled.fixture.ts";
import { type Context, controller, owns, RetryAfterError } from "./index.ts";
import { durationMs, Traced } from "./traced.fixture.ts";

/** A world whose reconciles are traced by OpenTelemetry's own SDK. */
async function tracedWorld(): Promise<{ world: Controlled; traced: Traced }> {
  let traced: Traced | undefined;
  const world = await Controlled.start({
    tracer(clock) {
      traced = new Traced(clock);
      return traced.tracer;
    },
  });
  return { world, traced: traced as Traced }; // the callback above sets it
}

test("a reconcile is a span with its queue wait and its requests as children", async () => {
  const { world, traced } = await tracedWorld();
  await using _world = world;
  using _traced = traced;
  const reconcile = async (key: ObjectKey, { client }: Context): Promise<void> => {
    const map = await client.get(ConfigMap, key);
    await new Promise<void>((resolve) => void world.clock.timer(10, resolve));
    await Promise.all(
      ["a", "b"].map((name) => client.apply(Secret, { metadata: { name } }, { owner: map as KubeObject })),
    );
    await client.patch(ConfigMap, key, { merge: { data: { x: "1" } } });
  };
  await world.live.create(ConfigMap, { metadata: { name: "owner" } });
  await world.run(
    controller({ name: "configmap", for: ConfigMap, when: ({ type }) => type === "added", reconcile }),
  );
  await world.clock.advance(1000);
  expect(traced.tree).toEqual([
    "reconcile configmap",
    "  queue wait",
    "  PATCH secrets",
    "  PATCH secrets",
    "  PATCH configmaps",
  ]);
  const [span] = traced.named("reconcile configmap");
  expect(span?.attributes).toEqual({
    "trimtab.reason_count": 1,
    "trimtab.controller": "configmap",
    "trimtab.kind": "v1 ConfigMap",
    "trimtab.key": "default/owner",
    "trimtab.reconcile_id": expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    "trimtab.attempt": 1,
    "trimtab.reasons": ["added ConfigMap default/owner"],
    "trimtab.result": "success",
  });
  expect(durationMs(span as never)).toBe(10);
  const [call] = traced.named("PATCH configmaps");
  expect(call?.attributes).toMatchObject({
    "http.request.method": "PATCH",
    "url.path": "/api/v1/namespaces/default/configmaps/owner",
    "http.response.status_code": 200,
  });
});

test("log entries and the span of a reconcile have the same id", async () => {
  const { world, traced } = await tracedWorld();
  await using _world = world;
  using _traced = traced;
  const reconcile = async (_: ObjectKey, { log }: Context): Promise<void> => log.info("at work");
  for (const name of ["a", "b"]) await world.live.create(ConfigMap, { metadata: { name } });
  await world.run(controller({ name: "configmap", for: ConfigMap, reconcile }));
  const lines = world.logged.filter(({ fields }) => fields.reconcileId !== undefined);
  const ids = traced.named("reconcile configmap").map(({ attributes }) => attributes["trimtab.reconcile_id"]);
  expect(lines.map(({ message, fields: { key, reconcileId } }) => [message, key, reconcileId])).toEqual([
    ["at work", "default/a", ids[0]],
    ["reconciled", "default/a", ids[0]],
    ["at work", "default/b", ids[1]],
    ["reconciled", "default/b", ids[1]],
  ]);
  expect(new Set(ids).size).toBe(2);
});

test("each attempt is its own trace, with its reasons, queue wait and result", async () => {
  const { world, traced } = await tracedWorld();
  await using _world = world;
  using _traced = traced;
  let times = 0;
  const reconcile = async (_: ObjectKey, { client }: Context): Promise<void> => {
    if (++times > 1) return;
    await client.patch(ConfigMap, "a", { merge: { data: { tried: "1" } } });
    throw new RetryAfterError("not yet", { afterMs: 50 });
  };
  await world.live.create(ConfigMap, { metadata: { name: "a" } });
  await world.run(
    controller({ name: "configmap", for: ConfigMap, debounce: { quietMs: 100, maxMs: 100 }, reconcile }),
  );
  await world.clock.advance(1000);
  const spans = traced.named("reconcile configmap").map(({ attributes, status }) => ({
    attempt: attributes["trimtab.attempt"],
    reasons: attributes["trimtab.reasons"],
    result: attributes["trimtab.result"],
    status,
  }));
  expect(spans).toEqual([
    {
      attempt: 1,
      reasons: ["added ConfigMap default/a"],
      result: "error",
      status: { code: 2, message: "not yet" },
    },
    { attempt: 2, reasons: ["retry"], result: "success", status: { code: 0 } },
    {
      attempt: 1,
      reasons: ["updated ConfigMap default/a: data (own write)"],
      result: "success",
      status: { code: 0 },
    },
  ]);
  const traces = new Set(traced.named("reconcile configmap").map((span) => span.spanContext().traceId));
  expect(traces.size).toBe(3);
});

test("the time that a key waits for a worker is its queue wait", async () => {
  const { world, traced } = await tracedWorld();
  await using _world = world;
  using _traced = traced;
  const slow = async (): Promise<void> => {
    await new Promise<void>((resolve) => void world.clock.timer(30, resolve));
  };
  for (const name of ["a", "b"]) await world.live.create(ConfigMap, { metadata: { name } });
  await world.run(controller({ name: "configmap", for: ConfigMap, on: [owns(Secret)], reconcile: slow }));
  await world.clock.advance(100);
  expect(
    traced.named("queue wait").map((span) => [span.attributes["trimtab.key"], durationMs(span)]),
  ).toEqual([
    ["default/a", 0],
    ["default/b", 30],
  ]);
});
