import type { KubeObject } from "trimtab/api";
import { CustomResourceDefinition } from "trimtab/api/apiextensions/v1";
import { ConfigMap, Namespace, PersistentVolumeClaim, Pod, ServiceAccount } from "trimtab/api/core/v1";
import type { Client } from "trimtab/client";
import { masked } from "../masked.ts";
import { scenario } from "../scenario.ts";
import { widgets } from "../widgets.ts";

/** Summarises the result of `delete`: whether the object stays, and why. */
function held(object: KubeObject | undefined): unknown {
  if (object === undefined) return "gone";
  const { deletionTimestamp, finalizers, deletionGracePeriodSeconds } = object.metadata;
  return masked({ deletionTimestamp, finalizers, deletionGracePeriodSeconds });
}

const time = { deletionTimestamp: "<time>" };
const containers = [{ name: "main", image: "none" }];
const release = { merge: { metadata: { finalizers: null } } };

async function exists(client: Client, name: string): Promise<boolean> {
  return (await client.get(ConfigMap, name)) !== undefined;
}

scenario("delete returns undefined if the object is deleted or was absent", async ({ client, expect }) => {
  await client.create(ConfigMap, { metadata: { name: "a" } });
  const deleted = [await client.delete(ConfigMap, "a"), await client.delete(ConfigMap, "a")];
  expect([deleted, await exists(client, "a")]).toEqual([[undefined, undefined], false]);
});

scenario("delete returns the terminating object if a finalizer holds it", async ({ client, expect }) => {
  const finalizers = ["example.dev/a"];
  await client.create(ConfigMap, { metadata: { name: "a", finalizers } });
  const stays = await client.delete(ConfigMap, "a");
  const read = await client.get(ConfigMap, "a");
  await client.patch(ConfigMap, "a", release);
  expect(held(stays)).toEqual({ ...time, finalizers, deletionGracePeriodSeconds: 0 });
  expect(stays).toEqual(read);
});

scenario("a second delete returns the terminating object again", async ({ client, expect }) => {
  const finalizers = ["example.dev/a"];
  await client.create(ConfigMap, { metadata: { name: "a", finalizers } });
  const first = await client.delete(ConfigMap, "a");
  const again = await client.delete(ConfigMap, "a");
  await client.patch(ConfigMap, "a", release);
  expect(again?.metadata.finalizers).toEqual(finalizers);
  expect(again?.metadata.resourceVersion).toBe(first?.metadata.resourceVersion);
});

scenario(
  "delete returns a Pod with a grace period, and undefined without one",
  async ({ client, expect }) => {
    await client.create(Pod, { metadata: { name: "a" }, spec: { nodeName: "nowhere", containers } });
    await client.create(Pod, { metadata: { name: "b" }, spec: { schedulerName: "none", containers } });
    const first = held(await client.delete(Pod, "a", { graceSeconds: 10 }));
    const second = held(await client.delete(Pod, "a"));
    const forced = held(await client.delete(Pod, "a", { graceSeconds: 0 }));
    const graceful = { ...time, finalizers: undefined, deletionGracePeriodSeconds: 10 };
    expect([first, second, forced, held(await client.delete(Pod, "b"))]).toEqual([
      graceful,
      graceful,
      "gone",
      "gone",
    ]);
  },
);

scenario(
  "delete returns a Namespace while its spec has finalizers",
  async ({ cluster, namespace, expect }) => {
    const name = `${namespace}-held`;
    await cluster.client.create(Namespace, { metadata: { name } });
    await cluster.client.create(ConfigMap, {
      metadata: { namespace: name, name: "kept", finalizers: ["example.dev/a"] },
    });
    const first = await cluster.client.delete(Namespace, name);
    const again = await cluster.client.delete(Namespace, name);
    await cluster.client.patch(ConfigMap, `${name}/kept`, release);
    expect([first, again].map((each) => [each?.spec?.finalizers, each?.status?.phase])).toEqual([
      [["kubernetes"], "Terminating"],
      [["kubernetes"], "Terminating"],
    ]);
  },
);

scenario("delete returns a definition until its objects are deleted", async (stage) => {
  const { client, cluster, expect } = stage;
  await using made = await widgets(stage);
  await client.create(made.Widget, { metadata: { name: "a", finalizers: ["example.dev/a"] } });
  const stays = await cluster.client.delete(CustomResourceDefinition, made.definition.metadata.name);
  const object = await client.get(made.Widget, "a");
  if (object) await client.patch(made.Widget, "a", release);
  expect(stays?.metadata.finalizers).toEqual(["customresourcecleanup.apiextensions.k8s.io"]);
  expect(stays?.metadata.deletionTimestamp).toBeDefined();
});

scenario(
  "delete returns an object that waits for its dependents, or orphans them",
  async ({ client, expect }) => {
    const held: unknown[] = [];
    for (const propagation of ["Foreground", "Orphan", "Background"] as const) {
      await client.create(ConfigMap, { metadata: { name: "a" } });
      held.push((await client.delete(ConfigMap, "a", { propagation }))?.metadata.finalizers);
      if (propagation !== "Background") await client.patch(ConfigMap, "a", release);
    }
    expect(held).toEqual([["foregroundDeletion"], ["orphan"], undefined]);
  },
);

scenario("kinds whose DELETE returns the object are distinguished, too", async ({ client, expect }) => {
  await client.create(ServiceAccount, { metadata: { name: "a" } });
  await client.create(ServiceAccount, { metadata: { name: "b", finalizers: ["example.dev/a"] } });
  const spec = { accessModes: ["ReadWriteOnce" as const], resources: { requests: { storage: "1Gi" } } };
  await client.create(PersistentVolumeClaim, {
    metadata: { name: "a", finalizers: ["example.dev/a"] },
    spec,
  });
  const gone = await client.delete(ServiceAccount, "a");
  const stays = [await client.delete(ServiceAccount, "b"), await client.delete(ServiceAccount, "b")];
  const volume = await client.delete(PersistentVolumeClaim, "a");
  await client.patch(ServiceAccount, "b", release);
  await client.patch(PersistentVolumeClaim, "a", release);
  expect([gone, ...stays.map((each) => each?.metadata.finalizers)]).toEqual([
    undefined,
    ["example.dev/a"],
    ["example.dev/a"],
  ]);
  expect(volume?.metadata.finalizers).toContain("example.dev/a");
});

scenario("a dry run of delete returns the object that would stay", async ({ client, expect }) => {
  await client.create(ConfigMap, { metadata: { name: "a", finalizers: ["example.dev/a"] } });
  await client.create(ConfigMap, { metadata: { name: "b" } });
  const [stays, gone] = [
    await client.delete(ConfigMap, "a", { dryRun: true }),
    await client.delete(ConfigMap, "b", { dryRun: true }),
  ];
  const left = [await client.get(ConfigMap, "a"), await client.get(ConfigMap, "b")];
  await client.patch(ConfigMap, "a", release);
  expect([stays?.metadata.deletionTimestamp !== undefined, gone]).toEqual([true, undefined]);
  expect(left.map((each) => each?.metadata.deletionTimestamp)).toEqual([undefined, undefined]);
});
