import { ReplicaSet } from "trimtab/api/apps/v1";
import { Pod } from "trimtab/api/core/v1";
import { type Cluster, startCluster } from "trimtab/testing";
import { expect, test } from "vitest";
import { replicaSets } from "./replicaset.ts";

async function running(replicas: number): Promise<Cluster> {
  const cluster = await startCluster();
  const labels = { app: "web" };
  await cluster.client.create(ReplicaSet, {
    metadata: { name: "web" },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "web", image: "nginx:1.29" }] } },
    },
  });
  await cluster.run({ controllers: [replicaSets] });
  return cluster;
}

/** The Pods, as soon as there are so many and the status says so. */
function podsOf(cluster: Cluster, count: number): Promise<string[]> {
  return cluster.eventually(async () => {
    const pods = await cluster.client.list(Pod);
    expect(pods.length).toBe(count);
    expect((await cluster.client.get(ReplicaSet, "web"))?.status?.replicas).toBe(count);
    return pods.map(({ metadata }) => metadata.name).sort();
  });
}

test("one replica more is one Pod more, and one less is one less", async () => {
  await using cluster = await running(1);
  const [first] = await podsOf(cluster, 1);
  await cluster.client.patch(ReplicaSet, "web", { merge: { spec: { replicas: 2 } } });
  expect(await podsOf(cluster, 2)).toContain(first);
  await cluster.client.patch(ReplicaSet, "web", { merge: { spec: { replicas: 1 } } });
  await podsOf(cluster, 1);
});

test("a Pod that is deleted is made again", async () => {
  await using cluster = await running(2);
  const [first = "", second] = await podsOf(cluster, 2);
  await cluster.client.delete(Pod, first);
  const pods = await cluster.eventually(async () => {
    const names = await podsOf(cluster, 2);
    expect(names).not.toContain(first);
    return names;
  });
  expect(pods).toContain(second);
});

test("many events of Pods are one reconcile of their ReplicaSet", async () => {
  await using cluster = await running(3);
  const names = await podsOf(cluster, 3);
  await cluster.settled();
  await Promise.all(
    names.map((name) =>
      cluster.client.patch(Pod, name, { merge: { status: { phase: "Running" } } }, { subresource: "status" }),
    ),
  );
  await cluster.eventually(async () => {
    expect((await cluster.client.get(ReplicaSet, "web"))?.status).toMatchObject({
      replicas: 3,
      readyReplicas: 3,
    });
  });
});
