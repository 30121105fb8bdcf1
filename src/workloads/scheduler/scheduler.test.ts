import { expect, test } from "vitest";
import { conditionOf } from "../../api/index.ts";
import { Event, Node, Pod } from "../../api/types/core/v1.ts";
import { VirtualClock } from "../../base/index.ts";
import { type Cluster, startCluster } from "../../testing/index.ts";
import type { SimulatedNode } from "../nodes/nodes.ts";

function start(...nodes: readonly SimulatedNode[]): Promise<Cluster> {
  const workloads = { parts: ["nodes", "scheduler"] as const, nodes };
  return startCluster({ workloads, clock: new VirtualClock() });
}

async function createPod({ client }: Cluster, name: string, spec: Partial<Pod["spec"]> = {}): Promise<void> {
  const containers = [{ name: "web", image: "nginx:1", resources: { requests: { cpu: "1" } } }];
  await client.create(Pod, { metadata: { name }, spec: { containers, ...spec } });
}

async function nodesOf({ client }: Cluster): Promise<Record<string, string | undefined>> {
  const pods = await client.list(Pod);
  return Object.fromEntries(pods.map(({ metadata, spec }) => [metadata.name, spec.nodeName]));
}

async function reasonOf({ client }: Cluster, name: string): Promise<unknown> {
  const condition = conditionOf((await client.get(Pod, name))?.status?.conditions, "PodScheduled");
  return [condition?.status, condition?.reason, condition?.message];
}

test("Pods are spread over nodes, and an event names the node", async () => {
  await using cluster = await start({ name: "a" }, { name: "b" });
  for (const name of ["1", "2", "3", "4"]) await createPod(cluster, name);
  await cluster.advance(1_000);
  expect(Object.values(await nodesOf(cluster)).sort()).toEqual(["a", "a", "b", "b"]);
  const events = await cluster.client.list(Event);
  expect(events.map(({ message }) => message)).toContain("Successfully assigned default/1 to a");
});

test("a Pod waits on a full node until another Pod ends", async () => {
  await using cluster = await start({ name: "a", capacity: { cpu: "1" } });
  await createPod(cluster, "first");
  await cluster.advance(0);
  await createPod(cluster, "second");
  await cluster.advance(1_000);
  const message = "0/1 nodes are available: 1 Insufficient cpu.";
  expect(await reasonOf(cluster, "second")).toEqual(["False", "Unschedulable", message]);
  const events = await cluster.client.list(Event);
  expect(events.map(({ reason, message }) => [reason, message])).toContainEqual([
    "FailedScheduling",
    message,
  ]);
  await cluster.client.delete(Pod, "first");
  await cluster.advance(0);
  expect(await nodesOf(cluster)).toEqual({ second: "a" });
});

test("a Pod waits until a node is not cordoned any more", async () => {
  await using cluster = await start({ name: "a" });
  await cluster.client.patch(Node, "a", { merge: { spec: { unschedulable: true } } });
  await createPod(cluster, "web");
  await cluster.advance(0);
  expect(await reasonOf(cluster, "web")).toEqual([
    "False",
    "Unschedulable",
    "0/1 nodes are available: 1 node(s) were unschedulable.",
  ]);
  await cluster.client.patch(Node, "a", { merge: { spec: { unschedulable: null } } });
  await cluster.advance(0);
  expect(await nodesOf(cluster)).toEqual({ web: "a" });
});

test("a tainted node gets only the Pods that tolerate it", async () => {
  await using cluster = await start({
    name: "a",
    taints: [{ key: "gpu", value: "yes", effect: "NoSchedule" }],
  });
  await createPod(cluster, "plain");
  await createPod(cluster, "tolerant", { tolerations: [{ key: "gpu", operator: "Exists" }] });
  await cluster.advance(0);
  expect(await nodesOf(cluster)).toEqual({ plain: undefined, tolerant: "a" });
});

test("a waiting Pod gets the node that is made for it", async () => {
  await using cluster = await start({ name: "a" });
  await createPod(cluster, "web", { nodeSelector: { disk: "ssd" } });
  await cluster.advance(0);
  expect(await nodesOf(cluster)).toEqual({ web: undefined });
  await cluster.client.patch(Node, "a", { merge: { metadata: { labels: { disk: "ssd" } } } });
  await cluster.advance(0);
  expect(await nodesOf(cluster)).toEqual({ web: "a" });
});

test("Pods of another scheduler and gated Pods are left alone, until the gates are removed", async () => {
  await using cluster = await start({ name: "a" });
  await createPod(cluster, "foreign", { schedulerName: "mine" });
  await createPod(cluster, "gated", { schedulingGates: [{ name: "example.com/wait" }] });
  await cluster.advance(60_000);
  expect(await nodesOf(cluster)).toEqual({ foreign: undefined, gated: undefined });
  await cluster.client.patch(Pod, "gated", { merge: { spec: { schedulingGates: null } } });
  await cluster.advance(0);
  expect(await nodesOf(cluster)).toEqual({ foreign: undefined, gated: "a" });
});

test("a Pod that waits is written once", async () => {
  await using cluster = await start({ name: "a", capacity: { cpu: "0" } });
  await createPod(cluster, "web");
  await cluster.advance(1_000);
  const before = (await cluster.client.get(Pod, "web"))?.metadata.resourceVersion;
  await cluster.advance(3_600_000);
  expect((await cluster.client.get(Pod, "web"))?.metadata.resourceVersion).toBe(before);
});
