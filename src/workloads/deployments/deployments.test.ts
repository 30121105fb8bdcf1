import { expect, test } from "vitest";
import { Deployment, ReplicaSet } from "../../api/types/apps/v1.ts";
import { Namespace, Pod } from "../../api/types/core/v1.ts";
import { VirtualClock } from "../../base/index.ts";
import { startCluster } from "../../testing/index.ts";

const labels = { app: "web" };
const template = { metadata: { labels }, spec: { containers: [{ name: "web", image: "nginx:1" }] } };

async function startWeb(replicas = 3) {
  const clock = new VirtualClock();
  const cluster = await startCluster({ workloads: true, clock });
  await cluster.client.create(Deployment, {
    metadata: { name: "web" },
    spec: { replicas, selector: { matchLabels: labels }, template },
  });
  await cluster.advance(1_000);
  return cluster;
}

test("a Deployment becomes available", async () => {
  await using cluster = await startWeb();
  const { status } = (await cluster.client.get(Deployment, "web")) ?? {};
  expect(status).toMatchObject({
    observedGeneration: 1,
    replicas: 3,
    updatedReplicas: 3,
    readyReplicas: 3,
    availableReplicas: 3,
  });
  expect(status?.conditions?.map(({ type, status, reason }) => [type, status, reason])).toEqual([
    ["Available", "True", "MinimumReplicasAvailable"],
    ["Progressing", "True", "NewReplicaSetAvailable"],
  ]);
});

test("the Pods of a deleted Deployment are collected", async () => {
  await using cluster = await startWeb();
  await cluster.client.delete(Deployment, "web");
  await cluster.advance(1_000);
  expect(await cluster.client.list(Pod)).toEqual([]);
  expect(await cluster.client.list(ReplicaSet)).toEqual([]);
});

test("a new template is rolled out, and undone with the former ReplicaSet as a new revision", async () => {
  await using cluster = await startWeb();
  const image = (name: string) => ({
    strategic: { spec: { template: { spec: { containers: [{ name: "web", image: name }] } } } },
  });
  await cluster.client.patch(Deployment, "web", image("nginx:2"));
  await cluster.advance(60_000);
  const images = async () => (await cluster.client.list(Pod)).map(({ spec }) => spec.containers[0]?.image);
  expect(await images()).toEqual(["nginx:2", "nginx:2", "nginx:2"]);
  await cluster.client.patch(Deployment, "web", image("nginx:1"));
  await cluster.advance(60_000);
  expect(await images()).toEqual(["nginx:1", "nginx:1", "nginx:1"]);
  const revisions = (await cluster.client.list(ReplicaSet)).map(({ metadata, spec }) => [
    metadata.annotations?.["deployment.kubernetes.io/revision"],
    metadata.annotations?.["deployment.kubernetes.io/revision-history"],
    spec.replicas,
  ]);
  expect(revisions.sort()).toEqual([
    ["2", undefined, 0],
    ["3", "1", 3],
  ]);
});

test("a rollout that makes no progress until its deadline is reported, and goes on when it is fixed", async () => {
  await using cluster = await startWeb();
  await cluster.client.patch(Deployment, "web", {
    merge: {
      spec: {
        progressDeadlineSeconds: 60,
        template: { metadata: { annotations: { "node.trimtab.dev/waiting-reason": "ImagePullBackOff" } } },
      },
    },
  });
  await cluster.advance(120_000);
  const stuck = (await cluster.client.get(Deployment, "web"))?.status;
  expect(stuck?.conditions?.find(({ type }) => type === "Progressing")).toMatchObject({
    status: "False",
    reason: "ProgressDeadlineExceeded",
  });
  expect(stuck).toMatchObject({ availableReplicas: 3, updatedReplicas: 1, unavailableReplicas: 1 });

  await cluster.client.patch(Deployment, "web", {
    merge: { spec: { template: { metadata: { annotations: null } } } },
  });
  await cluster.advance(60_000);
  const fixed = (await cluster.client.get(Deployment, "web"))?.status;
  expect(fixed).toMatchObject({ replicas: 3, availableReplicas: 3, updatedReplicas: 3 });
  expect(fixed?.conditions?.find(({ type }) => type === "Progressing")).toMatchObject({ status: "True" });
});

test("a deleted namespace is emptied and goes", async () => {
  await using cluster = await startCluster({ workloads: true, clock: new VirtualClock() });
  await cluster.client.create(Namespace, { metadata: { name: "shop" } });
  await cluster.client.create(Deployment, {
    metadata: { name: "web", namespace: "shop" },
    spec: { replicas: 2, selector: { matchLabels: labels }, template },
  });
  await cluster.advance(1_000);
  await cluster.client.delete(Namespace, "shop");
  await cluster.advance(60_000);
  expect(await cluster.client.get(Namespace, "shop")).toBeUndefined();
});
