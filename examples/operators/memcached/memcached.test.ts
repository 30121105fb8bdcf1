import { Deployment } from "trimtab/api/apps/v1";
import { ConfigMap, Service } from "trimtab/api/core/v1";
import { type Cluster, startCluster, VirtualClock } from "trimtab/testing";
import { expect, test } from "vitest";
import { Memcached, memcacheds } from "./memcached.ts";

/** Returns a cluster at 00:00:00 with the controller and the Memcacheds a and b. */
async function running(): Promise<Cluster> {
  const cluster = await startCluster({ kinds: [Memcached], clock: new VirtualClock() });
  await cluster.run({ controllers: [memcacheds] });
  for (const name of ["a", "b"])
    await cluster.client.create(Memcached, { metadata: { name }, spec: { size: 2 } });
  await cluster.settled();
  return cluster;
}

/** Sets the number of ready replicas, as the Deployment controller would, and returns the conditions of the Memcached. */
async function conditionsWith(cluster: Cluster, readyReplicas: number): Promise<unknown> {
  await cluster.client.patchStatus(Deployment, "a", { replicas: 2, readyReplicas });
  await cluster.settled();
  const { conditions = [] } = (await cluster.client.get(Memcached, "a"))?.status ?? {};
  return conditions.map((one) => [one.type, one.status, one.message, one.lastTransitionTime.slice(11, 19)]);
}

test("a Memcached has a Deployment of its size, and a Service of its port", async () => {
  await using cluster = await running();
  await cluster.client.patch(Memcached, "a", { merge: { spec: { size: 3, port: 11_212 } } });
  await cluster.settled();
  expect((await cluster.client.get(Deployment, "a"))?.spec).toMatchObject({
    replicas: 3,
    template: { spec: { containers: [{ args: ["memcached", "-m=64", "--port=11212"] }] } },
  });
  expect((await cluster.client.get(Service, "a"))?.spec?.ports).toMatchObject([{ port: 11_212 }]);
});

test("conditions follow the ready replicas, and have the time of their last transition", async () => {
  await using cluster = await running();
  await cluster.advance(1_000);
  const one = "1 of 2 replicas are ready";
  expect(await conditionsWith(cluster, 1)).toEqual([
    ["Available", "True", one, "00:00:01"],
    ["Degraded", "True", one, "00:00:00"],
  ]);
  await cluster.advance(1_000);
  const all = "2 of 2 replicas are ready";
  expect(await conditionsWith(cluster, 2)).toEqual([
    ["Available", "True", all, "00:00:01"],
    ["Degraded", "False", all, "00:00:02"],
  ]);
});

test("a Memcached that is deleted is removed from the directory, and others stay", async () => {
  await using cluster = await running();
  const { client } = cluster;
  const addresses = async () => (await client.get(ConfigMap, "memcached-directory"))?.data;
  expect(await addresses()).toEqual({ a: "a.default.svc:11211", b: "b.default.svc:11211" });
  await client.delete(Memcached, "a");
  await cluster.settled();
  expect([await addresses(), await client.get(Memcached, "a")]).toEqual([
    { b: "b.default.svc:11211" },
    undefined,
  ]);
});
