import { expect, test } from "vitest";
import type { KubeObject } from "../api/index.ts";
import { ConfigMap } from "../api/types/core/v1.ts";
import { informers, type ObjectEvent } from "../cache/index.ts";
import { startCluster } from "../testing/index.ts";
import { Controlled } from "./controlled.fixture.ts";
import { EventReason } from "./event-reason.ts";
import { type Context, controller, type Predicate, type Reason } from "./index.ts";

const over = "event of default/a already released";

/** Returns the event of a first object. */
async function event(): Promise<ObjectEvent<KubeObject>> {
  await using cluster = await startCluster();
  await cluster.client.create(ConfigMap, { metadata: { name: "a" } });
  await using factory = informers({ client: cluster.client });
  const added = new Promise<ObjectEvent<KubeObject>>((resolve) => void factory.for(ConfigMap).on(resolve));
  factory.start({ signal: cluster.signal });
  return await added;
}

test("an event is released when all keys queued for it have been reconciled", async () => {
  const added = await event();
  const reason = new EventReason("ConfigMap", { event: added, shared: false }, () => false);
  reason.retain();
  reason.retain();
  reason.release();
  expect(added.metadata.name).toBe("a");
  reason.release();
  expect(() => added.object).toThrow(over);
  expect([reason.key, reason.event, reason.resourceVersion]).toEqual([
    "default/a",
    "added",
    added.resourceVersion,
  ]);
});

test("a shared event is not released", async () => {
  const added = await event();
  const reason = new EventReason("ConfigMap", { event: added, shared: true }, () => false);
  reason.retain();
  reason.release();
  expect(added.object.metadata.name).toBe("a");
});

/** Enough updates for the cache to free the bytes of earlier versions. */
async function changeOften(world: Controlled): Promise<void> {
  for (let times = 1; times <= 100; times++) {
    await world.live.patch(ConfigMap, "a", { merge: { data: { [`at-${times}`]: "x".repeat(500) } } });
    await world.settle();
  }
}

test("reasons that a reconcile has read stay readable after it", async () => {
  await using world = await Controlled.start({ quiet: true });
  await world.live.create(ConfigMap, { metadata: { name: "a" } });
  const kept: Reason[] = [];
  await world.run(
    controller({
      name: "configmap",
      for: ConfigMap,
      reconcile: async (_, { reasons }) => void kept.push(...reasons),
    }),
  );
  await changeOften(world);
  expect(kept.map(({ changed }) => changed)).toEqual([
    [],
    ...Array.from({ length: 100 }, (_, at) => (at === 0 ? ["data"] : [`data.at-${at + 1}`])),
  ]);
});

test("reasons first read after the reconcile have no changed fields", async () => {
  await using world = await Controlled.start({ quiet: true });
  await world.live.create(ConfigMap, { metadata: { name: "a" } });
  const kept: Context[] = [];
  await world.run(
    controller({
      name: "configmap",
      for: ConfigMap,
      reconcile: async (_, context) => void kept.push(context),
    }),
  );
  await world.live.patch(ConfigMap, "a", { merge: { data: { x: "1" } } });
  await world.settle();
  const added = { kind: "ConfigMap", key: "default/a", changed: [], echo: false };
  expect(JSON.parse(JSON.stringify(kept.flatMap(({ reasons }) => reasons)))).toEqual([
    { ...added, event: "added" },
    { ...added, event: "updated" },
  ]);
});

test("events that a user's predicate has received stay readable", async () => {
  await using world = await Controlled.start({ quiet: true });
  await world.live.create(ConfigMap, { metadata: { name: "a" } });
  const kept: ObjectEvent<KubeObject>[] = [];
  const when: Predicate<KubeObject> = (seen) => kept.push(seen) > 0;
  const reconciled: string[] = [];
  await world.run(
    controller({
      name: "configmap",
      for: ConfigMap,
      when,
      reconcile: async ({ name }) => void reconciled.push(name),
    }),
  );
  await changeOften(world);
  expect(kept.map(({ object }) => Object.keys((object as ConfigMap).data ?? {}).length)).toEqual(
    Array.from({ length: 101 }, (_, at) => at),
  );
  expect(reconciled).toHaveLength(101);
});
