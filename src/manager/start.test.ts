import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { Lease } from "../api/types/coordination/v1.ts";
import { ConfigMap, Secret } from "../api/types/core/v1.ts";
import { type LogEntry, loggerTo, seededRng, VirtualClock } from "../base/index.ts";
import type { Client } from "../client/index.ts";
import { type FaultRule, startCluster } from "../testing/index.ts";
import { manager } from "./index.ts";
import { Managed, reconciling } from "./managed.fixture.ts";

/** Runs a manager against a server with these faults. Returns its outcome. */
async function runWithFaults(
  faults: readonly FaultRule[],
  play: (world: { readonly clock: VirtualClock; readonly end: AbortController }) => Promise<void>,
): Promise<{ readonly over: string; readonly timers: number; readonly reconciled: number }> {
  const clock = new VirtualClock();
  await using cluster = await startCluster({ clock, rng: seededRng(1), faults });
  await cluster.client.create(ConfigMap, { metadata: { name: "a" } });
  const end = new AbortController();
  let reconciled = 0;
  const counting = reconciling(async () => {
    reconciled += 1;
  });
  const over = manager({
    controllers: [counting],
    client: cluster.client,
    clock,
    rng: seededRng(2),
    log: loggerTo(() => {}),
  })
    .run({ signal: end.signal })
    .then(
      () => "over",
      ({ message }: Error) => message,
    );
  await play({ clock, end });
  return { over: await over, timers: clock.timers, reconciled };
}

/** Lists and watches of Secrets do not respond in time. */
const unlisted: readonly FaultRule[] = (["list", "watch"] as const).map((verb) => ({
  on: { verb, resource: "secrets" },
  fault: { type: "delay", ms: 600_000 },
}));

test("a cache that does not sync in time fails the run with its kind, and no reconcile starts", async () => {
  const { over, ...rest } = await runWithFaults(unlisted, ({ clock }) => clock.advance(130_000));
  expect(over).toMatch(/v1 Secret.*120/);
  expect(rest).toEqual({ timers: 0, reconciled: 0 });
});

test("a manager stopped during the cache sync ends immediately without an error", async () => {
  const ended = await runWithFaults(unlisted, async ({ clock, end }) => {
    await clock.advance(60_000);
    end.abort(new Error("received SIGTERM"));
    await clock.advance(0);
  });
  expect(ended).toEqual({ over: "over", timers: 0, reconciled: 0 });
});

test("no reconcile starts before a slow cache has synced", async () => {
  const late = unlisted.map((rule) => ({
    ...rule,
    which: { first: 1 },
    fault: { type: "delay", ms: 20_000 } as const,
  }));
  const ended = await runWithFaults(late, async ({ clock, end }) => {
    await clock.advance(60_000);
    end.abort(new Error("received SIGTERM"));
    await clock.advance(0);
  });
  expect(ended).toEqual({ over: "over", timers: 0, reconciled: 1 });
});

test("a standby has synced caches, and takes over without a list", async () => {
  await using world = await Managed.start();
  const { cluster, clock } = world;
  const log: string[] = [];
  const ends = { one: new AbortController(), two: new AbortController() };
  const begin = (identity: "one" | "two", client: Client): { over: Promise<void>; ready: Promise<void> } => {
    const controllers = [reconciling(async (name) => void log.push(`${identity} ${name}`))];
    const made = world.manager(controllers, { client, leaderElection: { name: "operator", identity } });
    return { over: made.run({ signal: ends[identity].signal }), ready: made.ready };
  };
  const one = begin("one", cluster.client);
  await clock.advance(0);
  await cluster.client.create(ConfigMap, { metadata: { name: "a" } });
  const opened: string[] = [];
  const noted = cluster.client.through((transport) => ({
    server: transport.server,
    send: (request) => transport.send(request),
    open: (request) => {
      opened.push(request.path.replace(/\?.*/, ""));
      return transport.open(request);
    },
    close: () => transport.close(),
  }));
  const two = begin("two", noted);
  await clock.advance(1000);
  await two.ready;
  expect([log, opened.sort()]).toEqual([["one a"], ["/api/v1/configmaps", "/api/v1/secrets"]]);
  opened.splice(0);
  ends.one.abort(new Error("received SIGTERM"));
  await clock.advance(10_000);
  await one.over;
  expect([log, opened]).toEqual([["one a", "two a"], []]);
  ends.two.abort(new Error("received SIGTERM"));
  await clock.advance(0);
  await two.over;
});

test("labels are set on the lease", async () => {
  await using world = await Managed.start();
  const leaderElection = { name: "operator", identity: "one", labels: { team: "blue" } };
  await world.run([reconciling(async () => {})], { leaderElection });
  expect((await world.cluster.client.get(Lease, "operator"))?.metadata.labels).toEqual({ team: "blue" });
  expect(await world.end()).toBe("over");
});

test("a port in use fails the run with the port", async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  try {
    await using world = await Managed.start();
    const { port } = other.address() as AddressInfo; // it listens on a port, not on a path
    const running = world.manager([reconciling(async () => {})], {
      health: { port, host: "127.0.0.1" },
    });
    await expect(running.run({ signal: world.ended.signal })).rejects.toThrow(String(port));
    expect(world.clock.timers).toBe(0);
  } finally {
    await new Promise((resolve) => other.close(resolve));
  }
});

test("log entries of a controller have the fields of the manager's logger", async () => {
  await using world = await Managed.start();
  const logged: LogEntry[] = [];
  const log = loggerTo((entry) => logged.push(entry)).with({ deployment: "blue" });
  await world.cluster.client.create(ConfigMap, { metadata: { name: "a" } });
  await world.cluster.client.create(Secret, { metadata: { name: "b" } });
  await world.run([reconciling(async (_, context) => context.log.info("mine"))], { log });
  const mine = logged.filter(({ message }) => message === "mine").map(({ fields }) => fields);
  expect(mine).toEqual([
    { deployment: "blue", controller: "configmap", key: "default/a", reconcileId: expect.any(String) },
  ]);
});
