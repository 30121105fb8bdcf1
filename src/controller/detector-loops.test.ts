import { expect, test } from "vitest";
import { Deployment } from "../api/types/apps/v1.ts";
import { ConfigMap, Secret, Service } from "../api/types/core/v1.ts";
import { prometheus } from "../base/index.ts";
import { Controlled } from "./controlled.fixture.ts";
import { controller, owns, watches } from "./index.ts";

test("a write whose echo causes the same write is reported with its field and values", async () => {
  await using world = await Controlled.start();
  let turns = 0;
  await world.live.create(ConfigMap, { metadata: { name: "a" } });
  await world.run(
    controller({
      for: ConfigMap,
      name: "stamps",
      async reconcile(key, { client }) {
        if (turns === 30) return;
        turns += 1;
        await client.patch(ConfigMap, key, { merge: { data: { at: `${turns}` } } });
      },
    }),
  );
  while (turns < 30) await world.settle();
  await world.settle();
  expect([turns, world.warnings]).toEqual([
    30,
    [
      {
        message:
          "reconcile triggers itself: its write returns as an event, and the next reconcile writes the same fields",
        controller: "stamps",
        cause: "loop",
        key: "default/a",
        write: "patch ConfigMap default/a",
        times: 10,
        changed: ['data.at: "11" → "12"'],
        advice:
          "write only differences: compare with the object that was read, keep times and counters out of objects, " +
          "or filter such events with `when`",
      },
    ],
  ]);
});

test("a timestamp written into the status of a shared kind is reported as a loop, with the predicate that ends it", async () => {
  await using world = await Controlled.start();
  let turns = 0;
  const labels = { app: "a" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "a", image: "a" }] } };
  const spec = { selector: { matchLabels: labels }, template };
  await world.live.create(Deployment, { metadata: { name: "a" }, spec });
  await world.run(
    controller({
      for: Deployment,
      name: "deployments",
      async reconcile(key, { client }) {
        if (turns === 20) return;
        turns += 1;
        const lastUpdateTime = `2026-01-01T00:00:${turns + 10}Z`;
        await client.applyStatus(Deployment, key, {
          conditions: [{ type: "Progressing", status: "True", lastUpdateTime }],
        });
      },
    }),
  );
  while (turns < 20) await world.settle();
  await world.settle();
  expect(world.warnings).toEqual([
    {
      message:
        "reconcile triggers itself: its write returns as an event, and the next reconcile writes the same fields",
      controller: "deployments",
      cause: "loop",
      key: "default/a",
      write: "apply status Deployment default/a",
      times: 10,
      changed: ['status.conditions[0].lastUpdateTime: "2026-01-01T00:00:21Z" → "2026-01-01T00:00:22Z"'],
      advice:
        "write only differences: compare with the object that was read, keep times and counters out of objects, " +
        "or ignore status changes with `when: specOrMetadataChanged`",
    },
  ]);
});

test("a write that changes only the resource version is reported as such", async () => {
  await using world = await Controlled.start();
  let turns = 0;
  await world.live.create(ConfigMap, { metadata: { name: "a" } });
  await world.run(
    controller({
      for: ConfigMap,
      name: "managers",
      on: [owns(Secret)],
      async reconcile(key, { client }) {
        const map = await client.get(ConfigMap, key);
        if (!map || turns === 15) return;
        turns += 1;
        const fieldManager = `replica-${turns}`;
        await client.apply(Secret, { metadata: { ...key }, type: "Opaque" }, { owner: map, fieldManager });
      },
    }),
  );
  while (turns < 15) await world.settle();
  await world.settle();
  expect([turns, world.warnings]).toEqual([
    15,
    [
      {
        message:
          "reconcile triggers itself: its write changes only the resource version, returns as an event, and is repeated",
        controller: "managers",
        cause: "no-op",
        key: "default/a",
        write: "apply Secret default/a",
        times: 10,
        advice: "write only if something differs, and always with the same field manager",
      },
    ],
  ]);
});

test("an object that is repeatedly deleted and created is reported", async () => {
  await using world = await Controlled.start();
  let turns = 0;
  await world.live.create(ConfigMap, { metadata: { name: "a" } });
  await world.run(
    controller({
      name: "configmap",
      for: ConfigMap,
      on: [owns(Secret)],
      async reconcile(key, { client }) {
        const map = await client.get(ConfigMap, key);
        if (!map || turns === 15) return;
        turns += 1;
        await client.delete(Secret, key);
        await client.create(Secret, { metadata: { ...key } }, { owner: map });
      },
    }),
  );
  while (turns < 15) await world.settle();
  await world.settle();
  expect([turns, world.warnings]).toEqual([
    15,
    [
      {
        message:
          "reconcile triggers itself: it deletes an object and creates it again, and both return as events",
        controller: "configmap",
        cause: "loop",
        key: "default/a",
        write: "create Secret default/a",
        times: 10,
        advice: "update the object instead, or delete it only if an immutable field differs",
      },
    ],
  ]);
});

test("an endless creation of objects is reported", async () => {
  await using world = await Controlled.start();
  let turns = 0;
  await world.live.create(ConfigMap, { metadata: { name: "a" } });
  await world.run(
    controller({
      name: "configmap",
      for: ConfigMap,
      on: [owns(Secret)],
      async reconcile(key, { client }) {
        const map = await client.get(ConfigMap, key);
        if (!map || turns === 205) return;
        turns += 1;
        await client.create(Secret, { metadata: { generateName: `${key.name}-` } }, { owner: map });
      },
    }),
  );
  while (turns < 205) await world.settle();
  await world.settle();
  expect(world.warnings).toEqual([
    {
      message:
        "reconcile triggers itself: it creates an object, which returns as an event, and creates another",
      controller: "configmap",
      cause: "loop",
      key: "default/a",
      times: 200,
      advice: "derive object names from their owner, or count the existing objects before creating more",
    },
  ]);
});

test("values of Secrets are not reported", async () => {
  await using world = await Controlled.start();
  let turns = 0;
  await world.live.create(Secret, { metadata: { name: "a" } });
  await world.run(
    controller({
      name: "secret",
      for: Secret,
      async reconcile(key, { client }) {
        if (turns === 15) return;
        turns += 1;
        const data = { token: Buffer.from(`${turns}`).toString("base64") };
        await client.patch(Secret, key, { merge: { data } });
      },
    }),
  );
  while (turns < 15) await world.settle();
  await world.settle();
  expect(world.warnings.map(({ changed }) => changed)).toEqual([["data.token: a value → a value"]]);
});

test("a key that requeues itself too often is reported, one that waits is not", async () => {
  await using world = await Controlled.start();
  await world.live.create(ConfigMap, { metadata: { name: "a" } });
  await world.live.create(Secret, { metadata: { name: "b" } });
  await world.run(
    controller({ name: "configmap", for: ConfigMap, reconcile: async () => ({ requeueAfterMs: 50 }) }),
    controller({ name: "secret", for: Secret, reconcile: async () => ({ requeueAfterMs: 1000 }) }),
  );
  await world.clock.advance(120_000);
  expect(world.warnings).toEqual([
    {
      message: "key is requeued too often by its own reconcile",
      controller: "configmap",
      cause: "requeues",
      key: "default/a",
      times: 100,
      withinMs: 4950,
      requeueAfterMs: 50,
      advice:
        "requeue later, or use events instead of polling: `owns` and `watches` for objects, `external` for everything else",
    },
  ]);
});

test("each loop is counted by controller and cause, and a cause is reported once for all objects", async () => {
  const metrics = prometheus();
  await using world = await Controlled.start({ metrics });
  const turns = new Map<string, number>();
  for (const name of ["a", "b"]) await world.live.create(ConfigMap, { metadata: { name } });
  await world.run(
    controller({
      name: "configmap",
      for: ConfigMap,
      async reconcile(key, { client }) {
        const turn = (turns.get(key.name) ?? 0) + 1;
        turns.set(key.name, turn);
        if (turn <= 14) await client.patch(ConfigMap, key, { merge: { data: { at: `${turn}` } } });
      },
    }),
  );
  while ([...turns.values()].some((turn) => turn < 15)) await world.settle();
  const counted = (await metrics.text())
    .split("\n")
    .filter((line) => line.startsWith("trimtab_detector_findings_total"));
  expect([world.warnings.length, counted]).toEqual([
    1,
    [
      'trimtab_detector_findings_total{controller="configmap",cause="loop"} 6',
      'trimtab_detector_findings_total{controller="configmap",cause="no-op"} 0',
      'trimtab_detector_findings_total{controller="configmap",cause="defaulting"} 0',
      'trimtab_detector_findings_total{controller="configmap",cause="fight"} 0',
      'trimtab_detector_findings_total{controller="configmap",cause="conflicts"} 0',
      'trimtab_detector_findings_total{controller="configmap",cause="requeues"} 0',
      'trimtab_detector_findings_total{controller="configmap",cause="unowned"} 0',
    ],
  ]);
});

test("creating many objects one by one and counting them in between is not reported", async () => {
  await using world = await Controlled.start();
  await world.live.create(ConfigMap, { metadata: { name: "a" }, data: { secrets: "60" } });
  await world.run(
    controller({
      name: "configmap",
      for: ConfigMap,
      on: [owns(Secret)],
      async reconcile(key, { client, cache }) {
        const map = await client.get(ConfigMap, key);
        if (!map) return;
        const { length } = cache.owned(Secret, map);
        if (length === Number(map.data?.secrets)) return;
        await client.create(Secret, { metadata: { name: `a-${length}` } }, { owner: map });
        const annotations = { made: `${length + 1}` };
        await client.patch(ConfigMap, key, { merge: { metadata: { annotations } } });
      },
    }),
  );
  for (let made = 0; made < 60; made = (await world.live.list(Secret)).length) await world.settle();
  await world.settle();
  expect(world.warnings).toEqual([]);
});

test("repeated applies of the same object are not reported, even if other writers change it", async () => {
  await using world = await Controlled.start();
  await world.live.create(ConfigMap, { metadata: { name: "a" } });
  await world.run(
    controller({
      name: "configmap",
      for: ConfigMap,
      on: [owns(Secret), watches(Service, () => ["default/a"])],
      async reconcile(key, { client }) {
        const map = await client.get(ConfigMap, key);
        if (map) await client.apply(Secret, { metadata: { ...key }, type: "Opaque" }, { owner: map });
      },
    }),
  );
  for (let times = 1; times <= 30; times += 1) {
    const annotations = { times: `${times}` };
    await world.live.patch(Secret, "a", { merge: { metadata: { annotations } } }, { fieldManager: "other" });
    await world.settle();
  }
  expect(world.warnings).toEqual([]);
});

test("an object of an owned kind that is applied without an owner is reported once", async () => {
  await using world = await Controlled.start();
  for (const name of ["a", "b"]) await world.live.create(ConfigMap, { metadata: { name } });
  await world.run(
    controller({
      name: "configmap",
      for: ConfigMap,
      on: [owns(Secret)],
      async reconcile(key, { client }) {
        const owner = await client.get(ConfigMap, key);
        if (!owner) return;
        await client.apply(Secret, { metadata: { name: `${key.name}-owned` } }, { owner });
        await client.apply(Service, { metadata: { name: key.name }, spec: { ports: [{ port: 80 }] } });
        await client.apply(Secret, { metadata: { ...key } });
      },
    }),
  );
  await world.settle();
  expect(world.warnings).toEqual([
    {
      message: "controller declares `owns` of a kind but writes an object of it without an owner",
      controller: "configmap",
      cause: "unowned",
      key: "default/a",
      write: "apply Secret default/a",
      advice:
        "pass `{ owner }` to `apply` and `create`, so that changes of the object reconcile its owner, and deleting the owner deletes it; " +
        "or use `watches` instead of `owns`",
    },
  ]);
});
