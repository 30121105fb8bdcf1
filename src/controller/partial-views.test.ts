import { expect, test } from "vitest";
import { ConfigMap, Namespace } from "../api/types/core/v1.ts";
import { Controlled } from "./controlled.fixture.ts";
import { type Controller, controller, watches } from "./index.ts";

/** A world with a ConfigMap in each of the namespaces "a" and "b". Only "a" is watched. */
async function inOneNamespace(options: { readonly strict?: boolean } = {}): Promise<Controlled> {
  const world = await Controlled.start(options);
  for (const namespace of ["a", "b"]) {
    await world.live.create(Namespace, { metadata: { name: namespace } });
    await world.live.create(ConfigMap, { metadata: { namespace, name: "map" } });
  }
  await world.run(
    controller({ name: "configmap", for: ConfigMap, view: { namespaces: ["a"] }, reconcile: async () => {} }),
  );
  return world;
}

test("objects in a namespace that is not watched are read from the server", async () => {
  await using world = await inOneNamespace();
  const { client } = world.environment;
  expect((await client.get(ConfigMap, "b/map"))?.metadata.namespace).toBe("b");
  expect((await client.list(ConfigMap, { namespace: "b" })).length).toBe(1);
  expect((await client.list(ConfigMap)).map(({ metadata }) => metadata.namespace)).toEqual(["a"]);
});

test("strict mode rejects reads of a namespace that is not watched", async () => {
  await using world = await inOneNamespace({ strict: true });
  const { client } = world.environment;
  expect((await client.get(ConfigMap, "a/map"))?.metadata.namespace).toBe("a");
  await expect(client.get(ConfigMap, "b/map")).rejects.toThrow(
    "expected a namespace that is watched for v1 ConfigMap (a), got b; " +
      "add it to `namespaces`, or read it with the client",
  );
});

test("reads use the widest view of a kind, whichever was declared first", async () => {
  await using world = await Controlled.start();
  for (const [name, of] of Object.entries({ ours: "us", theirs: "them" })) {
    await world.live.create(ConfigMap, { metadata: { name, labels: { of } } });
  }
  const some = controller({
    name: "some",
    for: ConfigMap,
    view: { labels: { of: "us" } },
    reconcile: async () => {},
  });
  const all = controller({
    name: "all",
    for: Namespace,
    on: [watches(ConfigMap, () => [])],
    reconcile: async () => {},
  });
  const [, second] = await world.run(some, all);
  const { client } = world.environment;
  const names = async (): Promise<string[]> =>
    (await client.list(ConfigMap)).map(({ metadata }) => metadata.name).sort();
  expect(await names()).toEqual(["ours", "theirs"]);
  await second?.close();
  expect(await names()).toEqual(["ours"]);
});

test("an own write is visible also when another view serves later reads", async () => {
  const frozen = {
    on: { verb: "watch" as const, resource: "configmaps" },
    fault: { type: "freeze" as const, afterEvents: 1 },
  };
  await using world = await Controlled.start({ faults: [frozen] });
  const some = controller({
    name: "some",
    for: ConfigMap,
    view: { labels: { of: "us" } },
    reconcile: async () => {},
  });
  const all = controller({ name: "all", for: ConfigMap, reconcile: async () => {} });
  const [, second] = await world.run(some, all);
  const { client } = world.environment;
  await client.create(ConfigMap, { metadata: { name: "new", labels: { of: "us" } } });
  expect((await client.list(ConfigMap)).length).toBe(1);
  await second?.close();
  expect((await client.list(ConfigMap)).length).toBe(1);
});

test("a cluster-scoped kind is watched as a whole, and a namespace in its key is ignored", async () => {
  await using world = await Controlled.start({ strict: true });
  await world.run(
    controller({ name: "namespace", for: Namespace, view: { namespaces: ["a"] }, reconcile: async () => {} }),
  );
  await world.live.create(Namespace, { metadata: { name: "tenant" } });
  await world.settle();
  const { client } = world.environment;
  expect((await client.get(Namespace, "tenant"))?.metadata.name).toBe("tenant");
  expect((await client.get(Namespace, { namespace: "b", name: "tenant" }))?.metadata.name).toBe("tenant");
});

test("an object is found by key in any view that has it", async () => {
  await using world = await Controlled.start();
  const seen: Record<string, string[]> = { us: [], them: [] };
  const those = (of: string): Controller =>
    controller({
      name: of,
      for: ConfigMap,
      view: { labels: { of } },
      async reconcile(key, { client }) {
        if (await client.get(ConfigMap, key)) seen[of]?.push(key.name);
      },
    });
  await world.live.create(ConfigMap, { metadata: { name: "ours", labels: { of: "us" } } });
  await world.live.create(ConfigMap, { metadata: { name: "theirs", labels: { of: "them" } } });
  await world.run(those("us"), those("them"));
  expect(seen).toEqual({ us: ["ours"], them: ["theirs"] });
  expect(await world.environment.client.get(ConfigMap, "nobodys")).toBeUndefined();
});

test("a wider view that is added later is read from the server until it has synced", async () => {
  const slow = {
    on: { verb: "watch" as const, resource: "configmaps" },
    which: { nth: 2 },
    fault: { type: "delay" as const, ms: 5000 },
  };
  await using world = await Controlled.start({ faults: [slow] });
  await world.live.create(ConfigMap, { metadata: { name: "ours", labels: { of: "us" } } });
  await world.live.create(ConfigMap, { metadata: { name: "theirs", labels: { of: "them" } } });
  const reconcile = async (): Promise<void> => {};
  await world.run(controller({ name: "some", for: ConfigMap, view: { labels: { of: "us" } }, reconcile }));
  await world.run(controller({ name: "all", for: ConfigMap, reconcile }));
  const { client } = world.environment;
  const names = async (): Promise<string[]> =>
    (await client.list(ConfigMap)).map(({ metadata }) => metadata.name).sort();
  expect([await names(), (await client.get(ConfigMap, "theirs"))?.metadata.name]).toEqual([
    ["ours", "theirs"],
    "theirs",
  ]);
  await world.clock.advance(5000);
  expect(await names()).toEqual(["ours", "theirs"]);
});
