import { child, controller, owns } from "trimtab";
import { type ObjectOf, ready } from "trimtab/api";
import { Namespace, ResourceQuota } from "trimtab/api/core/v1";
import { RoleBinding } from "trimtab/api/rbac.authorization.k8s.io/v1";
import { defineResource } from "trimtab/crd";
import { conditions, quantity } from "trimtab/zod";
import { z } from "zod";

const users = z.array(z.string().min(1)).min(1).max(100).optional();

/** A team with a namespace: who may use it, and how much of the cluster. */
export const Tenant = defineResource({
  group: "tenancy.example.dev",
  version: "v1",
  kind: "Tenant",
  scope: "Cluster",
  spec: z.object({
    /** The users that have each of the cluster roles. */
    roles: z.object({ admin: users, edit: users, view: users }).default({}),
    quota: z.record(z.string(), quantity()).optional(),
  }),
  status: z.object({ conditions: conditions() }),
});
export type Tenant = ObjectOf<typeof Tenant>;

export const tenants = controller({
  for: Tenant,
  on: [owns(Namespace), owns(ResourceQuota), owns(RoleBinding)],
  async reconcile({ name }, { client, applyOwned }) {
    const tenant = await client.get(Tenant, name);
    if (!tenant) return;
    const { roles, quota } = tenant.spec;
    // Deletes the quota and the bindings that the tenant had and no longer asks for.
    await applyOwned(tenant, [
      child(Namespace, { metadata: { name, labels: { "tenancy.example.dev/tenant": name } } }),
      ...(quota ? [resourceQuota(name, quota)] : []),
      ...Object.entries(roles).flatMap(([role, members]) =>
        members ? roleBinding(name, role, members) : [],
      ),
    ]);
    await client.applyStatus(Tenant, tenant, { conditions: [ready(true, "Provisioned")] });
  },
});

function resourceQuota(namespace: string, quota: NonNullable<Tenant["spec"]["quota"]>) {
  const hard = Object.fromEntries(Object.entries(quota).map(([name, amount]) => [name, `${amount}`]));
  return child(ResourceQuota, { metadata: { namespace, name: "tenant" }, spec: { hard } });
}

function roleBinding(namespace: string, role: string, members: readonly string[]) {
  const apiGroup = "rbac.authorization.k8s.io";
  return child(RoleBinding, {
    metadata: { namespace, name: `tenant-${role}` },
    roleRef: { apiGroup, kind: "ClusterRole", name: role },
    subjects: members.map((name) => ({ apiGroup, kind: "User", name })),
  });
}
