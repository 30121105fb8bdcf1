import { expect, test } from "vitest";
import { ConfigMap, Secret } from "../api/types/core/v1.ts";
import { settled, silentLogger, sleep, VirtualClock } from "../base/index.ts";
import { type Context, type Controller, controller } from "../controller/index.ts";
import { webhook } from "../webhook/index.ts";
import { type Cluster, startCluster } from "./index.ts";

type Reconcile = (
  context: Context,
  key: { readonly name: string },
) => ReturnType<Controller["options"]["reconcile"]>;

function maps(reconcile: Reconcile): Controller {
  return controller({
    name: "maps",
    for: ConfigMap,
    reconcile: (key, context) => reconcile(context, key) as Promise<undefined>,
  });
}

/** Returns a cluster with a virtual clock and a ConfigMap, on which the controller runs. */
async function running(reconcile: Reconcile): Promise<{ cluster: Cluster; clock: VirtualClock }> {
  const clock = new VirtualClock();
  const cluster = await startCluster({ clock });
  await cluster.client.create(ConfigMap, { metadata: { name: "a" }, data: { at: "0" } });
  await cluster.run({ controllers: [maps(reconcile)], log: silentLogger });
  return { cluster, clock };
}

test("advance fires a requeue at its time, with its requests done before the next timer", async () => {
  const written: [number, string | undefined][] = [];
  const { cluster, clock } = await running(async ({ client }) => {
    const at = `${clock.monotonic()}`;
    for (let step = 0; step < 20; step += 1)
      await client.apply(Secret, { metadata: { name: "a" }, stringData: { at, [`${step}`]: "" } });
    const secret = await client.get(Secret, "a");
    written.push([clock.monotonic(), Buffer.from(secret?.data?.at ?? "", "base64").toString()]);
    return { requeueAfterMs: 60_000 };
  });
  await using _cluster = cluster;
  clock.timer(60_001, () => written.push([clock.monotonic(), "timer"]));
  await cluster.advance(120_000);
  expect(written).toEqual([
    [0, "0"],
    [60_000, "60000"],
    [60_001, "timer"],
    [120_000, "120000"],
  ]);
});

test("the clock waits for a webhook, which a request in flight calls over a socket", async () => {
  const clock = new VirtualClock();
  await using cluster = await startCluster({ clock });
  const stamp = webhook(ConfigMap, {
    async default(map) {
      for (let turn = 0; turn < 50; turn += 1) await settled();
      map.data = { at: `${clock.monotonic()}` };
    },
  });
  await cluster.run({ controllers: [], webhooks: [stamp], log: silentLogger });
  let created: ConfigMap | undefined;
  clock.timer(10, () => {
    void cluster.client.create(ConfigMap, { metadata: { name: "a" } }).then((map) => {
      created = map;
    });
  });
  await cluster.advance(3_600_000);
  expect([created?.data, clock.monotonic()]).toEqual([{ at: "10" }, 3_600_000]);
});

test("a request that waits for the clock does not stop it", async () => {
  const clock = new VirtualClock();
  const slow = { on: { verb: "get" as const }, fault: { type: "delay" as const, ms: 5_000 } };
  await using cluster = await startCluster({ clock, faults: [slow] });
  let gotMs: number | undefined;
  void cluster.client.get(ConfigMap, "a").then(() => {
    gotMs = clock.monotonic();
  });
  await cluster.advance(6_000);
  expect(gotMs).toBe(5_000);
});

test("advance rejects with the keys that are reconciled without end, at the time of the loop", async () => {
  const { cluster, clock } = await running(async ({ client, attempt }, { name }) => {
    if (clock.monotonic() < 1_000) return { requeueAfterMs: 1_000 };
    const map = await client.get(ConfigMap, name);
    await client.patch(ConfigMap, name, { merge: { data: { at: `${Number(map?.data?.at) + attempt}` } } });
    return undefined;
  });
  await using _cluster = cluster;
  const { message } = await cluster.advance(5_000).then(
    () => new Error("came to rest"),
    (error: Error) => error,
  );
  expect([message, clock.monotonic()]).toEqual([
    expect.stringMatching(
      /^expected the controllers to come to rest, got reconciles without end: maps default\/a \(3\d\d reconciles\); they trigger/,
    ),
    1_000,
  ]);
});

test("advance needs a virtual clock", async () => {
  await using cluster = await startCluster();
  await expect(cluster.advance(1)).rejects.toThrow(
    "expected a cluster with a virtual clock to advance, got another clock: start it with startCluster({ clock: new VirtualClock() })",
  );
});

test("ten thousand timers fire one after the other", async () => {
  const clock = new VirtualClock();
  await using cluster = await startCluster({ clock });
  let fired = 0;
  for (let count = 0; count < 10_000; count += 1)
    clock.timer(count, () => {
      fired += 1;
    });
  await cluster.advance(10_000);
  expect([fired, clock.timers]).toEqual([10_000, 0]);
});

test("settled waits for what was just written, and does not move the clock", async () => {
  const seen: string[] = [];
  const { cluster, clock } = await running(async (_context, { name }) => {
    seen.push(name);
    return { requeueAfterMs: 10 };
  });
  await using _cluster = cluster;
  await cluster.client.create(ConfigMap, { metadata: { name: "b" } });
  await cluster.settled();
  expect([seen.sort(), clock.monotonic()]).toEqual([["a", "b"], 0]);
});

test("settled rejects with the keys that wait for the clock", async () => {
  const { cluster, clock } = await running(() => sleep(10, { clock }) as Promise<undefined>);
  await using _cluster = cluster;
  const failed = cluster.settled().catch((error: Error) => error.message);
  await settled();
  expect(await failed).toBe("expected no reconcile in progress, got maps default/a");
  await cluster.advance(10);
});
