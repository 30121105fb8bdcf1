import { loggerTo } from "trimtab";
import { SubjectAccessReview } from "trimtab/api/authorization/v1";
import { ServiceAccount } from "trimtab/api/core/v1";
import { ClusterRole, ClusterRoleBinding } from "trimtab/api/rbac/v1";
import { atWork } from "../at-work.ts";
import { type Stage, scenario } from "../scenario.ts";

/** Grants a service account permission to read `/metrics` until it is disposed. Resolves when the server applies it. */
async function permission({ client, namespace, signal }: Stage, account: string): Promise<AsyncDisposable> {
  const name = `metrics-${namespace}`;
  const rules = [{ nonResourceURLs: ["/metrics"], verbs: ["get"] }];
  await client.create(ClusterRole, { metadata: { name }, rules });
  await client.create(ClusterRoleBinding, {
    metadata: { name },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name },
    subjects: [{ kind: "ServiceAccount", name: account, namespace }],
  });
  const user = `system:serviceaccount:${namespace}:${account}`;
  const spec = { user, nonResourceAttributes: { path: "/metrics", verb: "get" } };
  while (!(await client.create(SubjectAccessReview, { metadata: {}, spec }, { signal })).status?.allowed);
  return {
    async [Symbol.asyncDispose]() {
      await client.delete(ClusterRoleBinding, name);
      await client.delete(ClusterRole, name);
    },
  };
}

scenario("guarded metrics serve the scraper and throttle a flood of unknown tokens", async (stage) => {
  const { client, signal, expect } = stage;
  await client.create(ServiceAccount, { metadata: { name: "prometheus" } });
  await using _permission = await permission(stage, "prometheus");
  const issued = await client
    .subresource(ServiceAccount, "prometheus", "token")
    .create({ spec: { audiences: [] } });
  const token = issued.status?.token ?? "";
  let port: unknown;
  const log = loggerTo(({ message, fields }) => {
    if (message === "serving") port = fields.port;
  });
  const metrics = { port: 0, host: "127.0.0.1", guarded: true };
  const leaderElection = { name: "operator", identity: "one" };
  await using _work = await atWork(stage, [], { log, metrics, leaderElection });
  const scrape = async (shown: string): Promise<number> => {
    const headers = { authorization: `Bearer ${shown}` };
    const response = await fetch(`http://127.0.0.1:${port}/metrics`, { headers, signal });
    await response.arrayBuffer();
    return response.status;
  };
  expect(await scrape("made-up")).toBe(401);
  expect(await scrape(token)).toBe(200);
  const strangers = Array.from({ length: 300 }, (_, index) => scrape(`made-up-${index}`));
  expect(await scrape(token)).toBe(200);
  expect(new Set(await Promise.all(strangers))).toEqual(new Set([401, 429]));
});
