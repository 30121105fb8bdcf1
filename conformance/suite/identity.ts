import { SelfSubjectReview, type TokenRequestSpec, TokenReview } from "trimtab/api/authentication/v1";
import { SelfSubjectAccessReview } from "trimtab/api/authorization/v1";
import { ConfigMap, Namespace, Pod, ServiceAccount } from "trimtab/api/core/v1";
import { Role, RoleBinding } from "trimtab/api/rbac/v1";
import { type Client, connect, isForbidden } from "trimtab/client";
import { parse } from "yaml";
import { refusal } from "../refusal.ts";
import { scenario } from "../scenario.ts";

async function whoIs(client: Client): Promise<unknown> {
  const review = await client.create(SelfSubjectReview, { metadata: {} });
  return review.status?.userInfo;
}

scenario("a client impersonates a user with groups, uid and extra", async ({ cluster, expect }) => {
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

scenario("consecutive impersonated users do not mix", async ({ cluster, expect }) => {
  const ana = cluster.client.as({ user: "ana", groups: ["readers"], uid: "1", extra: { team: ["a"] } });
  expect(await whoIs(ana.as({ user: "ben" }))).toEqual({ username: "ben", groups: ["system:authenticated"] });
});

scenario(
  "a requested user overrides the impersonated user of the kubeconfig",
  async ({ cluster, expect }) => {
    const { kubeconfig } = cluster;
    const impersonate = { user: "ana", groups: ["readers"] };
    await using client = await connect({ kubeconfig, impersonate });
    expect(await whoIs(client)).toEqual({ username: "ana", groups: ["readers", "system:authenticated"] });
    const ben = client.as({ user: "ben" });
    expect(await whoIs(ben)).toEqual({ username: "ben", groups: ["system:authenticated"] });
  },
);

scenario(
  "an impersonated service account has the groups of service accounts",
  async ({ namespace, cluster, expect }) => {
    const robot = cluster.client.as({ user: `system:serviceaccount:${namespace}:robot` });
    expect(await whoIs(robot)).toEqual({
      username: `system:serviceaccount:${namespace}:robot`,
      groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`, "system:authenticated"],
    });
  },
);

scenario(
  "a forbidden request names the user, the verb, the resource and the namespace",
  async ({ client, namespace, cluster, expect }) => {
    const stranger = client.as({ user: "stranger" });
    expect(await refusal(stranger.get(ConfigMap, "a"))).toEqual({
      code: 403,
      reason: "Forbidden",
      message:
        'configmaps "a" is forbidden: User "stranger" cannot get resource "configmaps" in API group "" ' +
        `in the namespace "${namespace}"`,
      details: { name: "a", kind: "configmaps" },
    });
    const everywhere = cluster.client.as({ user: "stranger" });
    expect(await refusal(everywhere.list(ConfigMap))).toEqual({
      code: 403,
      reason: "Forbidden",
      message:
        'configmaps is forbidden: User "stranger" cannot list resource "configmaps" in API group "" at the cluster scope',
      details: { kind: "configmaps" },
    });
    expect(await refusal(everywhere.delete(Namespace, namespace))).toMatchObject({ code: 403 });
  },
  { needs: "rbac" },
);

/** Retries `call` until it is allowed, since a server applies a new role with a delay. */
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

scenario(
  "a role grants only its permissions",
  async ({ client, namespace, signal, expect }) => {
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
  },
  { needs: "rbac" },
);

scenario(
  "a user can review its own access",
  async ({ client, namespace, cluster, expect }) => {
    const resourceAttributes = { namespace, verb: "delete", resource: "pods" };
    const may = async (who: Client): Promise<unknown> => {
      const review = await who.create(SelfSubjectAccessReview, {
        metadata: {},
        spec: { resourceAttributes },
      });
      return review.status?.allowed;
    };
    expect([await may(client), await may(cluster.client.as({ user: "stranger" }))]).toEqual([true, false]);
  },
  { needs: "rbac" },
);

/** Returns a token of a service account of this scenario. */
async function tokenOf(client: Client, spec: Partial<TokenRequestSpec> = {}): Promise<string> {
  const request = { spec: { audiences: [], ...spec } };
  const response = await client.subresource(ServiceAccount, "robot", "token").create(request);
  return response.status?.token ?? "";
}

scenario(
  "a service account's token authenticates that account",
  async ({ client, namespace, cluster, expect }) => {
    const { metadata } = await client.create(ServiceAccount, { metadata: { name: "robot" } });
    await using robot = await connect({ kubeconfig: cluster.kubeconfig, token: await tokenOf(client) });
    expect(await whoIs(robot)).toEqual({
      username: `system:serviceaccount:${namespace}:robot`,
      uid: metadata.uid,
      groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`, "system:authenticated"],
      extra: { "authentication.kubernetes.io/credential-id": [expect.stringMatching(/^JTI=[0-9a-f-]{36}$/)] },
    });
  },
);

scenario(
  "a service account without permission to impersonate is refused",
  async ({ client, namespace, cluster, expect }) => {
    await client.create(ServiceAccount, { metadata: { name: "robot" } });
    await using robot = await connect({ kubeconfig: cluster.kubeconfig, token: await tokenOf(client) });
    expect(await refusal(whoIs(robot.as({ user: "ana" })))).toEqual({
      code: 403,
      reason: "Forbidden",
      message: `selfsubjectreviews.authentication.k8s.io is forbidden: User "system:serviceaccount:${namespace}:robot" cannot impersonate-on:user-info:create resource "selfsubjectreviews" in API group "authentication.k8s.io" at the cluster scope`,
      details: { kind: "selfsubjectreviews", group: "authentication.k8s.io" },
    });
  },
  { needs: "rbac" },
);

scenario("a token contains its issuer, subject and lifetime", async ({ client, namespace, expect }) => {
  const { metadata } = await client.create(ServiceAccount, { metadata: { name: "robot" } });
  const token = await tokenOf(client, { audiences: ["vault", "bank"], expirationSeconds: 1200 });
  const [head, claims] = token
    .split(".", 2)
    .map((part) => JSON.parse(Buffer.from(part, "base64url").toString()));
  expect(head).toEqual({ alg: expect.stringMatching(/^[RE]S256$/), kid: expect.any(String) });
  expect(claims).toEqual({
    aud: ["vault", "bank"],
    iss: "https://kubernetes.default.svc",
    sub: `system:serviceaccount:${namespace}:robot`,
    jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
    iat: claims.iat,
    nbf: claims.iat,
    exp: claims.iat + 1200,
    "kubernetes.io": { namespace, serviceaccount: { name: "robot", uid: metadata.uid } },
  });
});

scenario(
  "a token for another audience is unauthorized, and valid in a review for that audience",
  async ({ client, cluster, expect }) => {
    await client.create(ServiceAccount, { metadata: { name: "robot" } });
    const token = await tokenOf(client, { audiences: ["vault"] });
    await using robot = await connect({ kubeconfig: cluster.kubeconfig, token });
    expect(await refusal(whoIs(robot))).toMatchObject({ code: 401 });
    const review = async (audiences: string[]): Promise<unknown> =>
      (await client.create(TokenReview, { metadata: {}, spec: { token, audiences } })).status;
    expect(await review([])).toEqual({
      user: {},
      error:
        '[invalid bearer token, token audiences ["vault"] is invalid for the target audiences ["https://kubernetes.default.svc"]]',
    });
    expect(await review(["bank", "vault"])).toMatchObject({ authenticated: true, audiences: ["vault"] });
  },
);

scenario(
  "a token review returns the user of a token, or not authenticated",
  async ({ client, namespace, expect }) => {
    await client.create(ServiceAccount, { metadata: { name: "robot" } });
    const token = await tokenOf(client);
    const review = async (about: string): Promise<unknown> =>
      (await client.create(TokenReview, { metadata: {}, spec: { token: about } })).status;
    expect(await review(token)).toEqual({
      authenticated: true,
      user: {
        username: `system:serviceaccount:${namespace}:robot`,
        uid: expect.any(String),
        groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`, "system:authenticated"],
        extra: { "authentication.kubernetes.io/credential-id": [expect.stringMatching(/^JTI=/)] },
      },
      audiences: ["https://kubernetes.default.svc"],
    });
    const unauthenticated = { user: {}, error: "invalid bearer token" };
    expect([await review("wrong"), await review("a.b.c")]).toEqual([unauthenticated, unauthenticated]);
    expect(await review(`${token.slice(0, -8)}AAAAAAAA`)).toEqual({
      user: {},
      error: "[invalid bearer token, go-jose/go-jose: error in cryptographic primitive]",
    });
  },
);

scenario("a token with a fourth part or with padding is unauthorized", async ({ client, expect }) => {
  await client.create(ServiceAccount, { metadata: { name: "robot" } });
  const token = await tokenOf(client);
  const unknown = { user: {}, error: "invalid bearer token" };
  for (const text of [`${token}.`, `${token}.x`, `${token}=`, `${token}!`]) {
    const review = await client.create(TokenReview, { metadata: {}, spec: { token: text } });
    expect(review.status).toEqual(unknown);
  }
});

scenario("a token can be bound to a pod of its account, and contains it", async ({ client, expect }) => {
  const container = { name: "a", image: "a" };
  await client.create(ServiceAccount, { metadata: { name: "robot" } });
  const pod = await client.create(Pod, {
    metadata: { name: "a" },
    spec: { serviceAccountName: "robot", nodeName: "nowhere", containers: [container] },
  });
  await client.create(Pod, {
    metadata: { name: "b" },
    spec: { serviceAccountName: "other", containers: [container] },
  });
  const boundTo = (kind: string, name: string, uid?: string): Promise<string> =>
    tokenOf(client, { boundObjectRef: { kind, apiVersion: "v1", name, uid } });
  const spec = { token: await boundTo("Pod", "a", pod.metadata.uid) };
  const { status } = await client.create(TokenReview, { metadata: {}, spec });
  expect(status?.user?.extra).toEqual({
    "authentication.kubernetes.io/credential-id": [expect.stringMatching(/^JTI=/)],
    "authentication.kubernetes.io/node-name": ["nowhere"],
    "authentication.kubernetes.io/pod-name": ["a"],
    "authentication.kubernetes.io/pod-uid": [pod.metadata.uid],
  });
  expect(await refusal(boundTo("Pod", "a", "4711"))).toEqual({
    code: 409,
    reason: "Conflict",
    message:
      'Operation cannot be fulfilled on Pod "a": the UID in the bound object reference (4711) does not match the UID in record. The object might have been deleted and then recreated',
    details: { name: "a", kind: "Pod" },
  });
  expect(await refusal(boundTo("Pod", "b"))).toEqual({
    code: 400,
    reason: "BadRequest",
    message:
      'cannot bind token for serviceaccount "robot" to pod running with different serviceaccount name.',
  });
  expect(await refusal(boundTo("ConfigMap", "a"))).toEqual({
    code: 400,
    reason: "BadRequest",
    message: "cannot bind token to object of type /v1, Kind=ConfigMap",
  });
  expect(await refusal(boundTo("Secret", "c"))).toMatchObject({
    code: 404,
    message: 'secrets "c" not found',
  });
});

scenario("groups and extra keep commas and capitals", async ({ cluster, expect }) => {
  const ana = cluster.client.as({
    user: "ana",
    groups: ["a, b", "c,d"],
    extra: { team: ["a, b", "c"], "%": ["d"] },
  });
  expect(await whoIs(ana)).toEqual({
    username: "ana",
    groups: ["a, b", "c,d", "system:authenticated"],
    extra: { team: ["a, b", "c"], "%": ["d"] },
  });
});

scenario(
  "an impersonated service account with an invalid name has no service account groups",
  async ({ cluster, expect }) => {
    const robot = cluster.client.as({ user: "system:serviceaccount:default:X_y" });
    expect(await whoIs(robot)).toEqual({
      username: "system:serviceaccount:default:X_y",
      groups: ["system:authenticated"],
    });
  },
);

scenario("impersonated groups without a user are refused", async ({ cluster, expect }) => {
  const { transport } = cluster.client;
  const headers = { "impersonate-group": "readers" };
  const responses = await Promise.all(
    ["/version", "/nowhere", "/api/v1/nowhere", "/api/v1/namespaces"].map((path) =>
      transport.send({ method: "GET", path, headers }),
    ),
  );
  const message =
    'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"readers"}, Extra:map[string][]string(nil)} without impersonating a user name';
  expect(responses.map(({ status, body }) => [status, JSON.parse(body.toString()).message])).toEqual(
    responses.map(() => [400, message]),
  );
});

scenario("an unknown token is unauthorized", async ({ cluster, expect }) => {
  const { kubeconfig } = cluster;
  await using stranger = await connect({ kubeconfig, token: "wrong" });
  expect(await refusal(stranger.get(Namespace, "default"))).toEqual({
    code: 401,
    reason: "Unauthorized",
    message: "Unauthorized",
  });
  expect(await refusal(stranger.discover())).toMatchObject({ code: 401, reason: "Unauthorized" });
});

scenario(
  "an unauthorized request gets its error in the accepted type, before other errors",
  async ({ cluster, expect }) => {
    await using stranger = await connect({ kubeconfig: cluster.kubeconfig, token: "wrong" });
    const ask = async (path: string, accept: string): Promise<[number, unknown, string]> => {
      const response = await stranger.transport.send({ method: "GET", path, headers: { accept } });
      return [response.status, response.headers["content-type"], response.body.toString()];
    };
    const status = {
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: "Unauthorized",
      reason: "Unauthorized",
      code: 401,
    };
    const json = [401, "application/json", `${JSON.stringify(status)}\n`];
    expect(await ask("/healthz", "*/*")).toEqual(json);
    expect(await ask("/nowhere", "application/json")).toEqual(json);
    const [code, type, text] = await ask("/api/v1/namespaces/default", "application/yaml");
    expect([code, type, parse(text)]).toEqual([401, "application/yaml", status]);
    expect(await ask("/apis", "text/html")).toEqual([
      401,
      "application/json",
      JSON.stringify(status, undefined, 2),
    ]);
  },
);
