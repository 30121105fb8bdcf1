import { describe, expect, test } from "vitest";
import { controllerOf } from "../../api/index.ts";
import { Deployment, ReplicaSet } from "../../api/types/apps/v1.ts";
import { Namespace, Pod } from "../../api/types/core/v1.ts";
import { VirtualClock } from "../../base/index.ts";
import { type Cluster, startCluster } from "../../testing/index.ts";
import { isActive, isReady } from "../pods/pod-state.ts";

const labels = { app: "web" };
const annotated = (annotations: Record<string, string>) => ({ template: { metadata: { annotations } } });
const slow = { "node.trimtab.dev/ready-after": "5s" };
const stuck = { "node.trimtab.dev/waiting-reason": "ImagePullBackOff" };

function start(): Promise<Cluster> {
  return startCluster({
    workloads: ["deployments", "replicasets", "scheduler", "nodes"],
    clock: new VirtualClock(),
  });
}

async function startWeb(spec: Partial<Deployment["spec"]> = {}): Promise<Cluster> {
  const cluster = await start();
  await createWeb(cluster, spec);
  await cluster.advance(5_000);
  return cluster;
}

function createWeb(
  { client }: Cluster,
  spec: Partial<Deployment["spec"]> = {},
  name = "web",
): Promise<Deployment> {
  const template = { metadata: { labels }, spec: { containers: [{ name: "web", image: "nginx:1" }] } };
  return client.create(Deployment, {
    metadata: { name },
    spec: { replicas: 3, selector: { matchLabels: labels }, template, ...spec },
  });
}

async function change({ client }: Cluster, spec: object): Promise<void> {
  await client.patch(Deployment, "web", { merge: { spec } });
}

async function statusOf({ client }: Cluster): Promise<NonNullable<Deployment["status"]>> {
  return (await client.get(Deployment, "web"))?.status ?? {};
}

async function condition(cluster: Cluster, type: string): Promise<string | undefined> {
  const found = (await statusOf(cluster)).conditions?.find((each) => each.type === type);
  return found && `${found.status} ${found.reason}`;
}

/** Returns the size of each ReplicaSet, by revision. */
async function sizes({ client }: Cluster): Promise<Record<string, number>> {
  const sets = await client.list(ReplicaSet);
  return Object.fromEntries(
    sets.map(({ metadata, spec }) => [
      metadata.annotations?.["deployment.kubernetes.io/revision"] ?? "",
      spec.replicas ?? 1,
    ]),
  );
}

/** Returns the largest number of Pods, and the smallest number of ready ones, of all states that the watch delivers. */
async function extremesDuring(
  cluster: Cluster,
  act: () => Promise<void>,
): Promise<{ most: number; fewestReady: number }> {
  const pods = new Map((await cluster.client.list(Pod)).map((pod) => [pod.metadata.name, pod]));
  const stop = new AbortController();
  const extremes = { most: 0, fewestReady: Number.POSITIVE_INFINITY };
  const watching = (async () => {
    for await (const event of cluster.client.watch(Pod, { signal: stop.signal })) {
      if (event.type === "bookmark") continue;
      pods.set(event.key.name, event.object);
      if (event.type === "deleted") pods.delete(event.key.name);
      const active = [...pods.values()].filter(isActive);
      extremes.most = Math.max(extremes.most, active.length);
      extremes.fewestReady = Math.min(extremes.fewestReady, active.filter(isReady).length);
    }
  })().catch((error: unknown) => {
    if (!stop.signal.aborted) throw error;
  });
  await act();
  stop.abort();
  await watching;
  return extremes;
}

test("a rolling update never has more Pods than surge allows, nor fewer ready ones than unavailable allows", async () => {
  await using cluster = await startWeb({
    replicas: 8,
    strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 2, maxUnavailable: 1 } },
  });
  const extremes = await extremesDuring(cluster, async () => {
    await change(cluster, annotated(slow));
    await cluster.advance(120_000);
  });
  expect(extremes).toEqual({ most: 10, fewestReady: 7 });
  expect(await sizes(cluster)).toEqual({ 1: 0, 2: 8 });
  expect(await condition(cluster, "Progressing")).toBe("True NewReplicaSetAvailable");
});

test("Recreate starts new Pods after the last old one is gone", async () => {
  await using cluster = await startWeb({
    strategy: { type: "Recreate" },
    template: {
      metadata: { labels, annotations: { "node.trimtab.dev/stop-after": "10s" } },
      spec: { containers: [{ name: "web", image: "nginx:1" }] },
    },
  });
  await change(cluster, annotated({ version: "2" }));
  await cluster.advance(5_000);
  expect(await sizes(cluster)).toEqual({ 1: 0 });
  expect(await cluster.client.list(Pod)).toHaveLength(3);
  await cluster.advance(30_000);
  expect(await sizes(cluster)).toEqual({ 1: 0, 2: 3 });
  expect(await condition(cluster, "Progressing")).toBe("True NewReplicaSetAvailable");
});

test("a paused Deployment is scaled and not rolled out, until it is resumed", async () => {
  await using cluster = await startWeb();
  await change(cluster, { paused: true, replicas: 4, ...annotated({ version: "2" }) });
  await cluster.advance(5_000);
  expect(await sizes(cluster)).toEqual({ 1: 4 });
  expect(await condition(cluster, "Progressing")).toBe("Unknown DeploymentPaused");
  await change(cluster, { paused: false });
  await cluster.advance(30_000);
  expect(await sizes(cluster)).toEqual({ 1: 0, 2: 4 });
  expect(await condition(cluster, "Progressing")).toBe("True NewReplicaSetAvailable");
});

test("a Deployment that is scaled in the middle of a rollout keeps the proportion of its ReplicaSets", async () => {
  await using cluster = await startWeb({ replicas: 10 });
  await change(cluster, annotated(stuck));
  await cluster.advance(5_000);
  expect(await sizes(cluster)).toEqual({ 1: 8, 2: 5 });
  await change(cluster, { replicas: 20 });
  await cluster.advance(5_000);
  expect(await sizes(cluster)).toEqual({ 1: 15, 2: 10 }); // 8 and 5 of 13 become 15 and 10 of 25
});

test("a rollback makes the former ReplicaSet the newest revision, and remembers its former one", async () => {
  await using cluster = await startWeb();
  await change(cluster, annotated({ version: "2" }));
  await cluster.advance(30_000);
  await change(cluster, annotated({ version: null as unknown as string }));
  await cluster.advance(30_000);
  expect(await sizes(cluster)).toEqual({ 2: 0, 3: 3 });
  const newest = (await cluster.client.list(ReplicaSet)).find(({ spec }) => spec.replicas === 3);
  expect(newest?.metadata.annotations).toMatchObject({ "deployment.kubernetes.io/revision-history": "1" });
  const deployment = await cluster.client.get(Deployment, "web");
  expect(deployment?.metadata.annotations).toMatchObject({ "deployment.kubernetes.io/revision": "3" });
});

test("without a history, old ReplicaSets are deleted", async () => {
  await using cluster = await startWeb({ revisionHistoryLimit: 0 });
  await change(cluster, annotated({ version: "2" }));
  await cluster.advance(30_000);
  expect(await sizes(cluster)).toEqual({ 2: 3 });
});

test("a ReplicaSet whose name is taken gets another one", async () => {
  await using cluster = await startWeb({ replicas: 1 });
  const [taken] = await cluster.client.list(ReplicaSet);
  await cluster.client.patch(ReplicaSet, taken?.metadata ?? { name: "" }, {
    merge: { metadata: { ownerReferences: null, labels: null } },
  });
  await cluster.client.patch(Deployment, "web", {
    merge: { metadata: { annotations: { changed: "true" } } },
  });
  await cluster.advance(30_000);
  expect(await statusOf(cluster)).toMatchObject({ collisionCount: 1, replicas: 1, availableReplicas: 1 });
  expect(await cluster.client.list(ReplicaSet)).toHaveLength(2);
});

test("Pods count as available after minReadySeconds", async () => {
  await using cluster = await start();
  await createWeb(cluster, { minReadySeconds: 30 });
  await cluster.advance(20_000);
  expect(await statusOf(cluster)).toMatchObject({ readyReplicas: 3, unavailableReplicas: 3 });
  await cluster.advance(20_000);
  expect(await statusOf(cluster)).toMatchObject({ readyReplicas: 3, availableReplicas: 3 });
});

test("two Deployments with one selector keep their own Pods", async () => {
  await using cluster = await startWeb();
  await createWeb(cluster, { replicas: 2 }, "other");
  await cluster.advance(30_000);
  const owners = (await cluster.client.list(ReplicaSet)).map((set) => [
    controllerOf(set)?.name,
    set.status?.availableReplicas,
  ]);
  expect(new Map(owners as [string, number][])).toEqual(
    new Map([
      ["web", 3],
      ["other", 2],
    ]),
  );
});

test("nothing is written after a rollout is complete", async () => {
  await using cluster = await startWeb();
  await change(cluster, annotated({ version: "2" }));
  await cluster.advance(60_000);
  const versions = async () =>
    [
      ...(await cluster.client.list(Deployment)),
      ...(await cluster.client.list(ReplicaSet)),
      ...(await cluster.client.list(Pod)),
    ].map(({ metadata }) => [metadata.name, metadata.resourceVersion]);
  const before = await versions();
  await cluster.advance(60 * 60_000);
  expect(await versions()).toEqual(before);
});

describe("the server refuses", () => {
  test("an empty selector", async () => {
    await using cluster = await start();
    await expect(createWeb(cluster, { selector: {} })).rejects.toThrow(/selector/);
  });

  test("objects of a terminating namespace, which is not a failure", async () => {
    await using cluster = await start();
    const { client } = cluster;
    await client.create(Namespace, { metadata: { name: "shop" } });
    await client.create(Deployment, {
      metadata: { name: "web", namespace: "shop" },
      spec: {
        replicas: 1,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: "web", image: "nginx:1" }] } },
      },
    });
    await cluster.advance(1_000);
    await client.delete(Namespace, "shop");
    await client.patch(
      Deployment,
      { namespace: "shop", name: "web" },
      { merge: { spec: annotated({ version: "2" }) } },
    );
    await cluster.advance(5_000);
    const { status } = (await client.get(Deployment, { namespace: "shop", name: "web" })) ?? {};
    expect(status?.conditions?.filter(({ reason }) => reason === "ReplicaSetCreateError")).toEqual([]);
  });
});
