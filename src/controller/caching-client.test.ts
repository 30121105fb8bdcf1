import { expect, test } from "vitest";
import type { ObjectKey } from "../api/index.ts";
import { Deployment } from "../api/types/apps/v1.ts";
import { ConfigMap, Secret } from "../api/types/core/v1.ts";
import type { FaultRule } from "../testing/index.ts";
import { Controlled } from "./controlled.fixture.ts";
import { type Context, controller, owns } from "./index.ts";

test("a read after a write returns it before the watch delivers it", async () => {
  const silentAfter = (resource: string, afterEvents: number): FaultRule => ({
    on: { verb: "watch", resource },
    fault: { type: "freeze", afterEvents },
  });
  const faults = [silentAfter("configmaps", 2), silentAfter("secrets", 1)]; // the objects, and the bookmark that ends the initial events
  await using world = await Controlled.start({ faults });
  const seen: unknown[] = [];
  const reconcile = async (key: object, { client, cache }: Context): Promise<void> => {
    const map = await client.get(ConfigMap, key as { name: string });
    if (map?.metadata.name !== "a" || seen.length > 0) return;
    await client.patch(ConfigMap, map.metadata, { merge: { data: { x: "1" } } });
    const child = await client.create(Secret, { metadata: { name: "child" } }, { owner: map });
    seen.push((await client.get(ConfigMap, map.metadata))?.data);
    seen.push((await client.list(Secret)).map(({ metadata }) => metadata.name));
    seen.push(cache.owned(Secret, map).map(({ metadata }) => metadata.name));
    await client.delete(Secret, child);
    seen.push([
      await client.get(Secret, "child"),
      (await client.list(Secret)).length,
      cache.owned(Secret, map).length,
    ]);
  };
  await world.live.create(ConfigMap, { metadata: { name: "a" } });
  await world.run(controller({ name: "configmap", for: ConfigMap, on: [owns(Secret)], reconcile }));
  expect(seen).toEqual([{ x: "1" }, ["child"], ["child"], [undefined, 0, 0]]);
});

test("reads that the cache cannot serve go to the server, also in strict mode if the kind is declared", async () => {
  await using world = await Controlled.start({ strict: true });
  const { resourceVersion } = (await world.live.create(ConfigMap, { metadata: { name: "a" } })).metadata;
  await world.run(controller({ name: "configmap", for: ConfigMap, reconcile: async () => {} }));
  const { client } = world.environment;
  expect(await client.list(ConfigMap, { fields: { "metadata.name": "b" } })).toEqual([]);
  expect((await client.get(ConfigMap, "a", { resourceVersion }))?.metadata.resourceVersion).toBe(
    resourceVersion,
  );
  const refused = "got v1 Secret";
  await expect(client.list(Secret)).rejects.toThrow(refused);
  await expect(client.list(Secret, { fields: { "metadata.name": "b" } })).rejects.toThrow(refused);
  await expect(client.get(Secret, "a", { resourceVersion: "0" })).rejects.toThrow(refused);
});

test("reading an undeclared kind does not watch it", async () => {
  const watched = { verb: "watch" as const, resource: "secrets" };
  const fault = { type: "refuse" as const, code: 500 as const };
  await using world = await Controlled.start({ faults: [{ on: watched, fault }] });
  await world.run(controller({ name: "configmap", for: ConfigMap, reconcile: async () => {} }));
  const { client, cache } = world.environment;
  for (let times = 0; times < 3; times++) await client.list(Secret);
  await world.clock.advance(60_000);
  expect(() => cache.of(Secret)).toThrow("got v1 Secret");
  expect(world.logged.filter(({ level }) => level === "error" || level === "warn")).toEqual([]);
});

test("an undeclared kind is read from the server, or rejected in strict mode", async () => {
  const reads = async (strict: boolean): Promise<unknown> => {
    await using world = await Controlled.start({ strict });
    await world.live.create(Secret, { metadata: { name: "s" } });
    await world.run(
      controller({ name: "configmap", for: ConfigMap, on: [owns(Deployment)], reconcile: async () => {} }),
    );
    return world.environment.client.get(Secret, "s").then(
      (secret) => secret?.metadata.name,
      (error: Error) => error.message,
    );
  };
  expect(await reads(false)).toBe("s");
  expect(await reads(true)).toBe(
    "expected a kind that a controller watches (v1 ConfigMap, apps/v1 Deployment), got v1 Secret; " +
      "add it to `for`, `owns` or `watches`, or read it with the client",
  );
});

test("the resource version of another client is not an own write, even if the response to a write without changes has it", async () => {
  await using world = await Controlled.start();
  await world.live.create(ConfigMap, { metadata: { name: "a" }, data: { ours: "1" } });
  const seen: unknown[] = [];
  const reconcile = async (key: ObjectKey, { client, reasons }: Context): Promise<void> => {
    seen.push(reasons.map(({ event, changed, echo }) => ({ event, changed: [...changed], echo })));
    if (seen.length > 1) return;
    await world.live.patch(ConfigMap, "a", { merge: { data: { theirs: "2" } } });
    await client.patch(ConfigMap, key, { merge: { data: { ours: "1" } } });
  };
  await world.run(controller({ name: "configmap", for: ConfigMap, reconcile }));
  await world.settle();
  expect(seen.at(-1)).toEqual([{ event: "updated", changed: ["data.theirs"], echo: false }]);
});
