import { expect, test } from "vitest";
import { ConfigMap, Secret } from "../api/types/core/v1.ts";
import { prometheus } from "../base/index.ts";
import { channel, controller, external, owns, watches } from "../controller/index.ts";
import { Managed } from "./managed.fixture.ts";

const elected = (identity: string) => ({ leaderElection: { name: "operator", identity } });

/** Reads one metric of the controller `configmap`. */
async function metricOf(
  registry: ReturnType<typeof prometheus>,
  metric: string,
): Promise<number | undefined> {
  const text = await registry.text();
  const line = text.split("\n").find((each) => each.startsWith(`${metric}{`));
  return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(" ") + 1));
}

test("a standby keeps its caches current and queues nothing, however often objects change", async () => {
  await using world = await Managed.start();
  const { client } = world.cluster;
  const leader = new AbortController();
  const first = world.manager([], elected("leader")).run({ signal: leader.signal });
  await world.settle();
  const reconciled: string[] = [];
  const registry = prometheus();
  const mapped: string[] = [];
  const configMaps = controller({
    name: "configmap",
    for: ConfigMap,
    on: [
      owns(ConfigMap, { anyOwner: true }),
      watches(Secret, ({ metadata }) => {
        mapped.push(metadata.name);
        return [{ name: metadata.name, namespace: "default" }];
      }),
    ],
    debounce: { quietMs: 1000, maxMs: 10_000 },
    reconcile: async (key, { reasons }) =>
      void reconciled.push(`${key.name}: ${reasons.map(({ event, kind }) => `${event} ${kind}`).join(", ")}`),
  });
  const standby = await world.run([configMaps], { ...elected("standby"), registry });
  await client.create(ConfigMap, { metadata: { name: "a" } });
  await client.create(ConfigMap, { metadata: { name: "gone" } });
  await client.create(Secret, { metadata: { name: "a" } });
  for (let change = 0; change < 100; change++) {
    await client.patch(ConfigMap, "a", { merge: { data: { change: `${change}` } } });
    await client.patch(Secret, "a", { merge: { stringData: { change: `${change}` } } });
  }
  await client.delete(ConfigMap, "gone");
  await world.settle();
  const cached = standby.cache.of(ConfigMap).view({ name: "a", namespace: "default" })?.data;
  expect([cached, await metricOf(registry, "workqueue_adds_total"), mapped]).toEqual([
    { change: "99" },
    0,
    [],
  ]);

  leader.abort(new Error("received SIGTERM"));
  await first;
  await world.clock.advance(10_000);
  expect(reconciled).toEqual(["a: added ConfigMap, added Secret"]);
  expect(await metricOf(registry, "workqueue_adds_total")).toBe(1);
});

test("a standby takes no key from an external source, and its channels refuse keys beyond their limit", async () => {
  await using world = await Managed.start();
  const leader = new AbortController();
  const first = world.manager([], elected("leader")).run({ signal: leader.signal });
  await world.settle();
  let taken = 0;
  async function* keys(): AsyncGenerator<string> {
    for (let key = 0; key < 3; key++) {
      taken += 1;
      yield `external-${key}`;
    }
    await new Promise<never>(() => {});
  }
  const pushed = channel({ limit: 2 });
  const reconciled: string[] = [];
  const configMaps = controller({
    for: ConfigMap,
    name: "configmap",
    on: [external(keys), pushed],
    reconcile: async (key) => void reconciled.push(key.name),
  });
  await world.run([configMaps], elected("standby"));
  const accepted = ["one", "two", "two", "three"].map((key) => pushed.push(key));
  await world.clock.advance(60_000);
  expect([taken, accepted, reconciled]).toEqual([0, [true, true, true, false], []]);

  leader.abort(new Error("received SIGTERM"));
  await first;
  await world.clock.advance(10_000);
  expect([pushed.push("four"), reconciled.toSorted()]).toEqual([
    true,
    ["external-0", "external-1", "external-2", "one", "two"],
  ]);
});
