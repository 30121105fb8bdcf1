import { expect, test } from "vitest";
import { ConfigMap, Secret } from "../api/types/core/v1.ts";
import { seededRng } from "../base/index.ts";
import { controller, type OtherCluster, otherCluster, watches } from "../controller/index.ts";
import { type Cluster, startCluster } from "../testing/index.ts";
import { Managed } from "./managed.fixture.ts";
import { Website } from "./website.fixture.ts";

/** Starts a second server on the same clock. */
async function remoteOf(
  world: Managed,
): Promise<{ readonly server: Cluster; readonly remote: OtherCluster }> {
  const server = await startCluster({ clock: world.clock, rng: seededRng(7) });
  return { server, remote: otherCluster({ name: "remote", client: server.client }) };
}

/** Logs if the ConfigMap exists here, and the Secret of the same name in the other cluster. */
const comparing = (log: string[], remote: OtherCluster) =>
  controller({
    name: "configmap",
    for: ConfigMap,
    on: [watches(Secret, ({ metadata }) => [`default/${metadata.name}`], { cluster: remote })],
    async reconcile(key, { client }) {
      const [here, there] = [await client.get(ConfigMap, key), await remote.client.get(Secret, key)];
      log.push(`${key.name}: ${here ? "here" : "-"} ${there ? "there" : "-"}`);
    },
  });

test("a change in another cluster triggers a reconcile and is read from that cluster's cache", async () => {
  await using world = await Managed.start();
  const { server, remote } = await remoteOf(world);
  await using _ = server;
  const log: string[] = [];
  await world.cluster.client.create(ConfigMap, { metadata: { name: "a" } });
  const running = await world.run([comparing(log, remote)]);
  await running.ready;
  await server.client.create(Secret, { metadata: { name: "a" } });
  await world.settle();
  expect([log, remote.cache.of(Secret).list().length]).toEqual([["a: here -", "a: here there"], 1]);
  expect(() => running.cache.of(Secret)).toThrow("expected a kind that a controller watches");
  expect(await world.end()).toBe("over");
  expect(() => remote.cache.of(Secret)).toThrow("expected a kind that a controller watches (none)");
});

test("own writes to another cluster are read immediately", async () => {
  await using world = await Managed.start();
  const { server, remote } = await remoteOf(world);
  await using _ = server;
  const seen: unknown[] = [];
  await world.cluster.client.create(ConfigMap, { metadata: { name: "a" } });
  const copying = controller({
    name: "configmap",
    for: ConfigMap,
    on: [watches(Secret, () => [], { cluster: remote })],
    async reconcile({ name }) {
      await remote.client.apply(Secret, { metadata: { name }, stringData: { from: "here" } });
      seen.push((await remote.client.get(Secret, name))?.metadata.name);
    },
  });
  await world.run([copying]);
  expect(seen).toEqual(["a"]);
  await world.end();
});

test("writes to another cluster are rejected after leadership has ended", async () => {
  await using world = await Managed.start();
  const { server, remote } = await remoteOf(world);
  await using _ = server;
  const on = [watches(Secret, () => [], { cluster: remote })];
  const leaderElection = { name: "operator", identity: "one" };
  await world.run([controller({ name: "configmap", for: ConfigMap, on, reconcile: async () => {} })], {
    leaderElection,
  });
  await remote.client.create(Secret, { metadata: { name: "while" } });
  await world.end();
  const late = remote.client.create(Secret, { metadata: { name: "after" } });
  await expect(late).rejects.toThrow("expected leadership for POST");
});

test("problems of another cluster start with its name", async () => {
  await using world = await Managed.start();
  const { server, remote } = await remoteOf(world);
  await using _ = server;
  const on = [watches(Website, () => [], { cluster: remote })];
  await world.run([controller({ name: "configmap", for: ConfigMap, on, reconcile: async () => {} })]);
  await world.clock.advance(5000);
  expect(await world.over).toMatch(/^in cluster remote: expected the server to have example.dev\/v1 Website/);
});
