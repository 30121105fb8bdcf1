import { expect, test } from "vitest";
import { type KubeObject, metadataOnly } from "../api/index.ts";
import { ConfigMap, Secret } from "../api/types/core/v1.ts";
import type { Client } from "../client/index.ts";
import { controller, otherCluster, owns, watches } from "../controller/index.ts";
import { cached } from "./cache-options.ts";
import { withPermissions } from "./limited-client.fixture.ts";
import { Managed, reconciling } from "./managed.fixture.ts";

const reconcile = async (): Promise<void> => {};

/** Returns a client that logs the path and the label selector of each watch. */
function watching(client: Client, paths: string[]): Client {
  return client.through((transport) => ({
    ...transport,
    open(sent) {
      const { pathname, searchParams } = new URL(sent.path, "http://server");
      if (searchParams.has("watch"))
        paths.push(`${pathname} ${searchParams.get("labelSelector") ?? ""}`.trim());
      return transport.open(sent);
    },
  }));
}

test("a handler that is added before the start receives every object and every change", async () => {
  await using world = await Managed.start();
  const { client } = world.cluster;
  await client.create(ConfigMap, { metadata: { name: "a" } });
  const made = world.manager([reconciling(async () => {})]);
  const log: string[] = [];
  const subscription = made.cache.on(ConfigMap, ({ type, key }) => void log.push(`${type} ${key}`));
  const over = made.run({ signal: world.ended.signal });
  await world.settle();
  await Promise.all([made.ready, subscription.synced]);
  const initial = log.splice(0).filter((line) => line.endsWith("/a"));
  await client.patch(ConfigMap, "a", { merge: { data: { x: "1" } } });
  await world.settle();
  await subscription.close();
  await client.delete(ConfigMap, "a");
  await world.settle();
  expect([initial, log]).toEqual([["added default/a"], ["updated default/a"]]);
  world.ended.abort(new Error("received SIGTERM"));
  await world.settle();
  await over;
  expect(world.clock.timers).toBe(0);
});

test("a handler shares the watch of the controllers, also if they watch a part of the kind", async () => {
  await using world = await Managed.start();
  const paths: string[] = [];
  const client = watching(world.cluster.client, paths);
  const view = { labels: { app: "web" } };
  const sites = controller({ name: "sites", for: ConfigMap, view, on: [owns(Secret)], reconcile });
  const made = await world.run([sites], { client });
  const log: string[] = [];
  made.cache.on(ConfigMap, ({ key }) => void log.push(key));
  made.cache.on(Secret, ({ key }) => void log.push(key));
  for (const kind of [ConfigMap, Secret]) {
    await world.cluster.client.create<KubeObject>(kind, {
      metadata: { name: "web", labels: { app: "web" } },
    });
    await world.cluster.client.create<KubeObject>(kind, { metadata: { name: "other" } });
  }
  await world.settle();
  expect(log.sort()).toEqual(["default/other", "default/web", "default/web"]);
  expect(paths.sort()).toEqual(["/api/v1/configmaps app=web", "/api/v1/secrets"]);
});

test("a kind that no controller watches is watched for its handlers, and reads have it until the last is closed", async () => {
  await using world = await Managed.start();
  const paths: string[] = [];
  await world.cluster.client.create(Secret, { metadata: { name: "s" } });
  const made = await world.run([], { client: watching(world.cluster.client, paths) });
  expect(() => made.cache.of(Secret)).toThrow(
    "expected a kind that a controller watches (none), got v1 Secret",
  );
  const subscriptions = [made.cache.on(Secret, () => {}), made.cache.on(Secret, () => {})];
  await world.settle();
  await Promise.all(subscriptions.map(({ synced }) => synced));
  expect(paths).toEqual(["/api/v1/secrets"]);
  await subscriptions[0]?.close();
  expect([...made.cache.of(Secret).keys()]).toEqual(["default/s"]);
  await subscriptions[1]?.close();
  expect(() => made.cache.of(Secret)).toThrow(
    "expected a kind that a controller watches (none), got v1 Secret",
  );
});

test("a handler stays when the controller that watched its kind is stopped", async () => {
  await using world = await Managed.start();
  const made = await world.run([]);
  const added = made.add(reconciling(async () => {}));
  await world.settle();
  const log: string[] = [];
  made.cache.on(ConfigMap, ({ key }) => void log.push(key));
  await world.settle();
  await added.stop();
  await world.cluster.client.create(ConfigMap, { metadata: { name: "later" } });
  await world.settle();
  expect(log).toEqual(["default/later"]);
});

test("handlers run on a standby", async () => {
  await using world = await Managed.start();
  const leader = new AbortController();
  const election = (identity: string) => ({ leaderElection: { name: "operator", identity } });
  const leading = world.manager([], election("leader")).run({ signal: leader.signal });
  await world.settle();
  const made = await world.run([], election("standby"));
  const log: string[] = [];
  made.cache.on(ConfigMap, ({ key }) => void log.push(key));
  await world.cluster.client.create(ConfigMap, { metadata: { name: "a" } });
  await world.settle();
  expect(log).toEqual(["default/a"]);
  leader.abort(new Error("received SIGTERM"));
  await world.settle();
  await leading;
});

test("a handler of a kind that is watched in several parts needs a view", async () => {
  await using world = await Managed.start();
  const part = (app: string) => watches(ConfigMap, () => [], { view: { labels: { app } } });
  const made = await world.run([
    controller({ name: "secrets", for: Secret, on: [part("a"), part("b")], reconcile }),
  ]);
  expect(() => made.cache.on(ConfigMap, () => {})).toThrow(
    new TypeError(
      "expected one view of v1 ConfigMap for a handler of the cache, got 2; pass `view` to select one",
    ),
  );
  const log: string[] = [];
  made.cache.on(ConfigMap, ({ key }) => void log.push(key), { view: { labels: { app: "a" } } });
  for (const app of ["a", "b"]) {
    await world.cluster.client.create(ConfigMap, { metadata: { name: app, labels: { app } } });
  }
  await world.settle();
  expect(log).toEqual(["default/a"]);
});

test("a handler needs whole objects or says that metadata is enough", async () => {
  await using world = await Managed.start();
  const made = await world.run([], { cache: { kinds: [cached(Secret, { metadataOnly: true })] } });
  expect(() => made.cache.on(Secret, () => {})).toThrow(
    new TypeError(
      "expected a kind whose objects are cached for a handler, got Secret, of which the manager caches only " +
        "the metadata; handle metadataOnly(Secret)",
    ),
  );
  const seen: unknown[] = [];
  made.cache.on(
    metadataOnly(Secret),
    ({ object: { kind, metadata } }) => void seen.push([kind, metadata.name]),
  );
  await world.cluster.client.create(Secret, { metadata: { name: "s" } });
  await world.settle();
  expect(seen).toEqual([["PartialObjectMetadata", "s"]]);
});

test("handlers of another cluster run once a controller watches it", async () => {
  await using world = await Managed.start();
  const remote = otherCluster({ name: "remote", client: world.cluster.client });
  const log: string[] = [];
  remote.cache.on(Secret, ({ key }) => void log.push(key));
  const on = [watches(Secret, () => [], { cluster: remote })];
  await world.run([controller({ name: "maps", for: ConfigMap, on, reconcile })]);
  await world.cluster.client.create(Secret, { metadata: { name: "s" } });
  await world.settle();
  expect(log).toEqual(["default/s"]);
});

test("permissions for a handler are checked at the start", async () => {
  await using world = await Managed.start();
  const client = withPermissions(world.cluster.client, ({ resource }) => resource !== "secrets");
  const made = world.manager([], { client, namespaces: ["kube-system"] });
  made.cache.on(Secret, () => {});
  const outcome = made.run({ signal: world.ended.signal }).catch((error: Error) => error.message);
  await world.settle();
  expect(String(await outcome).split("\n")[0]).toBe(
    "expected admin to have permission to list, watch secrets in namespace kube-system " +
      "(a handler of the cache watches it), got none; a Role of namespace kube-system that is bound to it needs this rule:",
  );
});
