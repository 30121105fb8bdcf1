import { Deployment } from "trimtab/api/apps/v1";
import { ConfigMap, Namespace, Pod } from "trimtab/api/core/v1";
import { masked } from "../masked.ts";
import { refusal } from "../refusal.ts";
import { scenario } from "../scenario.ts";
import { web } from "../web.ts";

scenario("an update of an object keeps its status", async ({ client, expect }) => {
  const created = await client.create(Deployment, web());
  await client.applyStatus(Deployment, "web", { replicas: 1 });
  const current = await client.update(Deployment, {
    ...created,
    metadata: { ...created.metadata, resourceVersion: "" },
    spec: { ...created.spec, replicas: 3 },
    status: { replicas: 9 },
  });
  expect({ replicas: current.spec.replicas, status: current.status }).toEqual({
    replicas: 3,
    status: { replicas: 1 },
  });
  const patched = await client.patch(Deployment, "web", { merge: { status: { replicas: 9 } } });
  expect(patched).toEqual(current);
});

scenario("an update of the status keeps spec and labels", async ({ client, expect }) => {
  const created = await client.create(Deployment, web());
  const changed = {
    ...created,
    metadata: { ...created.metadata, labels: { app: "other" } },
    spec: { ...created.spec, replicas: 9 },
    status: { replicas: 1, observedGeneration: 1 },
  };
  const updated = await client.update(Deployment, changed, { subresource: "status" });
  const { metadata, spec, status } = updated;
  expect({ labels: metadata.labels, generation: metadata.generation, spec, status }).toEqual({
    labels: undefined,
    generation: 1,
    spec: created.spec,
    status: { replicas: 1, observedGeneration: 1 },
  });
});

scenario("a status update of a changed object is a conflict", async ({ client, expect }) => {
  const stale = await client.create(Deployment, web());
  await client.patch(Deployment, "web", { merge: { spec: { replicas: 2 } } });
  const update = client.update(Deployment, { ...stale, status: { replicas: 1 } }, { subresource: "status" });
  expect(await refusal(update)).toMatchObject({ code: 409, reason: "Conflict" });
});

scenario("a status can be patched with every patch type", async ({ client, expect }) => {
  await client.create(Deployment, web());
  const subresource = "status";
  await client.patch(Deployment, "web", { merge: { status: { replicas: 3 } } }, { subresource });
  await client.patch(
    Deployment,
    "web",
    { json: [{ op: "add", path: "/status/readyReplicas", value: 2 }] },
    { subresource },
  );
  const condition = { type: "Available", status: "True" };
  const strategic = { status: { conditions: [condition] } };
  const patched = await client.patch(Deployment, "web", { strategic }, { subresource });
  expect(masked(patched.status)).toEqual({
    conditions: [{ status: "True", type: "Available", lastTransitionTime: null, lastUpdateTime: null }],
    readyReplicas: 2,
    replicas: 3,
  });
});

scenario("an applied status is owned through the subresource", async ({ client, expect }) => {
  await client.create(Deployment, web(), { fieldManager: "creator" });
  const applied = await client.applyStatus(
    Deployment,
    "web",
    { replicas: 1 },
    { fieldManager: "controller" },
  );
  expect(applied.status).toEqual({ replicas: 1 });
  const [own, creators] = applied.metadata.managedFields ?? [];
  expect(masked(own)).toEqual({
    manager: "controller",
    operation: "Apply",
    apiVersion: "apps/v1",
    time: "<time>",
    fieldsType: "FieldsV1",
    fieldsV1: { "f:status": { "f:replicas": {} } },
    subresource: "status",
  });
  expect(creators).toMatchObject({ manager: "creator", operation: "Update" });
});

scenario("conditions of several managers are kept side by side", async ({ client, expect }) => {
  await client.create(Deployment, web());
  const condition = (type: string) => ({ type, status: "True" as const });
  const apply = (fieldManager: string, ...types: readonly string[]) =>
    client.applyStatus(Deployment, "web", { conditions: types.map(condition) }, { fieldManager });
  await apply("first", "A", "B");
  await apply("second", "C");
  const { status } = await apply("first", "B");
  expect(status?.conditions?.map(({ type }) => type)).toEqual(["B", "C"]);
});

scenario(
  "a status applied by another manager is a conflict, and can be forced",
  async ({ client, expect }) => {
    await client.create(Deployment, web());
    await client.applyStatus(Deployment, "web", { replicas: 1 }, { fieldManager: "first" });
    const other = { fieldManager: "second" };
    expect(await refusal(client.applyStatus(Deployment, "web", { replicas: 2 }, other))).toEqual({
      code: 409,
      reason: "Conflict",
      message:
        'Apply failed with 1 conflict: conflict with "first" with subresource "status": .status.replicas',
      details: {
        causes: [
          {
            reason: "FieldManagerConflict",
            message: 'conflict with "first" with subresource "status"',
            field: ".status.replicas",
          },
        ],
      },
    });
    const forced = await client.applyStatus(Deployment, "web", { replicas: 2 }, { ...other, force: true });
    expect(forced.status).toEqual({ replicas: 2 });
  },
);

scenario("a status for an earlier object with the same name is refused", async ({ client, expect }) => {
  const earlier = await client.create(Deployment, web());
  await client.delete(Deployment, earlier);
  const later = await client.create(Deployment, web());
  const message = `Invalid value: "${earlier.metadata.uid}": field is immutable`;
  const cause = { reason: "FieldValueInvalid", message, field: "metadata.uid" };
  expect(await refusal(client.applyStatus(Deployment, earlier, { replicas: 1 }))).toEqual({
    code: 422,
    reason: "Invalid",
    message: `Deployment.apps "web" is invalid: metadata.uid: ${message}`,
    details: { name: "web", group: "apps", kind: "Deployment", causes: [cause, cause] },
  });
  expect(await client.get(Deployment, "web")).toEqual(later);
  const applied = await client.applyStatus(Deployment, later, { replicas: 1 });
  expect(applied.status).toEqual({ replicas: 1 });
});

scenario("a status of an absent object is refused", async ({ client, expect }) => {
  expect(await refusal(client.applyStatus(Deployment, "web", { replicas: 1 }))).toEqual({
    code: 404,
    reason: "NotFound",
    message: 'deployments.apps "web" not found',
    details: { kind: "deployments", name: "web", group: "apps" },
  });
});

scenario("a kind without a status has no status subresource", async ({ client, expect }) => {
  const object = await client.create(ConfigMap, { metadata: { name: "a" } });
  expect(await refusal(client.update(ConfigMap, object, { subresource: "status" }))).toEqual({
    code: 404,
    reason: "NotFound",
    message: "the server could not find the requested resource",
    details: {},
  });
});

scenario("a dry run of a status stores nothing", async ({ client, expect }) => {
  const created = await client.create(Deployment, web());
  const tried = await client.applyStatus(Deployment, created, { replicas: 1 }, { dryRun: true });
  expect(tried.status).toEqual({ replicas: 1 });
  expect(await client.get(Deployment, "web")).toEqual(created);
});

scenario("a Pod's phase is set through its status", async ({ client, expect }) => {
  const containers = [{ name: "main", image: "none" }];
  const pod = await client.create(Pod, {
    metadata: { name: "a" },
    spec: { schedulerName: "none", containers },
  });
  const running = await client.applyStatus(Pod, pod, { phase: "Running" });
  expect(masked(running.status)).toEqual({ phase: "Running", qosClass: "BestEffort" });
});

scenario("a namespace has a status subresource", async ({ namespace, cluster, expect }) => {
  const merge = { status: { conditions: [{ type: "Seen", status: "True", reason: "Test", message: "" }] } };
  const patched = await cluster.client.patch(Namespace, namespace, { merge }, { subresource: "status" });
  expect(masked(patched.status)).toEqual({
    conditions: [{ status: "True", type: "Seen", reason: "Test", lastTransitionTime: null }],
    phase: "Active",
  });
});
