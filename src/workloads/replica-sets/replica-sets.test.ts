import { expect, test } from "vitest";
import { controllerOf } from "../../api/index.ts";
import { ReplicaSet } from "../../api/types/apps/v1.ts";
import { Event, Pod } from "../../api/types/core/v1.ts";
import { VirtualClock } from "../../base/index.ts";
import { type Cluster, startCluster } from "../../testing/index.ts";
import { isActive } from "../pods/pod-state.ts";

const labels = { app: "web" };
const containers = [{ name: "web", image: "nginx:1" }];

async function startSet(
  spec: Partial<ReplicaSet["spec"]> = {},
  before: (cluster: Cluster) => Promise<unknown> = () => Promise.resolve(),
): Promise<Cluster> {
  const workloads = ["replicasets", "scheduler", "nodes"] as const;
  const cluster = await startCluster({ workloads, clock: new VirtualClock() });
  await before(cluster);
  await cluster.client.create(ReplicaSet, {
    metadata: { name: "web" },
    spec: {
      replicas: 3,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers } },
      ...spec,
    },
  });
  await cluster.advance(1_000);
  return cluster;
}

async function statusOf({ client }: Cluster): Promise<ReplicaSet["status"]> {
  return (await client.get(ReplicaSet, "web"))?.status;
}

async function namesOf({ client }: Cluster): Promise<string[]> {
  return (await client.list(Pod)).filter(isActive).map(({ metadata }) => metadata.name);
}

test("a ReplicaSet counts the Pods that it creates", async () => {
  await using cluster = await startSet();
  expect(await statusOf(cluster)).toEqual({
    replicas: 3,
    fullyLabeledReplicas: 3,
    readyReplicas: 3,
    availableReplicas: 3,
    terminatingReplicas: 0,
    observedGeneration: 1,
  });
});

test("a Pod without a controller that the selector matches is adopted", async () => {
  await using cluster = await startSet({}, ({ client }) =>
    client.create(Pod, { metadata: { name: "lone", labels }, spec: { containers } }),
  );
  const pods = await cluster.client.list(Pod);
  expect(pods).toHaveLength(3);
  const owner = controllerOf(
    pods.find(({ metadata }) => metadata.name === "lone") ?? { metadata: { name: "" } },
  );
  expect(owner).toMatchObject({
    kind: "ReplicaSet",
    name: "web",
    controller: true,
    blockOwnerDeletion: true,
  });
});

test("a Pod whose labels no longer match is released and replaced", async () => {
  await using cluster = await startSet();
  const [name = ""] = await namesOf(cluster);
  await cluster.client.patch(Pod, name, { merge: { metadata: { labels: { app: "other" } } } });
  await cluster.advance(1_000);
  const released = await cluster.client.get(Pod, name);
  expect(released?.metadata.ownerReferences ?? []).toEqual([]);
  expect(await namesOf(cluster)).toHaveLength(4);
  expect(await statusOf(cluster)).toMatchObject({ replicas: 3, readyReplicas: 3 });
});

test("a terminating Pod is replaced at once, and counted as terminating", async () => {
  await using cluster = await startSet({
    template: {
      metadata: { labels, annotations: { "node.trimtab.dev/stop-after": "20s" } },
      spec: { containers },
    },
  });
  const [name = ""] = await namesOf(cluster);
  await cluster.client.delete(Pod, name);
  await cluster.advance(5_000);
  expect(await statusOf(cluster)).toMatchObject({ replicas: 3, readyReplicas: 3, terminatingReplicas: 1 });
  await cluster.advance(60_000);
  expect(await statusOf(cluster)).toMatchObject({ replicas: 3, readyReplicas: 3, terminatingReplicas: 0 });
});

test("the Pod with the lowest deletion cost is deleted first", async () => {
  await using cluster = await startSet();
  const [cheap = "", ...others] = await namesOf(cluster);
  const annotations = { "controller.kubernetes.io/pod-deletion-cost": "-5" };
  await cluster.client.patch(Pod, cheap, { merge: { metadata: { annotations } } });
  await cluster.client.patch(ReplicaSet, "web", { merge: { spec: { replicas: 2 } } });
  await cluster.advance(1_000);
  expect((await namesOf(cluster)).toSorted()).toEqual(others.toSorted());
});

test("Pods that the server refuses are a condition, until they are accepted", async () => {
  const spec = { containers, priorityClassName: "missing" };
  await using cluster = await startSet({ template: { metadata: { labels }, spec } });
  const message = 'pods "web-" is forbidden: no PriorityClass with name missing was found';
  const failure = { type: "ReplicaFailure", status: "True", reason: "FailedCreate", message };
  expect(await statusOf(cluster)).toMatchObject({ replicas: 0, conditions: [failure] });
  const events = await cluster.client.list(Event);
  expect(events.filter(({ reason }) => reason === "FailedCreate").map((event) => event.message)).toContain(
    `Error creating: ${message}`,
  );
  await cluster.client.patch(ReplicaSet, "web", {
    merge: { spec: { template: { spec: { priorityClassName: null } } } },
  });
  await cluster.advance(60_000);
  expect(await statusOf(cluster)).toMatchObject({ replicas: 3, readyReplicas: 3 });
  expect((await statusOf(cluster))?.conditions).toBeUndefined();
});

test("a terminating ReplicaSet neither adopts nor replaces Pods", async () => {
  await using cluster = await startSet();
  await cluster.client.patch(ReplicaSet, "web", {
    merge: { metadata: { finalizers: ["example.com/hold"] } },
  });
  await cluster.client.delete(ReplicaSet, "web");
  const [name = ""] = await namesOf(cluster);
  await cluster.client.delete(Pod, name);
  await cluster.client.create(Pod, { metadata: { name: "lone", labels }, spec: { containers } });
  await cluster.advance(60_000);
  expect(await namesOf(cluster)).toHaveLength(3); // two of the set, and the lone one
  const lone = await cluster.client.get(Pod, "lone");
  expect(lone?.metadata.ownerReferences ?? []).toEqual([]);
});
