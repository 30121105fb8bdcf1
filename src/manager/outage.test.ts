import { expect, test } from "vitest";
import { ConfigMap, Secret } from "../api/types/core/v1.ts";
import { loggerTo } from "../base/index.ts";
import { controller } from "../controller/index.ts";
import { BreakableConnection } from "./breakable-connection.fixture.ts";
import { Managed, reconciling } from "./managed.fixture.ts";

test("an unreachable cluster at startup fails the run with the connection error", async () => {
  await using world = await Managed.start();
  const connection = new BreakableConnection();
  connection.cut();
  const client = world.cluster.client.through((transport) => connection.over(transport));
  await world.run([reconciling(async () => {})], { client });
  await world.clock.advance(10_000);
  expect([await world.over, world.clock.timers]).toEqual([
    expect.stringContaining("the connection is cut"),
    0,
  ]);
});

test("an outage of minutes is survived, and every change during it is reconciled", async () => {
  await using world = await Managed.start();
  const { cluster, clock } = world;
  const connection = new BreakableConnection();
  const client = cluster.client.through((transport) => connection.over(transport));
  const log: string[] = [];
  const maps = controller({
    name: "configmap",
    for: ConfigMap,
    async reconcile(key, context) {
      const map = await context.client.get(ConfigMap, key);
      log.push(`${key.name} ${map?.data?.x ?? (map ? "-" : "gone")}`);
      if (map) await context.client.apply(Secret, { metadata: { ...key } }, { owner: map });
    },
  });
  for (const name of ["changed", "deleted", "kept"])
    await cluster.client.create(ConfigMap, { metadata: { name } });
  await world.run([maps], { client });
  expect(log.splice(0)).toEqual(["changed -", "deleted -", "kept -"]);

  connection.cut();
  await cluster.client.create(ConfigMap, { metadata: { name: "made" } });
  await cluster.client.patch(ConfigMap, "changed", { merge: { data: { x: "1" } } });
  await cluster.client.delete(ConfigMap, "deleted");
  await clock.advance(300_000);
  expect(log).toEqual([]);
  connection.restore();
  await clock.advance(60_000);
  expect(log.sort()).toEqual(["changed 1", "deleted gone", "made -"]);
  expect((await cluster.client.get(Secret, "made"))?.metadata.name).toBe("made");
  expect(world.messages("warn", "error")).toEqual(["watch failed"]);
  const recovered = world.logged.filter(({ message }) => message === "watch recovered");
  expect(recovered).toEqual([
    {
      level: "info",
      message: "watch recovered",
      fields: {
        informer: "v1 ConfigMap",
        downMs: expect.toSatisfy((ms: number) => ms > 300_000 && ms < 360_000),
      },
    },
  ]);
  expect(await world.end()).toBe("over");
});

test("a reconcile that fails during an outage is retried until the cluster is back", async () => {
  await using world = await Managed.start();
  const { cluster, clock } = world;
  const connection = new BreakableConnection();
  const client = cluster.client.through((transport) => connection.over(transport));
  let calls = 0;
  const busy = reconciling(async (name, context) => {
    calls += 1;
    if (calls === 1) connection.cut();
    await context.client.apply(Secret, { metadata: { name, namespace: "default" } });
  });
  await cluster.client.create(ConfigMap, { metadata: { name: "a" } });
  await world.run([busy], { client });
  await clock.advance(180_000);
  expect(await cluster.client.get(Secret, "a")).toBe(undefined);
  connection.restore();
  await clock.advance(360_000); // the last backoff may be as long as all earlier ones together
  expect((await cluster.client.get(Secret, "a"))?.metadata.name).toBe("a");
  expect(await world.end()).toBe("over");
});

test("a manager can be stopped during an outage", async () => {
  await using world = await Managed.start();
  const connection = new BreakableConnection();
  const client = world.cluster.client.through((transport) => connection.over(transport));
  await world.run([reconciling(async () => {})], { client, leaderElection: undefined });
  connection.cut();
  await world.clock.advance(120_000);
  world.ended.abort(new Error("received SIGTERM"));
  await world.clock.advance(10_000); // queued events are retried for a while
  expect([await world.over, world.clock.timers]).toEqual(["over", 0]);
});

test("a leader that loses the cluster stops in time, and fails with the lost lease", async () => {
  await using world = await Managed.start();
  const { cluster, clock } = world;
  const connection = new BreakableConnection();
  const client = cluster.client.through((transport) => connection.over(transport));
  const log: string[] = [];
  const writing = reconciling(async (name, { signal }) => {
    log.push(`begin ${name}`);
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    log.push(`aborted at ${clock.monotonic()}`);
  });
  await cluster.client.create(ConfigMap, { metadata: { name: "a" } });
  await world.run([writing], { client, leaderElection: { name: "operator", identity: "one" } });
  await clock.advance(0);
  expect(log).toEqual(["begin a"]);
  connection.cut();
  await clock.advance(60_000);
  expect(log.slice(1)).toEqual(["aborted at 10000"]);
  expect([await world.over, clock.timers]).toEqual([
    "expected to renew lease default/operator within 10000 ms, got no success: the connection is cut",
    0,
  ]);
});

test("a reconcile that ignores the loss of leadership cannot write, even when the cluster is back", async () => {
  await using world = await Managed.start();
  const { cluster, clock } = world;
  const connection = new BreakableConnection();
  const client = cluster.client.through((transport) => connection.over(transport));
  const log: string[] = [];
  const ignoring = reconciling(async (name, context) => {
    connection.cut();
    await new Promise<void>((resolve) => void clock.timer(12_000, resolve));
    const write = context.client.apply(Secret, { metadata: { name, namespace: "default" } });
    log.push(
      await write.then(
        () => "written",
        (error: Error) => error.name,
      ),
    );
  });
  await cluster.client.create(ConfigMap, { metadata: { name: "a" } });
  await world.run([ignoring], { client, leaderElection: { name: "operator", identity: "one" } });
  await clock.advance(11_000);
  connection.restore();
  await clock.advance(60_000);
  expect([log, await cluster.client.get(Secret, "a")]).toEqual([["NotLeaderError"], undefined]);
  expect(await world.over).toContain("default/operator");
});

test("readiness fails after an outage of three minutes, and recovers with the cluster", async () => {
  await using world = await Managed.start();
  const connection = new BreakableConnection();
  const client = world.cluster.client.through((transport) => connection.over(transport));
  const ports: unknown[] = [];
  const log = loggerTo(({ message, fields }) => {
    if (message === "serving") ports.push(fields?.port);
  });
  const running = await world.run([reconciling(async () => {})], { client, log, health: { port: 0 } });
  await running.ready;
  const readiness = async (): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${ports[0]}/readyz/watches`);
    return [response.status, (await response.text()).replace(/ +heard \d+ s ago/g, " heard long ago")];
  };
  expect(await readiness()).toEqual([200, "ok"]);
  connection.cut();
  await world.clock.advance(250_000);
  expect(await readiness()).toEqual([500, expect.stringContaining("v1 ConfigMap heard long ago")]);
  connection.restore();
  await world.clock.advance(60_000);
  expect(await readiness()).toEqual([200, "ok"]);
});
