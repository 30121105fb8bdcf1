import { expect, test } from "vitest";
import type { KubeObject } from "../api/index.ts";
import { ConfigMap } from "../api/types/core/v1.ts";
import { informers, type ObjectEvent } from "../cache/index.ts";
import { startCluster } from "../testing/index.ts";
import { Controlled } from "./controlled.fixture.ts";
import { EventReason } from "./event-reason.ts";
import { controller, type Reason, watches } from "./index.ts";
import { mergeReason } from "./merged-reason.ts";
import { reasonOf } from "./reason.ts";

/** The events of a ConfigMap `a` whose data changes as often as there are values. */
async function events(values: readonly string[]): Promise<ObjectEvent<KubeObject>[]> {
  await using cluster = await startCluster();
  await cluster.client.create(ConfigMap, { metadata: { name: "a" } });
  await using factory = informers({ client: cluster.client });
  const seen: ObjectEvent<KubeObject>[] = [];
  let enough = (): void => {};
  const all = new Promise<void>((resolve) => {
    enough = resolve;
  });
  factory.for(ConfigMap).on((event) => {
    if (seen.push(event) > values.length) enough();
  });
  factory.start({ signal: cluster.signal });
  await factory.synced;
  for (const value of values)
    await cluster.client.patch(ConfigMap, "a", { merge: { data: { [value]: "1" } } });
  await all;
  return seen;
}

/** Queues each event for one key. */
function reasonsOf(all: readonly ObjectEvent<KubeObject>[], isOwn = (_: string): boolean => false): Reason[] {
  const reasons: Reason[] = [];
  for (const event of all) {
    const reason = new EventReason("ConfigMap", { event, shared: false }, isOwn);
    reason.retain();
    mergeReason(reasons, reason);
  }
  return reasons;
}

function isReleased(event: ObjectEvent<KubeObject>): boolean {
  try {
    return event.object.metadata.name === "";
  } catch {
    return true;
  }
}

test("updates of one object are one reason with all changed fields, and events in between are released", async () => {
  const all = await events(["x", "y", "z"]);
  const reasons = reasonsOf(all);
  expect(reasons.map(({ event, changed }) => ({ event, changed }))).toEqual([
    { event: "added", changed: [] },
    { event: "updated", changed: ["data"] },
  ]);
  expect(all.map(isReleased)).toEqual([false, false, true, false]);
});

test("a merged reason is an own write only if all of its events are", async () => {
  const all = (await events(["x", "y", "z"])).slice(1);
  const own = new Set(all.map(({ resourceVersion }) => resourceVersion));
  const echoOf = (isOwn: (version: string) => boolean): boolean[] =>
    reasonsOf(all, isOwn).map(({ echo }) => echo);
  const foreign = all[0]?.resourceVersion;
  expect(echoOf((version) => own.has(version))).toEqual([true]);
  expect(echoOf((version) => own.has(version) && version !== foreign)).toEqual([false]);
});

test("of more than 16 reasons the oldest about an object is dropped and released, never a retry", async () => {
  const [event] = await events([]);
  if (!event) throw new Error("expected an event");
  const reasons: Reason[] = [];
  mergeReason(reasons, reasonOf("retry", "default/a"));
  const first = new EventReason("ConfigMap", { event, shared: false }, () => false);
  first.retain();
  mergeReason(reasons, first);
  const others = Array.from({ length: 100 }, (_, index) => ({
    ...reasonOf("added", `k${index}`),
    kind: "Pod",
  }));
  for (const other of others) mergeReason(reasons, other);
  expect(reasons).toEqual([reasonOf("retry", "default/a"), ...others.slice(-15)]);
  expect(isReleased(event)).toBe(true);
});

test("a reconcile has the newest 16 reasons and their number, with and without debounce", async () => {
  for (const debounce of [undefined, { quietMs: 1000, maxMs: 10_000 }]) {
    await using world = await Controlled.start();
    const seen: unknown[] = [];
    await world.run(
      controller({
        name: "one",
        for: ConfigMap,
        when: () => false,
        on: [watches(ConfigMap, () => [{ name: "one", namespace: "default" }])],
        debounce,
        reconcile: async (_, { reasons, reasonCount }) => {
          seen.push([reasons.length, reasons.at(-1)?.key, reasonCount]);
          await new Promise<void>((resolve) => void world.clock.timer(60_000, resolve));
        },
      }),
    );
    await world.live.create(ConfigMap, { metadata: { name: "first" } });
    await world.clock.advance(20_000);
    for (let index = 1; index <= 50; index++) {
      await world.live.create(ConfigMap, { metadata: { name: `map-${index}` } });
      await world.live.patch(ConfigMap, `map-${index}`, { merge: { data: { x: "1" } } });
      await world.live.patch(ConfigMap, `map-${index}`, { merge: { data: { x: "2" } } });
    }
    await world.clock.advance(120_000);
    expect(seen).toEqual([
      [1, "default/first", 1],
      [16, "default/map-50", 150],
    ]);
    await world.clock.advance(60_000);
  }
});
