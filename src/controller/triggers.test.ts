import { expect, test } from "vitest";
import {
  type Kind,
  type KubeObject,
  keyText,
  metadataOnly,
  type ObjectKey,
  type OwnerReference,
} from "../api/index.ts";
import { ConfigMap, Namespace, Pod, Secret } from "../api/types/core/v1.ts";
import { asError } from "../base/index.ts";
import { Controlled } from "./controlled.fixture.ts";
import {
  type Context,
  type Controller,
  controller,
  labelsChanged,
  owns,
  type Predicate,
  TerminalError,
  type Trigger,
  watches,
} from "./index.ts";

/** A world whose ConfigMaps are reconciled by these triggers only, with a log of the reasons. */
async function triggered(...on: readonly Trigger[]): Promise<{ world: Controlled; log: string[] }> {
  const world = await Controlled.start();
  const log: string[] = [];
  const reconcile = async (key: ObjectKey, { reasons }: Context): Promise<void> => {
    for (const { event, key: of } of reasons) log.push(`${keyText(key)} ${event} ${of}`);
  };
  await world.run(controller({ name: "configmap", for: ConfigMap, when: () => false, on, reconcile }));
  return { world, log };
}

/** Returns the logged errors: the log message and the message of the error. */
function failures({ logged }: Controlled): unknown[][] {
  const errors = logged.filter(({ level }) => level === "error");
  return errors.map(({ message, fields }) => [message, asError(fields?.error).message]);
}

test("an owner is reconciled once for each event of an owned object: added, updated, deleted", async () => {
  const { world, log } = await triggered(owns(Secret));
  await using _ = world;
  const owner = await world.live.create(ConfigMap, { metadata: { name: "owner" } });
  await world.live.create(Secret, { metadata: { name: "child" } }, { owner });
  await world.settle();
  await world.live.patch(Secret, "child", { merge: { stringData: { x: "1" } } });
  await world.settle();
  await world.live.delete(Secret, "child");
  await world.settle();
  expect(log).toEqual(["added", "updated", "deleted"].map((event) => `default/owner ${event} default/child`));
});

test("a change of the owner reconciles both owners, and an unchanged owner is reconciled once", async () => {
  const { world, log } = await triggered(owns(Secret));
  await using _ = world;
  const reference = async (name: string): Promise<OwnerReference> => {
    const { metadata } = await world.live.create(ConfigMap, { metadata: { name } });
    return { apiVersion: "v1", kind: "ConfigMap", name, uid: metadata.uid, controller: true };
  };
  const [one, two] = [await reference("one"), await reference("two")];
  const give = async (owner: OwnerReference): Promise<string[]> => {
    await world.live.patch(Secret, "child", { merge: { metadata: { ownerReferences: [owner] } } });
    await world.settle();
    return log.splice(0);
  };
  await world.live.create(Secret, { metadata: { name: "child" } });
  expect(await give(one)).toEqual(["default/one updated default/child"]);
  expect(await give({ ...one, blockOwnerDeletion: true })).toEqual(["default/one updated default/child"]);
  expect((await give(two)).sort()).toEqual([
    "default/one updated default/child",
    "default/two updated default/child",
  ]);
});

test("owners that are not controllers are reconciled with anyOwner", async () => {
  const { world, log } = await triggered(owns(Secret, { anyOwner: true }));
  await using _ = world;
  const made = [];
  for (const name of ["one", "two"]) made.push(await world.live.create(ConfigMap, { metadata: { name } }));
  const ownerReferences = made.map(({ metadata: { name, uid } }) => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    name,
    uid,
  }));
  await world.live.create(Secret, { metadata: { name: "child", ownerReferences } });
  await world.settle();
  expect(log).toEqual(["default/one added default/child", "default/two added default/child"]);
});

test("a cluster-scoped owner is reconciled by its name", async () => {
  await using world = await Controlled.start();
  const keys: ObjectKey[] = [];
  const reconcile = async (key: ObjectKey): Promise<void> => void keys.push(key);
  await world.run(
    controller({ name: "namespace", for: Namespace, when: () => false, on: [owns(Secret)], reconcile }),
  );
  const owner = await world.live.create(Namespace, { metadata: { name: "tenant" } });
  await world.live.create(Secret, { metadata: { name: "child" } }, { owner });
  await world.settle();
  expect(keys).toEqual([{ name: "tenant" }]);
});

test("invalid owner references are ignored, and do not affect other events", async () => {
  const malformed: Record<string, unknown> = {
    a: "none",
    b: null,
    c: [null, 7, "x", {}],
    d: [{ apiVersion: "a/b/c", kind: "ConfigMap", name: "owner", uid: "1", controller: true }],
    e: [{ apiVersion: "v1", kind: "ConfigMap", name: "", uid: "", controller: true }],
    f: [{ apiVersion: "v1", kind: "ConfigMap", name: "x/y/z", uid: "1", controller: true }],
    g: { length: 1 },
  };
  /** Adds invalid owner references, as if the server had stored them. */
  const transform = (secret: Secret): Secret => {
    const ownerReferences = malformed[secret.metadata.name] ?? secret.metadata.ownerReferences;
    return { ...secret, metadata: { ...secret.metadata, ownerReferences } as Secret["metadata"] };
  };
  const { world, log } = await triggered(owns(Secret, { view: { transform } }));
  await using _ = world;
  for (const name of Object.keys(malformed)) await world.live.create(Secret, { metadata: { name } });
  const owner = await world.live.create(ConfigMap, { metadata: { name: "owner" } });
  await world.live.create(Secret, { metadata: { name: "child" } }, { owner });
  await world.clock.advance(1000);
  expect(log).toEqual(["default/owner added default/child"]);
  const { cache } = world.environment;
  expect(cache.owned(Secret, owner).map(({ metadata }) => metadata.name)).toEqual(["child"]);
  expect([...cache.of(Secret).keys()].length).toBe(8);
  expect(failures(world)).toEqual([]);
});

test("owned objects are found by owner also for a watched kind, before and after the first lookup", async () => {
  const { world } = await triggered(watches(Secret, () => []));
  await using _ = world;
  const owner = await world.live.create(ConfigMap, { metadata: { name: "owner" } });
  const names = (): string[] =>
    world.environment.cache.owned(Secret, owner).map(({ metadata }) => metadata.name);
  const seen: string[][] = [];
  for (const name of ["one", "two"]) {
    await world.live.create(Secret, { metadata: { name } }, { owner });
    await world.settle();
    seen.push(names());
  }
  expect(seen).toEqual([["one"], ["one", "two"]]);
});

test("a key that a mapper returns several times is reconciled once for the event", async () => {
  const map = ({ metadata }: KubeObject): ObjectKey[] =>
    ["x", "y", "x"].map((name) => ({ namespace: metadata.namespace, name }));
  const { world, log } = await triggered(watches(Secret, map));
  await using _ = world;
  await world.live.create(Secret, { metadata: { name: "s" } });
  await world.settle();
  await world.live.patch(Secret, "s", { merge: { stringData: { x: "1" } } });
  await world.settle();
  expect(log).toEqual(
    ["added", "updated"].flatMap((event) => [`default/x ${event} default/s`, `default/y ${event} default/s`]),
  );
});

test("a mapper or predicate that throws is reported, and other events are delivered", async () => {
  const fail = (secret: KubeObject): string[] => {
    if (secret.metadata.name === "bad") throw new Error("cannot map");
    return ["default/x"];
  };
  const doubt: Predicate<Secret> = ({ key }) => {
    if (key === "default/worse") throw new Error("cannot tell");
    return true;
  };
  const { world, log } = await triggered(watches(Secret, fail, { when: doubt }));
  await using _ = world;
  for (const name of ["bad", "worse", "good"]) await world.live.create(Secret, { metadata: { name } });
  await world.settle();
  expect(log).toEqual(["default/x added default/good"]);
  expect(failures(world).map(([, error]) => error)).toEqual(["cannot map", "cannot tell"]);
});

test("a predicate applies only to its own kind, and does not filter the cache", async () => {
  const always = (name: string) => (): string[] => [`default/${name}`];
  const { world, log } = await triggered(
    watches(Secret, always("secret"), { when: () => false }),
    watches(ConfigMap, always("map"), { when: labelsChanged }),
  );
  await using _ = world;
  await world.live.create(Secret, { metadata: { name: "s" } });
  await world.live.create(ConfigMap, { metadata: { name: "m" } });
  await world.settle();
  expect(log).toEqual(["default/map added default/m"]);
  expect(world.environment.cache.of(Secret).get("default/s")?.metadata.name).toBe("s");
});

test("mappers of a metadata-only kind receive PartialObjectMetadata", async () => {
  const seen: unknown[] = [];
  const map = (object: KubeObject): string[] => {
    const { apiVersion, kind, metadata, ...rest } = object;
    seen.push([apiVersion, kind, metadata.namespace, metadata.name, metadata.labels, rest]);
    return [];
  };
  const { world } = await triggered(watches(metadataOnly(Secret), map));
  await using _ = world;
  await world.live.create(Secret, { metadata: { name: "s", labels: { x: "1" } }, stringData: { a: "b" } });
  await world.settle();
  expect(seen).toEqual([["meta.k8s.io/v1", "PartialObjectMetadata", "default", "s", { x: "1" }, {}]]);
});

test("a missed delete reconciles the owner after the relist", async () => {
  const watching = { verb: "watch" as const, resource: "secrets" };
  const faults = [{ on: watching, which: { first: 1 }, fault: { type: "expire" as const, afterEvents: 2 } }];
  await using world = await Controlled.start({ faults });
  const log: string[] = [];
  const reconcile = async ({ name }: ObjectKey, { reasons }: Context): Promise<void> => {
    log.push(`${name} ${reasons.map(({ event }) => event)}`);
  };
  const owner = await world.live.create(ConfigMap, { metadata: { name: "owner" } });
  await world.live.create(Secret, { metadata: { name: "child" } }, { owner });
  await world.run(
    controller({ name: "configmap", for: ConfigMap, when: () => false, on: [owns(Secret)], reconcile }),
  );
  await world.live.delete(Secret, "child");
  await world.clock.advance(30_000);
  expect(log).toEqual(["owner added", "owner deleted"]);
});

test("changes are reconciled before initial adds and resyncs", async () => {
  await using world = await Controlled.start();
  const order: string[] = [];
  const reconcile = async ({ name }: ObjectKey, { reasons }: Context): Promise<void> => {
    order.push(`${name} ${reasons.map(({ event }) => event)}`);
    await new Promise<void>((resolve) => void world.clock.timer(100, resolve));
  };
  for (const name of ["a", "b", "c"]) await world.live.create(ConfigMap, { metadata: { name } });
  await world.run(controller({ name: "configmap", for: ConfigMap, reconcile, view: { resyncMs: 10_000 } }));
  await world.live.create(ConfigMap, { metadata: { name: "new" } });
  await world.clock.advance(1000);
  expect(order.splice(0)).toEqual(["a added", "new added", "b added", "c added"]);
  await world.clock.advance(9000);
  await world.live.patch(ConfigMap, "new", { merge: { data: { x: "1" } } });
  await world.clock.advance(1000);
  expect(order.map((line) => line.split(" ")[0])).toEqual(["a", "new", "b", "c"]);
});

test("at most `concurrency` keys are reconciled at a time", async () => {
  await using world = await Controlled.start();
  const now = new Set<string>();
  const seen: string[] = [];
  const reconcile = async ({ name }: ObjectKey): Promise<void> => {
    now.add(name);
    seen.push([...now].join(""));
    await new Promise<void>((resolve) => void world.clock.timer(100, resolve));
    now.delete(name);
  };
  for (const name of ["a", "b", "c", "d", "e"]) await world.live.create(ConfigMap, { metadata: { name } });
  await world.run(controller({ name: "configmap", for: ConfigMap, concurrency: 3, reconcile }));
  expect(seen).toEqual(["a", "ab", "abc"]);
  await world.clock.advance(100);
  expect([seen.length, Math.max(...seen.map(({ length }) => length))]).toEqual([5, 3]);
  await world.clock.advance(100);
});

test("two controllers of one kind do not affect each other", async () => {
  await using world = await Controlled.start();
  const log: string[] = [];
  const failing = controller({
    name: "failing",
    for: ConfigMap,
    reconcile: async () => {
      log.push("failing");
      throw new TerminalError("no");
    },
  });
  const fine = controller({
    name: "fine",
    for: ConfigMap,
    reconcile: async ({ name }) => void log.push(`fine ${name}`),
  });
  await world.live.create(ConfigMap, { metadata: { name: "a" } });
  await world.run(failing, fine);
  expect(log.sort()).toEqual(["failing", "fine a"]);
});

test("an invalid key is reported once, and not retried", async () => {
  const { world, log } = await triggered(watches(Secret, () => ["a/b/c", "", "default/x"]));
  await using _ = world;
  await world.live.create(Secret, { metadata: { name: "s" } });
  await world.clock.advance(60_000);
  expect(log).toEqual(["default/x added default/s"]);
  expect(failures(world)).toEqual(
    ["a/b/c", ""].map((text) => [
      "reconcile failed, not retried until the next event",
      `expected an object key like "name" or "namespace/name", got ${JSON.stringify(text)}`,
    ]),
  );
});

test("by default a change of the status reconciles an object of a shared kind, and not one of this program", async () => {
  await using world = await Controlled.start();
  const log: string[] = [];
  const phases = (name: string, kind: Kind<Pod>): Controller =>
    controller({
      name,
      for: kind,
      reconcile: async (key, { client }) =>
        void log.push(`${name} ${(await client.get(kind, key))?.status?.phase}`),
    });
  const containers = [{ name: "a", image: "a" }];
  await world.live.create(Pod, { metadata: { name: "a" }, spec: { containers } });
  await world.run(phases("shared", Pod), phases("ours", { ...Pod, definedHere: true }));
  await world.live.patch(Pod, "a", { merge: { status: { phase: "Running" } } }, { subresource: "status" });
  await world.settle();
  expect(log.toSorted()).toEqual(["ours Pending", "shared Pending", "shared Running"]);
});
