import { type Controller, controller, owns, specOrMetadataChanged, watches } from "trimtab";
import { metadataOnly, type New } from "trimtab/api";
import { Deployment } from "trimtab/api/apps/v1";
import { Lease } from "trimtab/api/coordination/v1";
import { ConfigMap, Pod, Secret } from "trimtab/api/core/v1";
import { atWork, Notes, whyOf } from "../at-work.ts";
import { scenario } from "../scenario.ts";

scenario("each change of an object and of the objects it owns reconciles it once", async (stage) => {
  const { client, signal, expect } = stage;
  const notes = new Notes();
  const maps = controller({
    name: "configmap",
    for: ConfigMap,
    on: [owns(Secret)],
    reconcile: async (key, context) => notes.add(`${key.name}: ${whyOf(context)}`),
  });
  const before = await client.create(ConfigMap, { metadata: { name: "before" } });
  await using _work = await atWork(stage, [maps]);
  expect(before.metadata.name).toBe("before");
  const nextNote = async (): Promise<string> => {
    for (;;) {
      const note = await notes.next(signal);
      if (!note.includes("kube-root-ca.crt")) return note; // created by the cluster itself
    }
  };
  expect(await nextNote()).toBe("before: added ConfigMap before");
  const owner = await client.create(ConfigMap, { metadata: { name: "a" } });
  expect(await nextNote()).toBe("a: added ConfigMap a");
  await client.patch(ConfigMap, "a", { merge: { data: { x: "1" } } });
  expect(await nextNote()).toBe("a: updated ConfigMap a");
  await client.create(Secret, { metadata: { name: "child" } }, { owner });
  expect(await nextNote()).toBe("a: added Secret child");
  await client.patch(Secret, "child", { merge: { stringData: { x: "1" } } });
  expect(await nextNote()).toBe("a: updated Secret child");
  await client.delete(Secret, "child");
  expect(await nextNote()).toBe("a: deleted Secret child");
  await client.delete(ConfigMap, "a");
  expect(await nextNote()).toBe("a: deleted ConfigMap a");
  expect(notes.left.filter((note) => !note.includes("kube-root-ca.crt"))).toEqual([]);
});

scenario("a controller for Pods sees Pods become Running by default", async (stage) => {
  const { client, signal, expect } = stage;
  const phases = new Notes();
  const pods = controller({
    name: "pods",
    for: Pod,
    async reconcile(key, context) {
      const pod = await context.client.get(Pod, key);
      phases.add(`${pod?.status?.phase} generation ${pod?.metadata.generation}`);
    },
  });
  await client.create(Pod, { metadata: { name: "a" }, spec: { containers: [{ name: "a", image: "a" }] } });
  await using _work = await atWork(stage, [pods]);
  expect(await phases.next(signal)).toBe("Pending generation 1");
  await client.patch(Pod, "a", { merge: { status: { phase: "Running" } } }, { subresource: "status" });
  expect(await phases.next(signal)).toBe("Running generation 1");
});

scenario("with specOrMetadataChanged a status write does not reconcile the object", async (stage) => {
  const { client, signal, expect } = stage;
  const notes = new Notes();
  const deployments = controller({
    name: "deployment",
    for: Deployment,
    when: specOrMetadataChanged,
    reconcile: async (_key, context) =>
      notes.add(context.reasons.flatMap(({ event, changed }) => [event, ...changed]).join(" ")),
  });
  await client.create(Deployment, web(1));
  await using _work = await atWork(stage, [deployments]);
  expect(await notes.next(signal)).toBe("added");
  await client.applyStatus(Deployment, "web", { replicas: 1 });
  await client.patch(Deployment, "web", { merge: { spec: { replicas: 2 } } });
  const changed = (await notes.next(signal)).split(" ");
  expect(changed).toEqual(["updated", "metadata.generation", "spec.replicas"]);
  expect(notes.left).toEqual([]);
});

scenario("cached objects have their kind, and equal the server's objects", async (stage) => {
  const { client, expect } = stage;
  await client.create(ConfigMap, { metadata: { name: "listed", labels: { of: "us" } }, data: { x: "1" } });
  const maps = controller({
    name: "configmap",
    for: ConfigMap,
    view: { labels: { of: "us" } },
    reconcile: async () => {},
  });
  await using work = await atWork(stage, [maps]);
  const [cached] = work.manager.cache.of(ConfigMap).list();
  const [listed] = await client.list(ConfigMap, { labels: { of: "us" } });
  expect(cached).toEqual(listed);
  expect([cached?.apiVersion, cached?.kind]).toEqual(["v1", "ConfigMap"]);
});

scenario("a reconcile reads its own updates, creates and deletes", async (stage) => {
  const { client, signal, expect } = stage;
  const notes = new Notes();
  const maps = controller({
    name: "configmap",
    for: ConfigMap,
    view: { labels: { of: "us" } },
    on: [owns(Secret)],
    async reconcile(key, context) {
      const map = await context.client.get(ConfigMap, key);
      if (!map || map.data?.x) return;
      await context.client.patch(ConfigMap, key, { merge: { data: { x: "1" } } });
      notes.add(`changed: ${(await context.client.get(ConfigMap, key))?.data?.x}`);
      const metadata = { name: "child", namespace: key.namespace };
      const child = await context.client.create(Secret, { metadata }, { owner: map });
      notes.add(`made: ${context.cache.owned(Secret, map).length}`);
      await context.client.delete(Secret, child);
      notes.add(`deleted: ${context.cache.owned(Secret, map).length}`);
    },
  });
  await using _work = await atWork(stage, [maps]);
  await client.create(ConfigMap, { metadata: { name: "a", labels: { of: "us" } } });
  for (const note of ["changed: 1", "made: 1", "deleted: 0"]) expect(await notes.next(signal)).toBe(note);
});

scenario("a finalizer is set before the first reconcile, and removed after the cleanup", async (stage) => {
  const { client, signal, expect } = stage;
  const notes = new Notes();
  const maps = controller({
    name: "tidy",
    for: ConfigMap,
    view: { labels: { of: "us" } },
    async reconcile(key) {
      const map = await client.get(ConfigMap, key);
      notes.add(map ? `reconcile ${map.metadata.finalizers}` : "gone");
    },
    finalizer: "example.dev/tidy",
    async cleanup({ metadata }) {
      notes.add(`cleanup ${metadata.finalizers}`);
    },
  });
  await using _work = await atWork(stage, [maps]);
  await client.create(ConfigMap, { metadata: { name: "a", labels: { of: "us" } } });
  expect(await notes.next(signal)).toBe("reconcile example.dev/tidy");
  await client.delete(ConfigMap, "a");
  const rest: string[] = [];
  while (rest.at(-1) !== "gone") rest.push(await notes.next(signal));
  const end = ["cleanup example.dev/tidy", "gone"];
  expect(rest.slice(-2)).toEqual(end);
  expect(rest.slice(0, -2).every((note) => note === "reconcile example.dev/tidy")).toBe(true); // the echo of its own write
});

scenario("two controllers with finalizers each hold an object until their cleanup is done", async (stage) => {
  const { client, signal, expect } = stage;
  const notes = new Notes();
  const tidy = (name: string): Controller =>
    controller({
      name,
      for: ConfigMap,
      view: { labels: { of: "us" } },
      async reconcile(key) {
        const map = await client.get(ConfigMap, key);
        const finalizers = map?.metadata.finalizers ?? [];
        if (!map) notes.add("gone");
        else if (finalizers.length === 2) notes.add("held by both");
      },
      finalizer: `example.dev/${name}`,
      cleanup: async () => notes.add(`cleaned by ${name}`),
    });
  await using _work = await atWork(stage, [tidy("one"), tidy("two")]);
  await client.create(ConfigMap, { metadata: { name: "a", labels: { of: "us" } } });
  expect(await notes.next(signal)).toBe("held by both");
  await client.delete(ConfigMap, "a");
  const rest = new Set<string>();
  while (!rest.has("gone")) rest.add(await notes.next(signal));
  rest.delete("held by both"); // once for every change
  expect([...rest].sort()).toEqual(["cleaned by one", "cleaned by two", "gone"]);
});

scenario("owner references to absent objects have no effect", async (stage) => {
  const { client, signal, expect } = stage;
  const notes = new Notes();
  const maps = controller({
    name: "configmap",
    for: ConfigMap,
    when: () => false,
    on: [owns(Secret, { anyOwner: true })],
    reconcile: async (key, context) => notes.add(`${key.name}: ${whyOf(context)}`),
  });
  const owner = await client.create(ConfigMap, { metadata: { name: "owner" } });
  await using work = await atWork(stage, [maps]);
  const { uid } = owner.metadata;
  const odd = [
    { apiVersion: "v1", kind: "ConfigMap", name: "x/y/z", uid },
    { apiVersion: "v1", kind: "configmap", name: "owner", uid },
    { apiVersion: "absent.example.dev/v9", kind: "ConfigMap", name: "owner", uid },
  ];
  for (const [index, reference] of odd.entries()) {
    await client.create(Secret, { metadata: { name: `odd-${index}`, ownerReferences: [reference] } });
  }
  await client.create(Secret, { metadata: { name: "child" } }, { owner });
  expect(await notes.next(signal)).toBe("owner: added Secret child");
  expect([notes.left, work.warnings]).toEqual([[], []]);
});

scenario("a kind watched as metadata only is mapped by its metadata", async (stage) => {
  const { client, signal, expect } = stage;
  const notes = new Notes();
  const maps = controller({
    name: "configmap",
    for: ConfigMap,
    when: () => false,
    on: [
      watches(metadataOnly(Secret), ({ kind, metadata }) => {
        notes.add(`${kind} ${metadata.labels?.for}`);
        return [{ namespace: metadata.namespace, name: metadata.labels?.for ?? "" }];
      }),
    ],
    reconcile: async ({ name }) => notes.add(`reconcile ${name}`),
  });
  await using _work = await atWork(stage, [maps]);
  await client.create(Secret, { metadata: { name: "s", labels: { for: "a" } }, stringData: { x: "1" } });
  expect([await notes.next(signal), await notes.next(signal)]).toEqual([
    "PartialObjectMetadata a",
    "reconcile a",
  ]);
});

scenario("changes while no manager runs are reconciled by the next one", async (stage) => {
  const { client, signal, expect } = stage;
  const notes = new Notes();
  const maps = controller({
    name: "configmap",
    for: ConfigMap,
    view: { labels: { of: "us" } },
    reconcile: async (key, { cache }) =>
      notes.add(`${key.name} ${cache.of(ConfigMap).get(key)?.data?.x ?? "-"}`),
  });
  const metadata = { name: "a", labels: { of: "us" } };
  await client.create(ConfigMap, { metadata });
  {
    await using _first = await atWork(stage, [maps]);
    expect(await notes.next(signal)).toBe("a -");
  }
  await client.patch(ConfigMap, "a", { merge: { data: { x: "1" } } });
  await using _second = await atWork(stage, [maps]);
  expect(await notes.next(signal)).toBe("a 1");
});

scenario("of two managers with one lease one leads, and the other takes over after it", async (stage) => {
  const { client, signal, expect } = stage;
  const notes = new Notes();
  const replica = (identity: string): Promise<AsyncDisposable> => {
    const maps = controller({
      name: "configmap",
      for: ConfigMap,
      view: { labels: { of: "us" } },
      reconcile: async ({ name }) => notes.add(`${identity} ${name}`),
    });
    return atWork(stage, [maps], { leaderElection: { name: "operator", identity } });
  };
  const make = (name: string): Promise<unknown> =>
    client.create(ConfigMap, { metadata: { name, labels: { of: "us" } } });
  const one = await replica("one");
  await make("a");
  expect(await notes.next(signal)).toBe("one a");
  await using _two = await replica("two");
  await make("b");
  expect(await notes.next(signal)).toBe("one b");
  await one[Symbol.asyncDispose]();
  const rest = [await notes.next(signal), await notes.next(signal)];
  expect(rest.sort()).toEqual(["two a", "two b"]);
  expect((await client.get(Lease, "operator"))?.spec?.holderIdentity).toBe("two");
});

function web(replicas: number): New<Deployment> {
  const labels = { app: "web" };
  const containers = [{ name: "main", image: "registry.example/web:1" }];
  return {
    metadata: { name: "web" },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers } },
    },
  };
}
