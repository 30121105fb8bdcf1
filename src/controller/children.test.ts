import { expect, test } from "vitest";
import { ConfigMap, Namespace, Secret } from "../api/types/core/v1.ts";
import { isConflict } from "../client/index.ts";
import { Controlled } from "./controlled.fixture.ts";
import { controller, owns } from "./index.ts";

/** A world with a controller that owns Secrets and does nothing. */
async function family(): Promise<Controlled> {
  const world = await Controlled.start();
  await world.run(
    controller({ name: "configmap", for: ConfigMap, on: [owns(Secret)], reconcile: async () => {} }),
  );
  return world;
}

test("owned objects are those of this owner, not of an earlier one with the same name", async () => {
  await using world = await family();
  const { client, cache } = world.environment;
  const former = await world.live.create(ConfigMap, { metadata: { name: "owner" } });
  await world.live.create(Secret, { metadata: { name: "old" } }, { owner: former });
  await world.live.delete(ConfigMap, former);
  const owner = await client.create(ConfigMap, { metadata: { name: "owner" } });
  await client.create(Secret, { metadata: { name: "new" } }, { owner });
  await world.settle();
  const names = (of: ConfigMap): string[] => cache.owned(Secret, of).map(({ metadata }) => metadata.name);
  expect([names(former), names(owner)]).toEqual([["old"], ["new"]]);
});

test("an object applied with an owner is owned by it, also after the next apply", async () => {
  await using world = await family();
  const { client, cache } = world.environment;
  const owner = await client.create(ConfigMap, { metadata: { name: "owner" } });
  const { name, uid } = owner.metadata;
  for (const x of ["1", "2"]) {
    const { metadata } = await client.apply(
      Secret,
      { metadata: { name: "child", labels: { x } } },
      { owner },
    );
    expect(metadata.ownerReferences).toEqual([
      { apiVersion: "v1", kind: "ConfigMap", name, uid, controller: true, blockOwnerDeletion: true },
    ]);
  }
  expect(cache.owned(Secret, owner).map(({ metadata }) => metadata.labels)).toEqual([{ x: "2" }]);
});

test("an invalid owner is rejected by the client or the server, and nothing is written", async () => {
  await using world = await family();
  const { client } = world.environment;
  const owner = await client.create(ConfigMap, { metadata: { name: "owner" } });
  const other = await client.create(ConfigMap, { metadata: { name: "other" } });
  await client.create(Namespace, { metadata: { name: "elsewhere" } });
  await client.create(Secret, { metadata: { name: "taken" } }, { owner: other });
  const apart = client.apply(Secret, { metadata: { name: "a", namespace: "elsewhere" } }, { owner });
  await expect(apart).rejects.toThrow(
    "expected an object in namespace default of its owner ConfigMap default/owner, got Secret elsewhere/a",
  );
  const above = client.apply(Namespace, { metadata: { name: "a" } }, { owner });
  await expect(above).rejects.toThrow(
    "expected an object in namespace default of its owner ConfigMap default/owner, got Namespace a in none",
  );
  const second = client.apply(Secret, { metadata: { name: "taken" } }, { owner });
  await expect(second).rejects.toThrow("Only one reference can have Controller set to true");
  expect(await client.get(Secret, "elsewhere/a")).toBeUndefined();
});

test("deleting an object that was read does not delete a newer one of the same name", async () => {
  await using world = await family();
  const { client, cache } = world.environment;
  const owner = await client.create(ConfigMap, { metadata: { name: "owner" } });
  await client.create(Secret, { metadata: { name: "child" } }, { owner });
  const [view] = cache.owned(Secret, owner);
  const read = await client.get(Secret, "child");
  if (!view || !read) throw new Error("expected a child, got none");
  await world.live.delete(Secret, "child");
  await world.live.create(Secret, { metadata: { name: "child" } });
  for (const target of [view, view.metadata, read]) {
    await expect(client.delete(Secret, target)).rejects.toSatisfy(isConflict);
  }
  expect((await world.live.get(Secret, "child"))?.metadata.name).toBe("child");
  await client.delete(Secret, "child");
  expect(await world.live.get(Secret, "child")).toBeUndefined();
});
