import { expect, test } from "vitest";
import { conditionOf } from "../../api/index.ts";
import { Event, Node, Pod } from "../../api/types/core/v1.ts";
import { VirtualClock } from "../../base/index.ts";
import { type Cluster, startCluster } from "../../testing/index.ts";

function start(): Promise<Cluster> {
  return startCluster({ workloads: ["nodes", "scheduler"], clock: new VirtualClock() });
}

interface Draft {
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec?: Partial<Pod["spec"]>;
  readonly finalizers?: string[];
}

async function createPod(
  { client }: Cluster,
  { annotations = {}, spec, finalizers }: Draft = {},
): Promise<void> {
  const prefixed = Object.entries(annotations).map(([name, value]) => [`node.trimtab.dev/${name}`, value]);
  await client.create(Pod, {
    metadata: { name: "web", annotations: Object.fromEntries(prefixed), finalizers },
    spec: { containers: [{ name: "web", image: "nginx:1" }], ...spec },
  });
}

async function stateOf({ client }: Cluster): Promise<unknown> {
  const status = (await client.get(Pod, "web"))?.status;
  const container = status?.containerStatuses?.[0];
  const { waiting, running, terminated } = container?.state ?? {};
  const state = waiting?.reason ?? (running ? "Running" : terminated && `exit ${terminated.exitCode}`);
  return [status?.phase, state, container?.restartCount, conditionOf(status?.conditions, "Ready")?.status];
}

test("a cluster starts with its nodes ready, without moving the clock", async () => {
  const clock = new VirtualClock();
  const startMs = clock.now();
  await using cluster = await startCluster({
    clock,
    workloads: { parts: ["nodes"], nodes: [{ name: "a" }, { name: "b" }] },
  });
  const nodes = await cluster.client.list(Node);
  expect(nodes.map(({ metadata, spec }) => [metadata.name, spec?.taints ?? []])).toEqual([
    ["a", []],
    ["b", []],
  ]);
  expect(clock.now()).toBe(startMs);
});

test("a Pod runs and is ready", async () => {
  await using cluster = await start();
  await createPod(cluster);
  await cluster.advance(0);
  expect(await stateOf(cluster)).toEqual(["Running", "Running", 0, "True"]);
});

test("a Pod starts and becomes ready after the times of its annotations", async () => {
  await using cluster = await start();
  await createPod(cluster, { annotations: { "start-after": "10s", "ready-after": "5s" } });
  await cluster.advance(9_000);
  expect(await stateOf(cluster)).toEqual(["Pending", "ContainerCreating", 0, "False"]);
  await cluster.advance(1_000);
  expect(await stateOf(cluster)).toEqual(["Running", "Running", 0, "False"]);
  await cluster.advance(5_000);
  expect(await stateOf(cluster)).toEqual(["Running", "Running", 0, "True"]);
});

test.each([
  [{ "waiting-reason": "ImagePullBackOff" }, ["Pending", "ImagePullBackOff", 0, "False"]],
  [{ ready: "false" }, ["Running", "Running", 0, "False"]],
])("a Pod with %o stays as it is", async (annotations, expected) => {
  await using cluster = await start();
  await createPod(cluster, { annotations });
  await cluster.advance(3_600_000);
  expect(await stateOf(cluster)).toEqual(expected);
});

test.each([
  ["0", ["Succeeded", "exit 0", 0, "False"]],
  ["3", ["Failed", "exit 3", 0, "False"]],
])("a Pod that is never restarted ends with the exit code %s", async (code, expected) => {
  await using cluster = await start();
  const annotations = { "run-for": "5s", "exit-code": code };
  await createPod(cluster, { annotations, spec: { restartPolicy: "Never" } });
  await cluster.advance(4_000);
  expect(await stateOf(cluster)).toEqual(["Running", "Running", 0, "True"]);
  await cluster.advance(1_000);
  expect(await stateOf(cluster)).toEqual(expected);
});

test("a container that exits is restarted at once, then after 10, 20 and 40 seconds", async () => {
  await using cluster = await start();
  await createPod(cluster, { annotations: { "run-for": "1s", "exit-code": "1" } });
  const states: unknown[] = [];
  for (const ms of [0, 1_000, 1_000, 10_000, 1_000, 19_000, 1_000, 1_000, 39_000, 1_000]) {
    await cluster.advance(ms);
    states.push(await stateOf(cluster));
  }
  expect(states).toEqual([
    ["Running", "Running", 0, "True"],
    ["Running", "Running", 1, "True"],
    ["Running", "CrashLoopBackOff", 1, "False"],
    ["Running", "Running", 2, "True"],
    ["Running", "CrashLoopBackOff", 2, "False"],
    ["Running", "CrashLoopBackOff", 2, "False"],
    ["Running", "Running", 3, "True"],
    ["Running", "CrashLoopBackOff", 3, "False"],
    ["Running", "CrashLoopBackOff", 3, "False"],
    ["Running", "Running", 4, "True"],
  ]);
});

test("a Pod fails when its deadline is over", async () => {
  await using cluster = await start();
  await createPod(cluster, { spec: { activeDeadlineSeconds: 60 } });
  await cluster.advance(59_000);
  expect((await cluster.client.get(Pod, "web"))?.status?.phase).toBe("Running");
  await cluster.advance(1_000);
  const { phase, reason } = (await cluster.client.get(Pod, "web"))?.status ?? {};
  expect([phase, reason]).toEqual(["Failed", "DeadlineExceeded"]);
});

test.each([
  ["10s", 10_000],
  ["60s", 30_000],
])("a Pod that takes %s to stop is deleted within its grace period", async (time, ms) => {
  await using cluster = await start();
  await createPod(cluster, { annotations: { "stop-after": time } });
  await cluster.advance(0);
  await cluster.client.delete(Pod, "web");
  await cluster.advance(ms - 1_000);
  expect(await cluster.client.get(Pod, "web")).toBeDefined();
  await cluster.advance(1_000);
  expect(await cluster.client.get(Pod, "web")).toBeUndefined();
});

test("a Pod that a finalizer keeps shows that its containers have ended", async () => {
  await using cluster = await start();
  await createPod(cluster, { finalizers: ["example.com/held"] });
  await cluster.advance(0);
  await cluster.client.delete(Pod, "web");
  await cluster.advance(60_000);
  expect(await stateOf(cluster)).toEqual(["Succeeded", "exit 0", 0, "False"]);
});

test("a Pod with an invalid annotation waits, and an event says why", async () => {
  await using cluster = await start();
  await createPod(cluster, { annotations: { "ready-after": "soon" } });
  await cluster.advance(1_000);
  expect(await stateOf(cluster)).toEqual(["Pending", "InvalidBehavior", 0, "False"]);
  const events = await cluster.client.list(Event);
  expect(events.map(({ message }) => message)).toContain(
    'expected annotation node.trimtab.dev/ready-after to be a duration like "5s", got "soon"',
  );
});

test("the Pods of a deleted node are deleted after 40 seconds", async () => {
  await using cluster = await start();
  await createPod(cluster);
  await cluster.advance(0);
  await cluster.client.delete(Node, "node-1");
  await cluster.advance(39_000);
  expect(await cluster.client.get(Pod, "web")).toBeDefined();
  await cluster.advance(1_000);
  expect(await cluster.client.get(Pod, "web")).toBeUndefined();
});

test("a node reports every five minutes, and a deleted node stays deleted", async () => {
  await using cluster = await start();
  const reported = async (): Promise<string | undefined> => {
    const conditions = (await cluster.client.get(Node, "node-1"))?.status?.conditions;
    return conditions?.find(({ type }) => type === "Ready")?.lastHeartbeatTime;
  };
  expect(await reported()).toBe("2026-01-01T00:00:00Z");
  await cluster.advance(300_000);
  expect(await reported()).toBe("2026-01-01T00:05:00Z");
  await cluster.client.delete(Node, "node-1");
  await cluster.advance(300_000);
  expect(await cluster.client.list(Node)).toEqual([]);
});

test("nothing is written while nothing changes", async () => {
  await using cluster = await start();
  await createPod(cluster);
  await cluster.advance(1_000);
  const versions = async (): Promise<unknown> => {
    const [pod, node] = [await cluster.client.get(Pod, "web"), await cluster.client.get(Node, "node-1")];
    return [pod?.metadata.resourceVersion, node?.metadata.resourceVersion];
  };
  const before = await versions();
  await cluster.advance(290_000);
  expect(await versions()).toEqual(before);
});
