import { Namespace, ResourceQuota } from "trimtab/api/core/v1";
import { RoleBinding } from "trimtab/api/rbac.authorization.k8s.io/v1";
import { type Cluster, startCluster, VirtualClock } from "trimtab/testing";
import { expect, test } from "vitest";
import { Tenant, tenants } from "./tenant.ts";

/** Returns a cluster with the tenant blue, and a RoleBinding of another program in its namespace. */
async function running(): Promise<Cluster> {
  const cluster = await startCluster({ kinds: [Tenant], clock: new VirtualClock() });
  const { client } = cluster;
  await cluster.run({ controllers: [tenants] });
  const spec = { roles: { admin: ["ann"], view: ["bob", "eve"] }, quota: { pods: 10 } };
  await client.create(Tenant, { metadata: { name: "blue" }, spec });
  await cluster.settled();
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "edit" };
  await client.create(RoleBinding, { metadata: { namespace: "blue", name: "other" }, roleRef });
  return cluster;
}

/** Returns the pods of the quota, and the users of each binding. */
async function state({ client }: Cluster): Promise<unknown> {
  const bindings = await client.list(RoleBinding, { namespace: "blue" });
  return {
    pods: (await client.get(ResourceQuota, "blue/tenant"))?.spec?.hard?.pods,
    ...Object.fromEntries(
      bindings.map(({ metadata, subjects = [] }) => [metadata.name, subjects.map(({ name }) => name)]),
    ),
  };
}

const whole = { pods: "10", "tenant-admin": ["ann"], "tenant-view": ["bob", "eve"], other: [] };

test("a tenant has a namespace with a quota and a binding for each role", async () => {
  await using cluster = await running();
  expect(await state(cluster)).toEqual(whole);
  const namespace = await cluster.client.get(Namespace, "blue");
  expect(namespace?.metadata.labels).toMatchObject({ "tenancy.example.dev/tenant": "blue" });
  expect((await cluster.client.get(Tenant, "blue"))?.status?.conditions).toMatchObject([
    { type: "Ready", status: "True" },
  ]);
});

test("a quota and a binding that a tenant no longer asks for are deleted, and those of others stay", async () => {
  await using cluster = await running();
  await cluster.client.patch(Tenant, "blue", {
    merge: { spec: { quota: null, roles: { admin: null, edit: ["ann"] } } },
  });
  await cluster.settled();
  expect(await state(cluster)).toEqual({
    pods: undefined,
    "tenant-edit": ["ann"],
    "tenant-view": ["bob", "eve"],
    other: [],
  });
});

test("changes by hand are reverted", async () => {
  await using cluster = await running();
  await cluster.client.delete(RoleBinding, "blue/tenant-admin");
  await cluster.settled();
  expect(await state(cluster)).toEqual(whole);
  await cluster.client.patch(ResourceQuota, "blue/tenant", { merge: { spec: { hard: { pods: "99" } } } });
  await cluster.settled();
  expect(await state(cluster)).toEqual(whole);
});
