import { expect, test } from "vitest";
import { Deployment } from "../api/types/apps/v1.ts";
import { ConfigMap, Secret } from "../api/types/core/v1.ts";
import { VirtualClock } from "../base/index.ts";
import {
  type Context,
  type Controller,
  controller,
  owns,
  specOrMetadataChanged,
} from "../controller/index.ts";
import { expectIdempotent, startCluster } from "./index.ts";

type Reconcile = (map: ConfigMap, context: Context) => Promise<void>;

/** For ConfigMaps that are there, with the Secrets they own. */
function reconciling(reconcile: Reconcile): Controller {
  return controller({
    name: "configmap",
    for: ConfigMap,
    on: [owns(Secret)],
    async reconcile(key, context) {
      const map = await context.client.get(ConfigMap, key);
      if (map) await reconcile(map, context);
    },
  });
}

/** What it says of a controller on a cluster with two ConfigMaps. */
async function told(reconcile: Reconcile): Promise<string> {
  await using cluster = await startCluster();
  for (const name of ["a", "b"]) {
    await cluster.client.create(ConfigMap, { metadata: { name }, data: { at: "0" } });
  }
  return await expectIdempotent(cluster, { controllers: [reconciling(reconcile)] }).then(
    () => "idempotent",
    (error: Error) => error.message,
  );
}

test("who writes what is meant, and nothing when it is there, is idempotent", async () => {
  const apply: Reconcile = async (map, { client, events }) => {
    const { name } = map.metadata;
    events.normal(map, "Looked", "at every time");
    await client.apply(Secret, { metadata: { name }, type: "Opaque" }, { owner: map });
    const annotations = { secret: name };
    if (!map.metadata.annotations) {
      await client.patch(ConfigMap, name, { merge: { metadata: { annotations } } });
    }
  };
  expect(await told(apply)).toBe("idempotent");
});

test("each write of the second time is named, with what it changed", async () => {
  let at = 0;
  const stamp: Reconcile = async ({ metadata, data }, { client, reasons }) => {
    if (!reasons.some(({ event }) => event === "added")) return;
    at += 1;
    await client.patch(ConfigMap, metadata.name, {
      merge: { data: { at: `${at}`, [`at-${at}`]: data?.at } },
    });
  };
  expect(await told(stamp)).toBe(
    [
      "expected nothing to be written when everything is reconciled again, got 2 writes:",
      '  patch ConfigMap default/a: data.at "1" → "3", data.at-3 nothing → "1"',
      '  patch ConfigMap default/b: data.at "2" → "4", data.at-4 nothing → "2"',
    ].join("\n"),
  );
});

test("what is created, deleted, replaced or only moved on in its version is named too", async () => {
  let times = 0;
  const restless: Reconcile = async (map, { client, reasons }) => {
    const { name } = map.metadata;
    if (name === "b" || !reasons.some(({ event, kind }) => event === "added" && kind === "ConfigMap")) return;
    times += 1;
    await client.create(Secret, { metadata: { name: `${name}-${times}` } }, { owner: map });
    await client.delete(Secret, `${name}-${times - 1}`);
    const fieldManager = `me-${times}`;
    await client.apply(ConfigMap, { metadata: { name: "b" }, data: { at: "0" } }, { fieldManager });
    await client.update(ConfigMap, { ...map, data: { at: `${times}` } });
  };
  expect(await told(restless)).toBe(
    [
      "expected nothing to be written when everything is reconciled again, got 4 writes:",
      "  create Secret default/a-2",
      "  delete Secret default/a-1",
      "  apply ConfigMap default/b: nothing but the version",
      '  update ConfigMap default/a: data.at "1" → "2"',
    ].join("\n"),
  );
});

test("a status is named as such, and values of Secrets are told to nobody", async () => {
  await using cluster = await startCluster();
  const template = {
    metadata: { labels: { app: "a" } },
    spec: { containers: [{ name: "web", image: "nginx" }] },
  };
  const selector = { matchLabels: { app: "a" } };
  await cluster.client.create(Deployment, { metadata: { name: "a" }, spec: { selector, template } });
  await cluster.client.create(Secret, { metadata: { name: "a" } });
  let times = 0;
  const counting = controller({
    name: "deployment",
    for: Deployment,
    when: specOrMetadataChanged,
    async reconcile(key, { client }) {
      times += 1;
      await client.applyStatus(Deployment, key, { replicas: times });
      await client.patch(Secret, key, { merge: { stringData: { times: `${times}` } } });
    },
  });
  await expect(expectIdempotent(cluster, { controllers: [counting] })).rejects.toThrow(
    [
      "expected nothing to be written when everything is reconciled again, got 2 writes:",
      "  apply status Deployment default/a: status.replicas 1 → 2",
      "  patch Secret default/a: data.times a value → a value",
    ].join("\n"),
  );
});

test("who fails is waited for, and is idempotent when it comes to rest", async () => {
  let failures = 0;
  const shaky: Reconcile = async (map, { client }) => {
    failures += 1;
    if (failures <= 3) throw new Error("not yet");
    await client.apply(Secret, { metadata: { name: map.metadata.name } }, { owner: map });
  };
  expect(await told(shaky)).toBe("idempotent");
});

test("who never comes to rest is told so, with why", async () => {
  const clock = new VirtualClock();
  await using cluster = await startCluster({ clock });
  await cluster.client.create(ConfigMap, { metadata: { name: "a" } });
  const failing = reconciling(async (map, { client }) => {
    await client.apply(Secret, { metadata: { name: map.metadata.name } }, { owner: map });
    throw new Error("no such bucket");
  });
  const options = { controllers: [failing], clock, withinMs: 5000 };
  const told = expectIdempotent(cluster, options).catch((error: Error) => error.message);
  await clock.advance(6000);
  expect(await told).toBe(
    "controllers did not come to rest: expected every reconcile to succeed, got configmap default/a failing: " +
      "no such bucket; last written:\n  apply Secret default/a: created",
  );
});

test("what a silent watch keeps back is waited for", async () => {
  const clock = new VirtualClock();
  const silent = {
    on: { verb: "watch" as const, resource: "secrets" },
    which: { nth: 1 },
    fault: { type: "freeze" as const, afterEvents: 1 },
  };
  await using cluster = await startCluster({ clock, faults: [silent] });
  await cluster.client.create(ConfigMap, { metadata: { name: "a" } });
  const twoSteps = reconciling(async (map, { client, reasons }) => {
    const { name, annotations } = map.metadata;
    await client.apply(Secret, { metadata: { name } }, { owner: map });
    const isTold = reasons.some(({ kind }) => kind === "Secret");
    if (!isTold || annotations) return;
    await client.patch(ConfigMap, name, { merge: { metadata: { annotations: { secret: name } } } });
  });
  const told = expectIdempotent(cluster, { controllers: [twoSteps], clock, withinMs: 200_000 }).then(
    () => "idempotent",
    (error: Error) => error.message,
  );
  await clock.advance(200_000);
  expect(await told).toBe("idempotent");
});

test.each([
  ["before the caches are filled", 0],
  ["while something fails", 100],
])("a cluster that is closed %s ends it, with that", async (_when, ms) => {
  const clock = new VirtualClock();
  const cluster = await startCluster({ clock });
  await cluster.client.create(ConfigMap, { metadata: { name: "a" } });
  const failing = reconciling(() => Promise.reject(new Error("no such bucket")));
  const told = expectIdempotent(cluster, { controllers: [failing], clock }).catch((error: Error) => error);
  if (ms > 0) await clock.advance(ms);
  await cluster.close();
  await clock.advance(0);
  expect([await told, clock.timers]).toEqual([
    new Error("expected a cluster that stays until controllers are at rest, got one that was closed"),
    0,
  ]);
});

test("nothing of it runs on when it is over", async () => {
  await using cluster = await startCluster();
  const seen: string[] = [];
  const looking = reconciling(async ({ metadata }) => void seen.push(metadata.name));
  await cluster.client.create(ConfigMap, { metadata: { name: "a" } });
  await expectIdempotent(cluster, { controllers: [looking] });
  await cluster.client.create(ConfigMap, { metadata: { name: "b" } });
  await cluster.settled();
  expect(seen).toEqual(["a", "a"]);
});
