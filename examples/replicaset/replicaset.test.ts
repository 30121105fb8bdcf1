import { loggerTo, type Reason } from "trimtab";
import type { New } from "trimtab/api";
import { ReplicaSet } from "trimtab/api/apps/v1";
import { Pod } from "trimtab/api/core/v1";
import { type Cluster, startCluster } from "trimtab/testing";
import { expect, test } from "vitest";
import { Lines } from "../stage.ts";
import { replicaSets } from "./replicaset.ts";
import { tour } from "./tour.ts";

const labels = { app: "web" };
const template = { metadata: { labels }, spec: { containers: [{ name: "web", image: "nginx:1.29" }] } };

function webOf(replicas: number): New<ReplicaSet> {
  return { metadata: { name: "web" }, spec: { replicas, selector: { matchLabels: labels }, template } };
}

async function running(replicas: number): Promise<Cluster> {
  const cluster = await startCluster();
  await cluster.client.create(ReplicaSet, webOf(replicas));
  await cluster.run({ controllers: [replicaSets] });
  return cluster;
}

/** Returns the names of the Pods once there are `count` and the status has the same number. */
function podsOf(cluster: Cluster, count: number): Promise<string[]> {
  return cluster.eventually(async () => {
    const pods = await cluster.client.list(Pod);
    expect(pods.length).toBe(count);
    expect((await cluster.client.get(ReplicaSet, "web"))?.status?.replicas).toBe(count);
    return pods.map(({ metadata }) => metadata.name).sort();
  });
}

test("scaling up creates a Pod, and scaling down deletes one", async () => {
  await using cluster = await running(1);
  const [first] = await podsOf(cluster, 1);
  await cluster.client.patch(ReplicaSet, "web", { merge: { spec: { replicas: 2 } } });
  expect(await podsOf(cluster, 2)).toContain(first);
  await cluster.client.patch(ReplicaSet, "web", { merge: { spec: { replicas: 1 } } });
  await podsOf(cluster, 1);
});

test("a deleted Pod is created again", async () => {
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

test("the status has the number of running Pods", async () => {
  await using cluster = await running(3);
  const names = await podsOf(cluster, 3);
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

test("many events of Pods lead to one reconcile of their ReplicaSet, with a reason for each", async () => {
  await using cluster = await startCluster();
  const set = await cluster.client.create(ReplicaSet, webOf(3));
  for (const name of ["a", "b", "c"]) {
    const { spec } = template;
    await cluster.client.create(Pod, { metadata: { name, labels }, spec }, { owner: set });
  }
  const reconciles: string[][] = [];
  const log = loggerTo(({ message, fields }) => {
    if (message === "reconciled") reconciles.push((fields.reasons as Reason[]).map(({ key }) => key).sort());
  });
  await cluster.run({ controllers: [replicaSets], log });
  await podsOf(cluster, 3);
  expect(reconciles[0]).toEqual(["default/a", "default/b", "default/c", "default/web"]);
});

test("the tour shows scaling and a deleted Pod", async ({ signal }) => {
  await using cluster = await startCluster();
  await cluster.run({ controllers: [replicaSets] });
  const lines = new Lines();
  await tour({ client: cluster.client, say: lines.say, signal });
  expect(lines.all).toEqual([
    "> create the ReplicaSet web with 1 replica",
    "  it has 1 Pod",
    "> scale it to 2",
    "  it has 2 Pods",
    "> delete one of them",
    "  another one is created",
  ]);
});
