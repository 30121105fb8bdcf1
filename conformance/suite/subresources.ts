import { Deployment } from "trimtab/api/apps/v1";
import { Node, Pod, ServiceAccount } from "trimtab/api/core/v1";
import { PodDisruptionBudget } from "trimtab/api/policy/v1";
import type { Client } from "trimtab/client";
import { firstOf } from "../first-of.ts";
import { masked } from "../masked.ts";
import { refusal } from "../refusal.ts";
import { scenario } from "../scenario.ts";
import { web } from "../web.ts";

/** Creates a Pod that no scheduler assigns to a node. */
function pod(client: Client, name: string, labels?: Record<string, string>): Promise<Pod> {
  const containers = [{ name: "main", image: "none" }];
  return client.create(Pod, { metadata: { name, labels }, spec: { schedulerName: "none", containers } });
}

scenario("a Deployment's scale can be read", async ({ client, namespace, expect }) => {
  await client.create(Deployment, web(3));
  await client.applyStatus(Deployment, "web", { replicas: 2 });
  const scale = await client.subresource(Deployment, "web", "scale").get();
  expect(masked(scale)).toEqual({
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: {
      name: "web",
      namespace,
      uid: "<uid>",
      resourceVersion: "<version>",
      creationTimestamp: "<time>",
    },
    spec: { replicas: 3 },
    status: { replicas: 2, selector: "app=web" },
  });
});

scenario("updating, patching and applying a scale changes the Deployment", async ({ client, expect }) => {
  await client.create(Deployment, web(1));
  const scale = client.subresource(Deployment, "web", "scale");
  const replicas = async (): Promise<unknown> => (await client.get(Deployment, "web"))?.spec.replicas;

  const current = await scale.get();
  const updated = await scale.update({ ...current, spec: { replicas: 2 } });
  expect([updated.spec?.replicas, await replicas()]).toEqual([2, 2]);

  const patched = await scale.patch({ merge: { spec: { replicas: 3 } } });
  expect([patched.spec?.replicas, await replicas()]).toEqual([3, 3]);

  const applied = await scale.apply({ spec: { replicas: 4 } }, { fieldManager: "scaler", force: true });
  expect([applied.spec?.replicas, await replicas()]).toEqual([4, 4]);

  expect(await refusal(scale.update({ ...current, spec: { replicas: 5 } }))).toMatchObject({
    code: 409,
    reason: "Conflict",
  });
  const tried = await scale.patch({ merge: { spec: { replicas: 9 } } }, { dryRun: true });
  expect([tried.spec?.replicas, await replicas()]).toEqual([9, 4]);
});

scenario("a negative scale is refused", async ({ client, expect }) => {
  await client.create(Deployment, web(1));
  const scale = client.subresource(Deployment, "web", "scale");
  expect(await refusal(scale.patch({ merge: { spec: { replicas: -1 } } }))).toEqual({
    code: 422,
    reason: "Invalid",
    message:
      'Scale.autoscaling "web" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    details: {
      kind: "Scale",
      name: "web",
      group: "autoscaling",
      causes: [
        {
          reason: "FieldValueInvalid",
          message: "Invalid value: -1: must be greater than or equal to 0",
          field: "spec.replicas",
        },
      ],
    },
  });
});

scenario("the scale of an absent object is an error", async ({ client, expect }) => {
  expect(await refusal(client.subresource(Deployment, "none", "scale").get())).toEqual({
    code: 404,
    reason: "NotFound",
    message: 'deployments.apps "none" not found',
    details: { kind: "deployments", name: "none", group: "apps" },
  });
});

scenario("an evicted Pod is deleted", async ({ client, expect }) => {
  await pod(client, "a");
  const response = await client
    .subresource(Pod, "a", "eviction")
    .create({ deleteOptions: { gracePeriodSeconds: 0 } });
  expect(masked(response)).toEqual({
    status: "Success",
    code: 201,
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
  });
  expect(await client.get(Pod, "a")).toBeUndefined();
});

scenario("a dry run of an eviction evicts nothing", async ({ client, expect }) => {
  const created = await pod(client, "a");
  await client.subresource(Pod, "a", "eviction").create({}, { dryRun: true });
  expect(await client.get(Pod, "a")).toEqual(created);
});

scenario("an eviction of an absent Pod is an error", async ({ client, expect }) => {
  expect(await refusal(client.subresource(Pod, "none", "eviction").create())).toEqual({
    code: 404,
    reason: "NotFound",
    message: 'pods "none" not found',
    details: { kind: "pods", name: "none" },
  });
});

scenario("a disruption budget prevents an eviction", async ({ client, expect }) => {
  await pod(client, "a", { app: "a" });
  await client.applyStatus(Pod, "a", { phase: "Running", conditions: [{ type: "Ready", status: "True" }] });
  const budget = await client.create(PodDisruptionBudget, {
    metadata: { name: "budget" },
    spec: { minAvailable: 1, selector: { matchLabels: { app: "a" } } },
  });
  await client.applyStatus(PodDisruptionBudget, budget, {
    observedGeneration: budget.metadata.generation,
    currentHealthy: 1,
    desiredHealthy: 1,
    disruptionsAllowed: 0,
    expectedPods: 1,
  });
  expect(await refusal(client.subresource(Pod, "a", "eviction").create())).toEqual({
    code: 429,
    reason: "TooManyRequests",
    message: "Cannot evict pod as it would violate the pod's disruption budget.",
    details: {
      causes: [
        {
          reason: "DisruptionBudget",
          message: "The disruption budget budget needs 1 healthy pods and has 1 currently",
        },
      ],
    },
  });
});

scenario("a binding assigns a Pod to a node, once", async ({ client, expect }) => {
  await pod(client, "a");
  const binding = client.subresource(Pod, "a", "binding");
  const target = { apiVersion: "v1", kind: "Node", name: "nowhere" };
  expect(masked(await binding.create({ target }))).toEqual({
    status: "Success",
    code: 201,
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
  });
  const bound = await client.get(Pod, "a");
  expect({ node: bound?.spec.nodeName, conditions: masked(bound?.status?.conditions) }).toEqual({
    conditions: [{ status: "True", type: "PodScheduled", lastProbeTime: null, lastTransitionTime: "<time>" }],
    node: "nowhere",
  });
  expect(await refusal(binding.create({ target }))).toEqual({
    code: 409,
    reason: "Conflict",
    message: 'Operation cannot be fulfilled on pods/binding "a": pod a is already assigned to node "nowhere"',
    details: { kind: "pods/binding", name: "a" },
  });
  await client.delete(Pod, "a", { graceSeconds: 0 });
});

scenario("a token can be created for a service account", async ({ client, namespace, expect }) => {
  const account = await client.create(ServiceAccount, { metadata: { name: "robot" } });
  const token = await client.subresource(ServiceAccount, "robot", "token").create({
    spec: { audiences: ["another"], expirationSeconds: 600 },
  });
  const { token: text = "", ...status } = token.status ?? {};
  expect(masked({ ...token, status })).toEqual({
    kind: "TokenRequest",
    apiVersion: "authentication.k8s.io/v1",
    metadata: { name: "robot", namespace, uid: "<uid>", creationTimestamp: "<time>" },
    spec: { audiences: ["another"], boundObjectRef: null, expirationSeconds: 600 },
    status: { expirationTimestamp: "<time>" },
  });
  const claims = JSON.parse(Buffer.from(text.split(".")[1] ?? "", "base64url").toString());
  expect({
    subject: claims.sub,
    audience: claims.aud,
    account: claims["kubernetes.io"].serviceaccount,
  }).toEqual({
    subject: `system:serviceaccount:${namespace}:robot`,
    audience: ["another"],
    account: { name: "robot", uid: account.metadata.uid },
  });
  expect(claims.exp - claims.iat).toBe(600);
});

scenario("a token lasts at least ten minutes", async ({ client, expect }) => {
  await client.create(ServiceAccount, { metadata: { name: "robot" } });
  const short = client
    .subresource(ServiceAccount, "robot", "token")
    .create({ spec: { audiences: [], expirationSeconds: 60 } });
  expect(await refusal(short)).toEqual({
    code: 422,
    reason: "Invalid",
    message:
      'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 60: may not specify a duration less than 10 minutes',
    details: {
      kind: "TokenRequest",
      group: "authentication.k8s.io",
      causes: [
        {
          reason: "FieldValueInvalid",
          message: "Invalid value: 60: may not specify a duration less than 10 minutes",
          field: "spec.expirationSeconds",
        },
      ],
    },
  });
});

scenario("the log of a Pod without a node is empty", async ({ client, expect }) => {
  await pod(client, "a");
  const lines: string[] = [];
  for await (const line of client.logs("a")) lines.push(line);
  expect(lines).toEqual([]);
});

scenario("the log of an absent container is an error", async ({ client, expect }) => {
  await pod(client, "a");
  expect(await refusal(firstOf(1, client.logs("a", { container: "other" })))).toEqual({
    code: 400,
    reason: "BadRequest",
    message: "container other is not valid for pod a",
  });
});

scenario("the log of an absent Pod is an error", async ({ client, expect }) => {
  expect(await refusal(firstOf(1, client.logs("none", { tailLines: 1, follow: true })))).toEqual({
    code: 404,
    reason: "NotFound",
    message: 'pods "none" not found',
    details: { kind: "pods", name: "none" },
  });
});

scenario("a node has no scale subresource", async ({ namespace: name, cluster, expect }) => {
  await cluster.client.create(Node, { metadata: { name } });
  try {
    expect(await refusal(cluster.client.subresource(Node, name, "scale").get())).toEqual({
      code: 404,
      reason: "NotFound",
      message: "the server could not find the requested resource",
      details: {},
    });
  } finally {
    await cluster.client.delete(Node, name);
  }
});

scenario("a subresource of any name is read and patched by its name", async ({ client, expect }) => {
  await pod(client, "main");
  const status = client.subresource(Pod, "main", "status");
  const patched = await status.patch({ merge: { status: { message: "by name" } } });
  expect(patched).toMatchObject({ kind: "Pod", status: { message: "by name" } });
  expect(await status.get()).toEqual(patched);
  const debug = { name: "debug", image: "none" };
  const added = await client
    .subresource(Pod, "main", "ephemeralcontainers")
    .patch({ strategic: { spec: { ephemeralContainers: [debug] } } });
  expect(added).toMatchObject({ spec: { ephemeralContainers: [debug] } });
  expect(await refusal(client.subresource(Pod, "main", "soup").get())).toMatchObject({ code: 404 });
});
