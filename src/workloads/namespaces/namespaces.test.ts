import { expect, test } from "vitest";
import { kind } from "../../api/index.ts";
import { CustomResourceDefinition } from "../../api/types/apiextensions/v1.ts";
import { ConfigMap, Namespace, Pod } from "../../api/types/core/v1.ts";
import { VirtualClock } from "../../base/index.ts";
import { type Cluster, startCluster } from "../../testing/index.ts";

async function startWithShop(): Promise<Cluster> {
  const workloads = ["namespaces", "nodes", "scheduler"] as const;
  const cluster = await startCluster({ workloads, clock: new VirtualClock() });
  await cluster.client.create(Namespace, { metadata: { name: "shop" } });
  return cluster;
}

async function conditionsOf({ client }: Cluster): Promise<unknown> {
  const { conditions } = (await client.get(Namespace, "shop"))?.status ?? {};
  return conditions?.map(({ type, status, reason, message }) => [type, status, reason, message]);
}

const healthy = [
  [
    "NamespaceDeletionDiscoveryFailure",
    "False",
    "ResourcesDiscovered",
    "All resources successfully discovered",
  ],
  [
    "NamespaceDeletionGroupVersionParsingFailure",
    "False",
    "ParsedGroupVersions",
    "All legacy kube types successfully parsed",
  ],
  [
    "NamespaceDeletionContentFailure",
    "False",
    "ContentDeleted",
    "All content successfully deleted, may be waiting on finalization",
  ],
];

test("a deleted namespace goes with its objects, and can be created again", async () => {
  await using cluster = await startWithShop();
  await cluster.client.create(ConfigMap, { metadata: { name: "map", namespace: "shop" } });
  await cluster.client.delete(Namespace, "shop");
  await cluster.advance(0);
  expect(await cluster.client.get(Namespace, "shop")).toBeUndefined();
  await cluster.client.create(Namespace, { metadata: { name: "shop" } });
  await cluster.advance(60_000);
  expect((await cluster.client.get(Namespace, "shop"))?.status?.phase).toBe("Active");
  expect(await cluster.client.get(ConfigMap, { namespace: "shop", name: "map" })).toBeUndefined();
});

test("objects that finalizers keep hold their namespace, and its conditions count them", async () => {
  await using cluster = await startWithShop();
  const metadata = { name: "held", namespace: "shop", finalizers: ["example.com/a", "example.com/b"] };
  await cluster.client.create(ConfigMap, { metadata });
  await cluster.client.delete(Namespace, "shop");
  await cluster.advance(60_000);
  expect(await conditionsOf(cluster)).toEqual([
    ...healthy,
    [
      "NamespaceContentRemaining",
      "True",
      "SomeResourcesRemain",
      "Some resources are remaining: configmaps. has 1 resource instances",
    ],
    [
      "NamespaceFinalizersRemaining",
      "True",
      "SomeFinalizersRemain",
      "Some content in the namespace has finalizers remaining: example.com/a in 1 resource instances, example.com/b in 1 resource instances",
    ],
  ]);
  await cluster.client.patch(ConfigMap, metadata, { merge: { metadata: { finalizers: null } } });
  await cluster.advance(8_000);
  expect(await cluster.client.get(Namespace, "shop")).toBeUndefined();
});

test("a namespace is written once while it waits", async () => {
  await using cluster = await startWithShop();
  const metadata = { name: "held", namespace: "shop", finalizers: ["example.com/a"] };
  await cluster.client.create(ConfigMap, { metadata });
  await cluster.client.delete(Namespace, "shop");
  await cluster.advance(1_000);
  const before = (await cluster.client.get(Namespace, "shop"))?.metadata.resourceVersion;
  await cluster.advance(3_600_000);
  expect((await cluster.client.get(Namespace, "shop"))?.metadata.resourceVersion).toBe(before);
});

test("other objects stay until the Pods have ended", async () => {
  await using cluster = await startWithShop();
  await cluster.client.create(ConfigMap, { metadata: { name: "map", namespace: "shop" } });
  await cluster.client.create(Pod, {
    metadata: { name: "web", namespace: "shop", annotations: { "node.trimtab.dev/stop-after": "10s" } },
    spec: { containers: [{ name: "web", image: "nginx:1" }] },
  });
  await cluster.advance(0);
  await cluster.client.delete(Namespace, "shop");
  await cluster.advance(9_000);
  const map = await cluster.client.get(ConfigMap, { namespace: "shop", name: "map" });
  expect(map?.metadata.deletionTimestamp).toBeUndefined();
  expect(map).toBeDefined();
  await cluster.advance(1_000);
  expect(await cluster.client.get(Namespace, "shop")).toBeUndefined();
});

test("a finalizer of the namespace itself keeps it, empty", async () => {
  await using cluster = await startWithShop();
  const merge = { metadata: { finalizers: ["example.com/held"] } };
  await cluster.client.patch(Namespace, "shop", { merge });
  await cluster.client.delete(Namespace, "shop");
  await cluster.advance(60_000);
  const { spec, status, metadata } = (await cluster.client.get(Namespace, "shop")) ?? {};
  expect([metadata?.finalizers, spec, status?.phase]).toEqual([["example.com/held"], {}, "Terminating"]);
});

test("custom objects are deleted with their namespace", async () => {
  await using cluster = await startWithShop();
  const schema = { openAPIV3Schema: { type: "object" } };
  await cluster.client.create(CustomResourceDefinition, {
    metadata: { name: "gadgets.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "gadgets", kind: "Gadget" },
      versions: [{ name: "v1", served: true, storage: true, schema }],
    },
  });
  await cluster.advance(1_000);
  const gadgets = kind({ group: "example.com", version: "v1", kind: "Gadget" });
  const draft = { apiVersion: "example.com/v1", kind: "Gadget" };
  await cluster.client.create(gadgets, { ...draft, metadata: { name: "one", namespace: "shop" } });
  await cluster.client.delete(Namespace, "shop");
  await cluster.advance(0);
  expect(await cluster.client.list(gadgets, { namespace: "shop" })).toEqual([]);
  expect(await cluster.client.get(Namespace, "shop")).toBeUndefined();
});
