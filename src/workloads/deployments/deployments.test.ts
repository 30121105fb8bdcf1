import { expect, test } from "vitest";
import { Deployment } from "../../api/types/apps/v1.ts";
import { Pod } from "../../api/types/core/v1.ts";
import { startCluster } from "../../testing/index.ts";
import { workloads } from "../workloads.ts";

test("a Deployment becomes available", async () => {
  await using cluster = await startCluster();
  await cluster.run({ ...workloads() });
  const labels = { app: "web" };
  const template = { metadata: { labels }, spec: { nodeName: "node-1", containers: [{ name: "web", image: "nginx" }] } };
  await cluster.client.create(Deployment, {
    metadata: { name: "web" },
    spec: { replicas: 3, selector: { matchLabels: labels }, template },
  });
  const began = performance.now();
  await cluster.eventually(async () => {
    const found = await cluster.client.get(Deployment, "web");
    expect(found?.status?.availableReplicas).toBe(3);
    expect(found?.status?.observedGeneration).toBe(1);
    expect(found?.status?.conditions?.find(({type})=>type==="Progressing")?.reason).toBe("NewReplicaSetAvailable");
  });
  console.log(performance.now() - began);
  console.log(JSON.stringify((await cluster.client.get(Deployment, "web"))?.status, null, 1));
  console.log((await cluster.client.list(Pod)).map((pod) => [pod.metadata.name, pod.status?.phase, pod.status?.podIP]));
});

test("the Pods of a deleted Deployment are collected", async () => {
  await using cluster = await startCluster();
  await cluster.run({ ...workloads() });
  const labels = { app: "web" };
  const template = { metadata: { labels }, spec: { nodeName: "node-1", containers: [{ name: "web", image: "nginx" }] } };
  await cluster.client.create(Deployment, {
    metadata: { name: "web" },
    spec: { replicas: 3, selector: { matchLabels: labels }, template },
  });
  await cluster.eventually(async () => expect((await cluster.client.list(Pod)).length).toBe(3));
  const began = performance.now();
  await cluster.client.delete(Deployment, "web");
  await cluster.eventually(async () => {
    expect((await cluster.client.list(Pod)).length).toBe(0);
  });
  console.log(performance.now() - began);
});
