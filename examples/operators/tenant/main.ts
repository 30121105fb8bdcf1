// Runs the operator of Tenants until Ctrl-C.
import { ResourceQuota } from "trimtab/api/core/v1";
import { managed, type Part, perform } from "../../perform.ts";
import { until } from "../../until.ts";
import { Tenant, tenants } from "./tenant.ts";

async function tour(guide: Part): Promise<void> {
  const { client, say } = guide;
  say("> create the Tenant blue with a quota of 10 Pods");
  const spec = { roles: { admin: ["ann"], view: ["bob"] }, quota: { pods: 10 } };
  await client.create(Tenant, { metadata: { name: "blue" }, spec });
  await until(guide, Tenant, { name: "blue", holds: ({ status }) => status !== undefined });
  const quota = await client.get(ResourceQuota, "blue/tenant");
  say(`  the namespace blue has a quota of ${quota?.spec?.hard?.pods} Pods`);

  say("> remove the quota of the Tenant");
  await client.patch(Tenant, "blue", { merge: { spec: { quota: null } } });
  const resourceVersion = quota?.metadata.resourceVersion;
  const since = { namespace: "blue", resourceVersion, signal: guide.signal };
  for await (const { type } of client.watch(ResourceQuota, since)) {
    if (type === "deleted") break;
  }
  say("  the quota of the namespace is deleted");
}

const kubectl = ["kubectl get tenants", "kubectl get rolebindings --namespace blue"];
await perform({ title: "An operator of Tenants", kinds: [Tenant], run: managed([tenants]), tour, kubectl });
