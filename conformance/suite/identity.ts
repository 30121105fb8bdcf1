import { SelfSubjectReview } from "trimtab/api/authentication/v1";
import { SelfSubjectAccessReview } from "trimtab/api/authorization/v1";
import { ConfigMap, Namespace, ServiceAccount } from "trimtab/api/core/v1";
import { Role, RoleBinding } from "trimtab/api/rbac/v1";
import { type Client, connect, isForbidden } from "trimtab/client";
import { refusal } from "../refusal.ts";
import { scenario } from "../scenario.ts";

async function whoIs(client: Client): Promise<unknown> {
  const review = await client.create(SelfSubjectReview, { metadata: {} });
  return review.status?.userInfo;
}

scenario("a client acts as somebody else, groups, uid and extra included", async ({ cluster, expect }) => {
  const ana = cluster.client.as({
    user: "ana",
    groups: ["readers", "writers"],
    uid: "4711",
    extra: { "example.dev/Team": ["a", "b"] },
  });
  expect(await whoIs(ana)).toEqual({
    uid: "4711",
    extra: { "example.dev/team": ["a", "b"] },
    groups: ["readers", "writers", "system:authenticated"],
    username: "ana",
  });
});

scenario("one user after another is that user alone", async ({ cluster, expect }) => {
  const ana = cluster.client.as({ user: "ana", groups: ["readers"], uid: "1", extra: { team: ["a"] } });
  expect(await whoIs(ana.as({ user: "ben" }))).toEqual({ username: "ben", groups: ["system:authenticated"] });
});

scenario("a user of the configuration gives way to one that is asked for", async ({ cluster, expect }) => {
  const { kubeconfig } = cluster;
  const impersonate = { user: "ana", groups: ["readers"] };
  await using client = await connect({ kubeconfig, impersonate });
  expect(await whoIs(client)).toEqual({ username: "ana", groups: ["readers", "system:authenticated"] });
  const ben = client.as({ user: "ben" });
  expect(await whoIs(ben)).toEqual({ username: "ben", groups: ["system:authenticated"] });
});

scenario("a service account has the groups of service accounts", async ({ namespace, cluster, expect }) => {
  const robot = cluster.client.as({ user: `system:serviceaccount:${namespace}:robot` });
  expect(await whoIs(robot)).toEqual({
    username: `system:serviceaccount:${namespace}:robot`,
    groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`, "system:authenticated"],
  });
});

scenario("who may not is told who may not do what where", async ({ client, namespace, cluster, expect }) => {
  const nobody = client.as({ user: "nobody" });
  expect(await refusal(nobody.get(ConfigMap, "a"))).toEqual({
    code: 403,
    reason: "Forbidden",
    message:
      'configmaps "a" is forbidden: User "nobody" cannot get resource "configmaps" in API group "" ' +
      `in the namespace "${namespace}"`,
    details: { name: "a", kind: "configmaps" },
  });
  const everywhere = cluster.client.as({ user: "nobody" });
  expect(await refusal(everywhere.list(ConfigMap))).toEqual({
    code: 403,
    reason: "Forbidden",
    message:
      'configmaps is forbidden: User "nobody" cannot list resource "configmaps" in API group "" at the cluster scope',
    details: { kind: "configmaps" },
  });
  expect(await refusal(everywhere.delete(Namespace, namespace))).toMatchObject({ code: 403 });
});

/** What `call` gives once it is allowed: a server may learn of a new role a moment later. */
async function allowed<T>(call: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    signal.throwIfAborted();
    try {
      return await call();
    } catch (error) {
      if (!isForbidden(error)) throw error;
    }
  }
}

scenario("a role gives the rights it names, and no more", async ({ client, namespace, signal, expect }) => {
  await client.create(Role, {
    metadata: { name: "reader" },
    rules: [{ apiGroups: [""], resources: ["configmaps"], resourceNames: ["a"], verbs: ["get"] }],
  });
  await client.create(RoleBinding, {
    metadata: { name: "readers" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "reader" },
    subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: `reader-${namespace}` }],
  });
  const created = await client.create(ConfigMap, { metadata: { name: "a" } });
  const reader = client.as({ user: `reader-${namespace}` });
  expect(await allowed(() => reader.get(ConfigMap, "a"), signal)).toEqual(created);
  expect(await refusal(reader.get(ConfigMap, "b"))).toMatchObject({ code: 403 });
  expect(await refusal(reader.delete(ConfigMap, "a"))).toMatchObject({ code: 403 });
});

scenario("a user can ask what they may do", async ({ client, namespace, cluster, expect }) => {
  const resourceAttributes = { namespace, verb: "delete", resource: "pods" };
  const may = async (who: Client): Promise<unknown> => {
    const review = await who.create(SelfSubjectAccessReview, { metadata: {}, spec: { resourceAttributes } });
    return review.status?.allowed;
  };
  expect([await may(client), await may(cluster.client.as({ user: "nobody" }))]).toEqual([true, false]);
});

scenario("a service account's token is that account", async ({ client, namespace, cluster, expect }) => {
  await client.create(ServiceAccount, { metadata: { name: "robot" } });
  const request = await client
    .subresource(ServiceAccount, "robot", "token")
    .create({ spec: { audiences: [] } });
  await using robot = await connect({ kubeconfig: cluster.kubeconfig, token: request.status?.token });
  expect(await whoIs(robot)).toMatchObject({
    username: `system:serviceaccount:${namespace}:robot`,
    groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`, "system:authenticated"],
  });
  expect(await refusal(whoIs(robot.as({ user: "ana" })))).toEqual({
    code: 403,
    reason: "Forbidden",
    message: `selfsubjectreviews.authentication.k8s.io is forbidden: User "system:serviceaccount:${namespace}:robot" cannot impersonate-on:user-info:create resource "selfsubjectreviews" in API group "authentication.k8s.io" at the cluster scope`,
    details: { kind: "selfsubjectreviews", group: "authentication.k8s.io" },
  });
});

scenario("a token that nobody has is unauthorized", async ({ cluster, expect }) => {
  const { kubeconfig } = cluster;
  await using stranger = await connect({ kubeconfig, token: "wrong" });
  expect(await refusal(stranger.get(Namespace, "default"))).toEqual({
    code: 401,
    reason: "Unauthorized",
    message: "Unauthorized",
  });
  expect(await refusal(stranger.discover())).toMatchObject({ code: 401, reason: "Unauthorized" });
});
