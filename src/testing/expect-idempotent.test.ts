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

/** Returns a controller for existing ConfigMaps that owns Secrets. */
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

/** Returns the result of `expectIdempotent` for a controller on a cluster with two ConfigMaps. */
async function verdict(reconcile: Reconcile): Promise<string> {
  await using cluster = await startCluster();
  for (const name of ["a", "b"]) {
    await cluster.client.create(ConfigMap, { metadata: { name }, data: { at: "0" } });
  }
  return await expectIdempotent(cluster, { controllers: [reconciling(reconcile)] }).then(
    () => "idempotent",
    (error: Error) => error.message,
  );
}

test("a controller that writes only differences is idempotent", async () => {
  const apply: Reconcile = async (map, { client, events }) => {
    const { name } = map.metadata;
    events.normal(map, "Looked", "at every time");
    await client.apply(Secret, { metadata: { name }, type: "Opaque" }, { owner: map });
    const annotations = { secret: name };
    if (!map.metadata.annotations) {
      await client.patch(ConfigMap, name, { merge: { metadata: { annotations } } });
    }
  };
  expect(await verdict(apply)).toBe("idempotent");
});

test("the error names each write of the second run with the fields that it changed", async () => {
  let at = 0;
  const stamp: Reconcile = async ({ metadata, data }, { client, reasons }) => {
    if (!reasons.some(({ event }) => event === "added")) return;
    at += 1;
    await client.patch(ConfigMap, metadata.name, {
      merge: { data: { at: `${at}`, [`at-${at}`]: data?.at } },
    });
  };
  expect(await verdict(stamp)).toBe(
    [
      "expected nothing to be written when everything is reconciled again, got 2 writes:",
      '  patch ConfigMap default/a: data.at "1" → "3", data.at-3 nothing → "1"',
      '  patch ConfigMap default/b: data.at "2" → "4", data.at-4 nothing → "2"',
    ].join("\n"),
  );
});

test("the error also names creates, deletes, updates and applies that change only the resource version", async () => {
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
  expect(await verdict(restless)).toBe(
    [
      "expected nothing to be written when everything is reconciled again, got 4 writes:",
      "  create Secret default/a-2",
      "  delete Secret default/a-1",
      "  apply ConfigMap default/b: only the resource version",
      '  update ConfigMap default/a: data.at "1" → "2"',
    ].join("\n"),
  );
});

test("status writes are named as such, and values of Secrets are not printed", async () => {
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

test("failing reconciles are waited for, and the controller is idempotent once it settles", async () => {
  let failures = 0;
  const shaky: Reconcile = async (map, { client }) => {
    failures += 1;
    if (failures <= 3) throw new Error("not yet");
    await client.apply(Secret, { metadata: { name: map.metadata.name } }, { owner: map });
  };
  expect(await verdict(shaky)).toBe("idempotent");
});

test("controllers that never settle are an error with the reason", async () => {
  const clock = new VirtualClock();
  await using cluster = await startCluster({ clock });
  await cluster.client.create(ConfigMap, { metadata: { name: "a" } });
  const failing = reconciling(async (map, { client }) => {
    await client.apply(Secret, { metadata: { name: map.metadata.name } }, { owner: map });
    throw new Error("no such bucket");
  });
  const options = { controllers: [failing], clock, withinMs: 5000 };
  const message = await expectIdempotent(cluster, options).catch((error: Error) => error.message);
  expect(message).toBe(
    "controllers did not settle: expected every reconcile to succeed, got configmap default/a failing: " +
      "no such bucket; last written:\n  apply Secret default/a: created",
  );
});

test("events that a frozen watch withholds are waited for", async () => {
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
    const isNotified = reasons.some(({ kind }) => kind === "Secret");
    if (!isNotified || annotations) return;
    await client.patch(ConfigMap, name, { merge: { metadata: { annotations: { secret: name } } } });
  });
  await expectIdempotent(cluster, { controllers: [twoSteps], clock, withinMs: 200_000 });
});

test.each([
  ["before the caches have synced", 0],
  ["while a reconcile fails", 100],
])("closing the cluster %s rejects with that reason", async (_when, ms) => {
  const clock = new VirtualClock();
  const cluster = await startCluster({ clock });
  await cluster.client.create(ConfigMap, { metadata: { name: "a" } });
  const failing = reconciling(() => Promise.reject(new Error("no such bucket")));
  const failure = expectIdempotent(cluster, { controllers: [failing], clock }).catch((error: Error) => error);
  if (ms > 0) await clock.advance(ms);
  await cluster.close();
  await clock.advance(0);
  expect([await failure, clock.timers]).toEqual([
    new Error("expected the cluster to stay open until the controllers have settled, got closed"),
    0,
  ]);
});

test("on a virtual clock, controllers that wait for a slow server are idempotent too", async () => {
  const clock = new VirtualClock();
  const slow = { on: { verb: "list" as const }, fault: { type: "delay" as const, ms: 30_000 } };
  await using cluster = await startCluster({ clock, faults: [slow] });
  await cluster.client.create(ConfigMap, { metadata: { name: "a" } });
  const applying = reconciling(async (map, { client }) => {
    const { name } = map.metadata;
    await client.apply(Secret, { metadata: { name }, type: "Opaque" }, { owner: map });
  });
  await expectIdempotent(cluster, { controllers: [applying], withinMs: 100_000 });
});

test("the controllers stop when expectIdempotent resolves", async () => {
  await using cluster = await startCluster();
  const seen: string[] = [];
  const recording = reconciling(async ({ metadata }) => void seen.push(metadata.name));
  await cluster.client.create(ConfigMap, { metadata: { name: "a" } });
  await expectIdempotent(cluster, { controllers: [recording] });
  await cluster.client.create(ConfigMap, { metadata: { name: "b" } });
  await cluster.settled();
  expect(seen).toEqual(["a", "a"]);
});
