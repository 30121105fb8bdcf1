import { afterAll, beforeEach, expect, test } from "vitest";
import { ConfigMap } from "../api/types/core/v1.ts";
import { startCluster } from "../testing/index.ts";
import { EventReason } from "./event-reason.ts";
import { Finalizer } from "./finalizer.ts";
import type { Context } from "./index.ts";
import { reasonOf } from "./reason.ts";

const cluster = await startCluster();
afterAll(() => cluster.close());

const { client } = cluster;
const key = { namespace: "default", name: "a" };
const context = { client } as Context; // a cleanup would need more members
const ours = "example.dev/maps";

let previous: ConfigMap;
let finalizer: Finalizer;
let object: ConfigMap;
beforeEach(async () => {
  await client.patch(ConfigMap, "a", { merge: { metadata: { finalizers: null } } }).catch(() => {}); // the first has none
  await client.delete(ConfigMap, "a");
  previous = await client.create(ConfigMap, { metadata: { name: "a" }, data: { x: "1" } });
  const cleanup = async (): Promise<void> => {};
  finalizer = new Finalizer({ kind: ConfigMap, finalizer: ours, cleanup });
  await finalizer.before(key, context);
  object = (await client.get(ConfigMap, "a")) ?? previous;
  expect(object.metadata.finalizers).toEqual([ours]);
});

interface Update {
  readonly kind?: string;
  readonly of?: string;
  readonly from?: ConfigMap;
  readonly to?: ConfigMap;
}

/** The reason of an update, by default of the one that added the finalizer. */
function updated({
  kind = "ConfigMap",
  of = "default/a",
  from = previous,
  to = object,
}: Update = {}): EventReason {
  const event = {
    type: "updated",
    key: of,
    resourceVersion: to.metadata.resourceVersion,
    generation: undefined,
    metadataChanged: true,
    metadata: to.metadata,
    object: to,
    previousMetadata: from.metadata,
    previous: from,
    resync: false,
  } as const;
  return new EventReason(kind, { event, shared: true }, () => true);
}

test("the event of the own finalizer is consumed once", () => {
  expect(finalizer.consumeOwnEcho("default/a", [updated()])).toBe(true);
  expect(finalizer.consumeOwnEcho("default/a", [updated()])).toBe(false);
});

test("an event with another change beside the finalizer is not consumed", () => {
  const from = { ...previous, data: { x: "0" } };
  expect(finalizer.consumeOwnEcho("default/a", [updated({ from })])).toBe(false);
});

test("an event of another resource version is not consumed, even if only finalizers changed", async () => {
  const merge = { metadata: { finalizers: [ours, "other.dev/keep"] } };
  const to = await client.patch(ConfigMap, "a", { merge });
  expect(finalizer.consumeOwnEcho("default/a", [updated({ to })])).toBe(false);
});

test("an event of another object or kind, and an event beside another reason, are not consumed", () => {
  expect(finalizer.consumeOwnEcho("default/a", [updated({ of: "default/b" })])).toBe(false);
  expect(finalizer.consumeOwnEcho("default/a", [updated({ kind: "Secret" })])).toBe(false);
  expect(finalizer.consumeOwnEcho("default/b", [updated()])).toBe(false);
  expect(finalizer.consumeOwnEcho("default/a", [updated(), reasonOf("poll", "default/a")])).toBe(false);
});

test("an event that comes after the next reconcile is not consumed", async () => {
  await finalizer.before(key, context);
  expect(finalizer.consumeOwnEcho("default/a", [updated()])).toBe(false);
});
