import { Deployment } from "trimtab/api/apps/v1";
import { Event } from "trimtab/api/events/v1";
import { type Cluster, startCluster } from "trimtab/testing";
import { expect, test } from "vitest";
import { Foo, foos } from "./foo.ts";

async function running(): Promise<Cluster> {
  const cluster = await startCluster({ kinds: [Foo] });
  await cluster.run({ controllers: [foos] });
  return cluster;
}

/** What is under this key, as soon as it is. */
function found<T>(cluster: Cluster, get: () => Promise<T | undefined>): Promise<T> {
  return cluster.eventually(async () => {
    const object = await get();
    if (object === undefined) throw new Error("expected it to be there, got nothing");
    return object;
  });
}

test("a Foo gets its Deployment, and its status follows", async () => {
  await using cluster = await running();
  const { client } = cluster;
  await client.create(Foo, { metadata: { name: "a" }, spec: { deploymentName: "web", replicas: 2 } });
  const web = await found(cluster, () => client.get(Deployment, "web"));
  expect([web.spec.replicas, web.metadata.ownerReferences?.[0]?.name]).toEqual([2, "a"]);
  await client.patch(
    Deployment,
    "web",
    { merge: { status: { replicas: 2, readyReplicas: 2, availableReplicas: 2 } } },
    { subresource: "status" },
  );
  await cluster.eventually(async () => {
    expect((await client.get(Foo, "a"))?.status).toEqual({ availableReplicas: 2 });
  });
});

test("a Deployment that was changed by hand is put right", async () => {
  await using cluster = await running();
  const { client } = cluster;
  await client.create(Foo, { metadata: { name: "a" }, spec: { deploymentName: "web", replicas: 2 } });
  await found(cluster, () => client.get(Deployment, "web"));
  await client.patch(Deployment, "web", { merge: { spec: { replicas: 7 } } });
  await cluster.eventually(async () => {
    expect((await client.get(Deployment, "web"))?.spec.replicas).toBe(2);
  });
});

test("somebody else's Deployment is left alone, and an Event says so", async () => {
  await using cluster = await running();
  const { client } = cluster;
  const labels = { app: "other" };
  await client.create(Deployment, {
    metadata: { name: "web" },
    spec: {
      replicas: 5,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "web", image: "nginx:1.29" }] } },
    },
  });
  await client.create(Foo, { metadata: { name: "a" }, spec: { deploymentName: "web", replicas: 2 } });
  const event = await found(cluster, async () =>
    (await client.list(Event)).find(({ reason }) => reason === "ErrResourceExists"),
  );
  expect([event.type, event.note]).toEqual(["Warning", "Deployment web exists and is not managed by Foo"]);
  expect((await client.get(Deployment, "web"))?.spec.replicas).toBe(5);
});
