import { expect, test } from "vitest";
import { kind, type OwnerReference } from "../../api/index.ts";
import { CustomResourceDefinition } from "../../api/types/apiextensions/v1.ts";
import { ConfigMap, Event, Namespace, Secret } from "../../api/types/core/v1.ts";
import { VirtualClock } from "../../base/index.ts";
import { type Cluster, startCluster } from "../../testing/index.ts";
import { workloads } from "../workloads.ts";

async function start(): Promise<Cluster> {
  const cluster = await startCluster({ workloads: ["gc"], clock: new VirtualClock() });
  await cluster.advance(0);
  return cluster;
}

function ownerOf(object: ConfigMap, options: Partial<OwnerReference> = {}): OwnerReference {
  const { name, uid } = object.metadata;
  return { apiVersion: "v1", kind: "ConfigMap", name, uid, blockOwnerDeletion: true, ...options };
}

interface Draft {
  readonly name: string;
  readonly owners?: readonly OwnerReference[];
  readonly finalizers?: readonly string[];
  readonly namespace?: string;
}

function createMap(
  { client }: Cluster,
  { name, owners = [], finalizers = [], namespace }: Draft,
): Promise<ConfigMap> {
  const metadata = { name, namespace, ownerReferences: [...owners], finalizers: [...finalizers] };
  return client.create(ConfigMap, { metadata });
}

/** The names of the ConfigMaps of all tests, without that of the cluster. */
async function names({ client }: Cluster, namespace = "default"): Promise<string[]> {
  const maps = await client.list(ConfigMap, { namespace });
  return maps.map(({ metadata }) => metadata.name).filter((name) => name !== "kube-root-ca.crt");
}

test("dependents of a deleted owner are deleted, and theirs", async () => {
  await using cluster = await start();
  const owner = await createMap(cluster, { name: "owner" });
  const child = await createMap(cluster, { name: "child", owners: [ownerOf(owner)] });
  await createMap(cluster, { name: "grandchild", owners: [ownerOf(child)] });
  await createMap(cluster, { name: "other" });
  await cluster.client.delete(ConfigMap, "owner", { propagation: "Background" });
  expect(await names(cluster)).toEqual(["child", "grandchild", "other"]);
  await cluster.advance(0);
  expect(await names(cluster)).toEqual(["other"]);
});

test("an owner deleted in the foreground waits for its blocking dependents", async () => {
  await using cluster = await start();
  const owner = await createMap(cluster, { name: "owner" });
  await createMap(cluster, { name: "held", owners: [ownerOf(owner)], finalizers: ["example.com/held"] });
  await createMap(cluster, { name: "free", owners: [ownerOf(owner)] });
  await cluster.client.delete(ConfigMap, "owner", { propagation: "Foreground" });
  await cluster.advance(1_000);
  const held = await cluster.client.get(ConfigMap, "owner");
  expect(held?.metadata.finalizers).toEqual(["foregroundDeletion"]);
  expect(await names(cluster)).toEqual(["held", "owner"]);
  await cluster.client.patch(ConfigMap, "held", { merge: { metadata: { finalizers: null } } });
  await cluster.advance(0);
  expect(await names(cluster)).toEqual([]);
});

test("a dependent that does not block is deleted after an owner deleted in the foreground", async () => {
  await using cluster = await start();
  const owner = await createMap(cluster, { name: "owner" });
  const owners = [ownerOf(owner, { blockOwnerDeletion: false })];
  await createMap(cluster, { name: "held", owners, finalizers: ["example.com/held"] });
  await cluster.client.delete(ConfigMap, "owner", { propagation: "Foreground" });
  await cluster.advance(0);
  expect(await names(cluster)).toEqual(["held"]);
  expect((await cluster.client.get(ConfigMap, "held"))?.metadata.deletionTimestamp).toBeDefined();
});

test("foreground deletion goes down to the dependents of dependents", async () => {
  await using cluster = await start();
  const owner = await createMap(cluster, { name: "owner" });
  const child = await createMap(cluster, { name: "child", owners: [ownerOf(owner)] });
  const owners = [ownerOf(child)];
  await createMap(cluster, { name: "grandchild", owners, finalizers: ["example.com/held"] });
  await cluster.client.delete(ConfigMap, "owner", { propagation: "Foreground" });
  await cluster.advance(1_000);
  expect((await cluster.client.get(ConfigMap, "child"))?.metadata.finalizers).toEqual(["foregroundDeletion"]);
  await cluster.client.patch(ConfigMap, "grandchild", { merge: { metadata: { finalizers: null } } });
  await cluster.advance(0);
  expect(await names(cluster)).toEqual([]);
});

test("orphans lose the owner and stay", async () => {
  await using cluster = await start();
  const owner = await createMap(cluster, { name: "owner" });
  const other = await createMap(cluster, { name: "other" });
  await createMap(cluster, { name: "child", owners: [ownerOf(owner)] });
  await createMap(cluster, { name: "shared", owners: [ownerOf(owner), ownerOf(other)] });
  await cluster.client.delete(ConfigMap, "owner", { propagation: "Orphan" });
  await cluster.advance(0);
  expect(await names(cluster)).toEqual(["child", "other", "shared"]);
  expect((await cluster.client.get(ConfigMap, "child"))?.metadata.ownerReferences).toBeUndefined();
  expect((await cluster.client.get(ConfigMap, "shared"))?.metadata.ownerReferences).toEqual([ownerOf(other)]);
});

test("objects that own each other are deleted, also in the foreground", async () => {
  for (const propagation of ["Background", "Foreground"] as const) {
    await using cluster = await start();
    const first = await createMap(cluster, { name: "first" });
    const second = await createMap(cluster, { name: "second", owners: [ownerOf(first)] });
    await cluster.client.patch(ConfigMap, "first", {
      merge: { metadata: { ownerReferences: [ownerOf(second)] } },
    });
    await cluster.client.delete(ConfigMap, "first", { propagation });
    await cluster.advance(1_000);
    expect(await names(cluster), propagation).toEqual([]);
  }
});

test("an object with several owners stays until the last is gone", async () => {
  await using cluster = await start();
  const owners = [await createMap(cluster, { name: "a" }), await createMap(cluster, { name: "b" })];
  await createMap(cluster, { name: "child", owners: owners.map((each) => ownerOf(each)) });
  await cluster.client.delete(ConfigMap, "a");
  await cluster.advance(0);
  const child = await cluster.client.get(ConfigMap, "child");
  expect(child?.metadata.ownerReferences?.map(({ name }) => name)).toEqual(["b"]);
  await cluster.client.delete(ConfigMap, "b");
  await cluster.advance(0);
  expect(await names(cluster)).toEqual([]);
});

test("an owner created again under its name is another owner", async () => {
  await using cluster = await start();
  const owner = await createMap(cluster, { name: "owner" });
  await cluster.client.delete(ConfigMap, "owner");
  await createMap(cluster, { name: "owner" });
  await createMap(cluster, { name: "child", owners: [ownerOf(owner)] });
  await cluster.advance(0);
  expect(await names(cluster)).toEqual(["owner"]);
});

test("an owner in another namespace does not count, and an event says so", async () => {
  await using cluster = await start();
  await cluster.client.create(Namespace, { metadata: { name: "shop" } });
  const owner = await createMap(cluster, { name: "owner", namespace: "shop" });
  await cluster.advance(0);
  await createMap(cluster, { name: "child", owners: [ownerOf(owner)] });
  await cluster.advance(1_000);
  expect(await names(cluster)).toEqual([]);
  const [event] = await cluster.client.list(Event);
  const { name, uid } = owner.metadata;
  expect([event?.involvedObject.kind, event?.reason, event?.message]).toEqual([
    "ConfigMap",
    "OwnerRefInvalidNamespace",
    `ownerRef [v1/ConfigMap, namespace: default, name: ${name}, uid: ${uid}] does not exist in namespace "default"`,
  ]);
});

test("an object of the cluster with an owner in a namespace stays, and an event says why", async () => {
  await using cluster = await start();
  const owner = await createMap(cluster, { name: "owner" });
  await cluster.client.create(Namespace, { metadata: { name: "shop", ownerReferences: [ownerOf(owner)] } });
  await cluster.client.delete(ConfigMap, "owner");
  await cluster.advance(1_000);
  expect((await cluster.client.get(Namespace, "shop"))?.metadata.deletionTimestamp).toBeUndefined();
  expect((await cluster.client.list(Event)).map(({ reason }) => reason)).toContain(
    "OwnerRefInvalidNamespace",
  );
});

test("dependents are deleted if their owner was deleted before the start", async () => {
  await using cluster = await startCluster({ clock: new VirtualClock() });
  const owner = await createMap(cluster, { name: "owner" });
  await cluster.client.create(Secret, { metadata: { name: "child", ownerReferences: [ownerOf(owner)] } });
  await cluster.client.delete(ConfigMap, "owner");
  await cluster.run(workloads({ parts: ["gc"], clock: cluster.clock }));
  await cluster.advance(0);
  expect(await cluster.client.list(Secret)).toEqual([]);
});

const gadgets = kind({ group: "example.com", version: "v1", kind: "Gadget" });

async function defineGadgets({ client }: Cluster): Promise<void> {
  const schema = { openAPIV3Schema: { type: "object" } };
  await client.create(CustomResourceDefinition, {
    metadata: { name: "gadgets.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "gadgets", kind: "Gadget" },
      versions: [{ name: "v1", served: true, storage: true, schema }],
    },
  });
}

test("objects of a kind that is defined later are owners and dependents", async () => {
  await using cluster = await start();
  await defineGadgets(cluster);
  await cluster.advance(1_000);
  const owner = await createMap(cluster, { name: "owner" });
  const draft = { apiVersion: "example.com/v1", kind: "Gadget" };
  const gadget = await cluster.client.create(gadgets, {
    ...draft,
    metadata: { name: "gadget", ownerReferences: [ownerOf(owner)] },
  });
  const { uid } = gadget.metadata;
  await createMap(cluster, { name: "child", owners: [{ ...draft, name: "gadget", uid }] });
  await cluster.client.delete(ConfigMap, "owner");
  await cluster.advance(0);
  expect(await names(cluster)).toEqual([]);
  expect(await cluster.client.list(gadgets)).toEqual([]);
});

test("an owner of an unknown kind keeps its dependents until its kind is defined", async () => {
  await using cluster = await start();
  const owner = { apiVersion: "example.com/v1", kind: "Gadget", name: "gone", uid: "0000-1" };
  await createMap(cluster, { name: "child", owners: [owner] });
  await cluster.advance(60 * 60_000);
  expect(await names(cluster)).toEqual(["child"]);
  await defineGadgets(cluster);
  await cluster.advance(60_000);
  expect(await names(cluster)).toEqual([]);
});

test("the dependents of a kind that is removed are deleted with its objects", async () => {
  await using cluster = await start();
  await defineGadgets(cluster);
  await cluster.advance(1_000);
  const draft = { apiVersion: "example.com/v1", kind: "Gadget" };
  const { metadata } = await cluster.client.create(gadgets, { ...draft, metadata: { name: "gadget" } });
  await createMap(cluster, { name: "child", owners: [{ ...draft, name: "gadget", uid: metadata.uid }] });
  await cluster.advance(0);
  await cluster.client.delete(CustomResourceDefinition, "gadgets.example.com");
  await cluster.advance(60_000);
  expect(await names(cluster)).toEqual([]);
  await createMap(cluster, { name: "owner" });
  await cluster.client.delete(ConfigMap, "owner");
  await cluster.advance(60_000);
  expect(await names(cluster)).toEqual([]);
});
