import { Pod } from "trimtab/api/core/v1";
import { type Cluster, startCluster, VirtualClock } from "trimtab/testing";
import { expect, test } from "vitest";
import { Lines } from "../stage.ts";
import { chaosPodAdmission } from "./admission.ts";
import { ChaosPod, chaosPods } from "./chaos-pod.ts";
import { tour } from "./tour.ts";

interface Running extends AsyncDisposable {
  readonly cluster: Cluster;
  readonly clock: VirtualClock;
}

/** Returns a cluster on virtual time with the controller running on it. */
async function running(): Promise<Running> {
  const clock = new VirtualClock();
  const cluster = await startCluster({ kinds: [ChaosPod], clock });
  await cluster.run({ controllers: [chaosPods(() => clock.now())] });
  return { cluster, clock, [Symbol.asyncDispose]: () => cluster.close() };
}

/** Returns the Pod that replaces the one before, with the times of its ChaosPod. Time does not advance meanwhile. */
async function started({ cluster, clock }: Running, before?: string) {
  let over = false;
  const found = cluster.eventually(async () => {
    const pod = await cluster.client.get(Pod, "monkey");
    const chaos = await cluster.client.get(ChaosPod, "monkey");
    expect(pod?.metadata.uid).not.toBe(before);
    expect(chaos?.status?.lastRun).toBe(pod?.metadata.creationTimestamp);
    return { uid: pod?.metadata.uid, nextStop: chaos?.spec.nextStop, lastRun: chaos?.status?.lastRun };
  });
  void found.finally(() => {
    over = true;
  });
  while (!over) await clock.advance(0);
  return found;
}

function make({ cluster }: Running, name = "monkey"): Promise<ChaosPod> {
  const spec = { image: "nginx:1.29", everySeconds: 60 };
  return cluster.client.create(ChaosPod, { metadata: { name }, spec });
}

test("a Pod runs for its time, and then another one", async () => {
  await using on = await running();
  await make(on);
  const first = await started(on);
  expect(first).toMatchObject({ nextStop: "2026-01-01T00:01:00.000Z", lastRun: "2026-01-01T00:00:00Z" });
  await on.clock.advance(59_999);
  expect(await started(on)).toEqual(first);
  await on.clock.advance(1);
  expect(await started(on, first.uid)).toMatchObject({
    nextStop: "2026-01-01T00:02:00.000Z",
    lastRun: "2026-01-01T00:01:00Z",
  });
});

test("a deleted Pod is started again, and stops when the first one would have", async () => {
  await using on = await running();
  await make(on);
  const first = await started(on);
  await on.clock.advance(10_000);
  await on.cluster.client.delete(Pod, "monkey");
  const second = await started(on, first.uid);
  expect(second).toMatchObject({ nextStop: first.nextStop, lastRun: "2026-01-01T00:00:10Z" });
});

test("a Pod of another owner is not stopped", async () => {
  await using on = await running();
  const { client } = on.cluster;
  const spec = { containers: [{ name: "web", image: "nginx:1.29" }] };
  const other = await client.create(Pod, { metadata: { name: "bystander" }, spec });
  await make(on, "bystander");
  await make(on);
  await started(on); // keys are reconciled in order
  expect(await client.get(Pod, "bystander")).toEqual(other);
});

test("the tour shows a Pod that is stopped and started, and a denied change", async ({ signal }) => {
  await using cluster = await startCluster({ kinds: [ChaosPod] });
  await cluster.run({ controllers: [chaosPods()], webhooks: [chaosPodAdmission()] });
  const lines = new Lines();
  await tour({ client: cluster.client, say: lines.say, signal });
  expect(lines.all).toEqual([
    "> create the ChaosPod monkey",
    "  the Pod monkey runs, and the ChaosPod has its next stop",
    "> set the next stop to the past",
    "  denied the request: spec.nextStop: must be in the future, got 2026-01-01T00:00:00Z",
    "> set the next stop to a second from now",
    "  it is stopped, and another one is started",
  ]);
});
