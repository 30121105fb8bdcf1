import { expect, test } from "vitest";
import { ConfigMap, Namespace, Secret } from "../api/types/core/v1.ts";
import { Event } from "../api/types/events/v1.ts";
import { seededRng } from "../base/index.ts";
import { controller, otherCluster, watches } from "../controller/index.ts";
import { startCluster } from "../testing/index.ts";
import { Managed, reconciling } from "./managed.fixture.ts";

test("an invalid election fails the run before any part starts", async () => {
  await using world = await Managed.start();
  const log: string[] = [];
  await world.cluster.client.create(ConfigMap, { metadata: { name: "a" } });
  const running = await world.run([reconciling(async (name) => void log.push(name))], {
    leaderElection: { name: "operator", leaseDurationMs: 10_000, renewDeadlineMs: 10_000 },
  });
  const wrong = "expected leaseDurationMs to be more than renewDeadlineMs, got 10000 and 10000";
  expect([await world.over, log, world.clock.timers]).toEqual([wrong, [], 0]);
  await expect(running.ready).rejects.toThrow(wrong);
});

test("add throws while the manager stops", async () => {
  await using world = await Managed.start();
  let finish = (): void => {};
  const slow = reconciling(
    () =>
      new Promise((resolve) => {
        finish = resolve;
      }),
  );
  await world.cluster.client.create(ConfigMap, { metadata: { name: "a" } });
  const running = await world.run([slow]);
  world.ended.abort(new Error("received SIGTERM"));
  await world.settle();
  expect(() => running.add({ name: "late", run: async () => {} })).toThrow(
    "manager has ended; cannot add late",
  );
  finish();
  await world.settle();
  expect(await world.over).toBe("over");
});

test("the options are not changed and can be used for another manager", async () => {
  await using world = await Managed.start();
  await world.cluster.client.create(ConfigMap, { metadata: { name: "a" } });
  const log: string[] = [];
  const made = reconciling(async (name) => void log.push(name));
  const frozen = Object.freeze({ ...made, options: Object.freeze({ ...made.options }) });
  const leaderElection = Object.freeze({
    name: "operator",
    identity: "one",
    labels: Object.freeze({ a: "b" }),
  });
  const namespaces: readonly string[] = Object.freeze(["default"]);
  for (const _ of ["first", "second"]) {
    const ended = new AbortController();
    const over = world.manager([frozen], { leaderElection, namespaces }).run({ signal: ended.signal });
    await world.settle();
    ended.abort(new Error("received SIGTERM"));
    await world.settle();
    await over;
  }
  expect(log).toEqual(["a", "a"]);
});

test("the servers are closed when the manager has ended", async () => {
  await using world = await Managed.start();
  const served = world.manager([], {
    metrics: { port: 0, host: "127.0.0.1" },
    health: { port: 0, host: "127.0.0.1" },
  });
  const over = served.run({ signal: world.ended.signal });
  await served.ready;
  const ports = world.logged.flatMap(({ message, fields }) => (message === "serving" ? [fields.port] : []));
  const pages = ports.flatMap((port) =>
    ["/metrics", "/readyz"].map((path) => `http://127.0.0.1:${port}${path}`),
  );
  const statusOf = async (page: string): Promise<unknown> => {
    const response = await fetch(page).catch(() => undefined);
    await response?.text();
    return response?.status ?? "closed";
  };
  const statuses = (): Promise<unknown[]> => Promise.all(pages.map(statusOf));
  expect(await statuses()).toEqual([200, 404, 404, 200]);
  world.ended.abort(new Error("received SIGTERM"));
  await over;
  expect(await statuses()).toEqual(["closed", "closed", "closed", "closed"]);
});

test("no reconcile starts before the caches of other clusters have synced", async () => {
  await using world = await Managed.start();
  const { clock } = world;
  const slow = {
    on: { verb: "watch" as const, resource: "secrets" },
    fault: { type: "delay" as const, ms: 5000 },
  };
  await using server = await startCluster({ clock, rng: seededRng(7), faults: [slow] });
  const remote = otherCluster({ name: "remote", client: server.client });
  await world.cluster.client.create(ConfigMap, { metadata: { name: "a" } });
  await server.client.create(Secret, { metadata: { name: "a" } });
  const log: string[] = [];
  const comparing = controller({
    name: "configmap",
    for: ConfigMap,
    on: [watches(Secret, () => [], { cluster: remote })],
    reconcile: async (key) =>
      void log.push(
        `${key.name} at ${clock.monotonic()}: ${remote.cache.of(Secret).get(key)?.metadata.name}`,
      ),
  });
  await world.run([comparing]);
  await clock.advance(4999);
  expect(log).toEqual([]);
  await clock.advance(1);
  expect(log).toEqual(["a at 5000: a"]);
  expect(await world.end()).toBe("over");
});

test("a manager of some namespaces has cluster-scoped kinds whole, and each object once", async () => {
  await using world = await Managed.start();
  const { client } = world.cluster;
  for (const name of ["one", "two", "three"]) {
    await client.create(Namespace, { metadata: { name, labels: { ours: "" } } });
    await client.create(ConfigMap, { metadata: { name: "a", namespace: name } });
  }
  const log: string[] = [];
  const tenants = controller({
    name: "namespace",
    for: Namespace,
    view: { labels: "ours" },
    on: [watches(ConfigMap, () => [])],
    async reconcile({ name }, context) {
      const found = await context.client.get(Namespace, { name, namespace: "any" });
      log.push(`${found?.metadata.name} of ${context.cache.of(Namespace).list().length}`);
    },
  });
  const running = await world.run([tenants], { namespaces: ["one", "two"] });
  expect(log.sort()).toEqual(["one of 3", "three of 3", "two of 3"]);
  expect(
    running.cache
      .of(ConfigMap)
      .list()
      .map(({ metadata }) => metadata.namespace)
      .sort(),
  ).toEqual(["one", "two"]);
  expect(await world.end()).toBe("over");
});

test("events of the election and of reconciles are delivered, and no timer remains", async () => {
  await using world = await Managed.start();
  const { client } = world.cluster;
  const map = await client.create(ConfigMap, { metadata: { name: "a" } });
  const noting = reconciling(async (_, { events }) => events.normal(map, "Seen", "looked at"));
  await world.run([noting], { leaderElection: { name: "operator", identity: "one" } });
  expect([await world.end(), world.clock.timers]).toEqual(["over", 0]);
  const events = await client.list(Event, { namespace: "default" });
  expect(events.map(({ regarding, reason }) => `${regarding?.kind} ${reason}`).sort()).toEqual([
    "ConfigMap Seen",
    "Lease LeaderElection",
    "Lease LeaderElection",
  ]);
});
