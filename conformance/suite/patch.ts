import { Deployment } from "trimtab/api/apps/v1";
import { ConfigMap, Node, Pod, Service } from "trimtab/api/core/v1";
import type { JsonPatchStep } from "trimtab/client";
import { managersOf, masked } from "../masked.ts";
import { raw } from "../raw.ts";
import { refusal } from "../refusal.ts";
import { scenario } from "../scenario.ts";
import { web } from "../web.ts";

const json = (...steps: readonly JsonPatchStep[]) => ({ json: steps });

scenario("a JSON patch executes its operations in order", async ({ client, namespace, expect }) => {
  await client.create(ConfigMap, { metadata: { name: "a" }, data: { one: "1", two: "2", three: "3" } });
  const steps = json(
    { op: "test", path: "/data/one", value: "1" },
    { op: "replace", path: "/data/one", value: "10" },
    { op: "remove", path: "/data/two" },
    { op: "copy", from: "/data/one", path: "/data/four" },
    { op: "move", from: "/data/three", path: "/data/five" },
    { op: "add", path: "/metadata/labels", value: { "example.dev/part": "a" } },
    { op: "replace", path: "/metadata/labels/example.dev~1part", value: "b" },
  );
  expect(masked(await client.patch(ConfigMap, "a", steps))).toEqual({
    kind: "ConfigMap",
    apiVersion: "v1",
    metadata: {
      name: "a",
      namespace,
      uid: "<uid>",
      resourceVersion: "<version>",
      creationTimestamp: "<time>",
      labels: { "example.dev/part": "b" },
    },
    data: { one: "10", four: "10", five: "3" },
  });
});

scenario("a patch with the options of a forced apply succeeds", async ({ client, expect }) => {
  await client.create(ConfigMap, { metadata: { name: "a" }, data: { key: "1" } });
  const options = { force: true, fieldManager: "me" };
  const patched = await client.patch(ConfigMap, "a", { merge: { data: { key: "2" } } }, options);
  const applied = await client.apply(ConfigMap, { metadata: { name: "a" }, data: { key: "3" } }, options);
  expect([patched.data, applied.data]).toEqual([{ key: "2" }, { key: "3" }]);
});

scenario("a JSON patch whose test fails changes nothing", async ({ client, expect }) => {
  const created = await client.create(ConfigMap, { metadata: { name: "a" }, data: { key: "1" } });
  const steps = json(
    { op: "replace", path: "/data/key", value: "2" },
    { op: "test", path: "/data/key", value: "1" },
  );
  expect(await refusal(client.patch(ConfigMap, "a", steps))).toEqual({
    code: 422,
    reason: "Invalid",
    message: "the server rejected our request due to an error in our request",
    details: {},
  });
  expect(await client.get(ConfigMap, "a")).toEqual(created);
});

scenario("an absent field equals null in a test", async ({ client, expect }) => {
  await client.create(ConfigMap, { metadata: { name: "a" } });
  const steps = json(
    { op: "test", path: "/metadata/finalizers", value: null },
    { op: "add", path: "/data", value: { key: "value" } },
  );
  expect((await client.patch(ConfigMap, "a", steps)).data).toEqual({ key: "value" });
});

scenario("a JSON patch can test the resourceVersion", async ({ client, expect }) => {
  const { metadata } = await client.create(ConfigMap, { metadata: { name: "a" } });
  const test = { op: "test", path: "/metadata/resourceVersion", value: metadata.resourceVersion } as const;
  const add = { op: "add", path: "/data", value: {} } as const;
  await client.patch(ConfigMap, "a", json(test, { ...add, value: { key: "1" } }));
  expect(await refusal(client.patch(ConfigMap, "a", json(test, add)))).toMatchObject({ code: 422 });
});

scenario("a JSON patch of a missing path is refused", async ({ client, expect }) => {
  await client.create(ConfigMap, { metadata: { name: "a" } });
  const steps = json({ op: "add", path: "/data/key", value: "value" });
  expect(await refusal(client.patch(ConfigMap, "a", steps))).toEqual({
    code: 422,
    reason: "Invalid",
    message: "the server rejected our request due to an error in our request",
    details: {},
  });
});

scenario("a JSON patch addresses list items by index", async ({ client, expect }) => {
  const deployment = web();
  await client.create(Deployment, deployment);
  const containers = "/spec/template/spec/containers";
  const steps = json(
    { op: "add", path: `${containers}/-`, value: { name: "last", image: "last" } },
    { op: "add", path: `${containers}/0`, value: { name: "first", image: "first" } },
    { op: "remove", path: `${containers}/1` },
  );
  const { spec } = await client.patch(Deployment, "web", steps);
  expect(spec.template.spec?.containers.map(({ name }) => name)).toEqual(["first", "last"]);
});

scenario("a merge patch removes with null and replaces lists", async ({ client, expect }) => {
  await client.create(ConfigMap, {
    metadata: { name: "a", labels: { one: "1", two: "2" }, annotations: { note: "a" } },
    data: { key: "1" },
  });
  const merge = { metadata: { labels: { one: null, three: "3" }, annotations: null }, data: { key: "2" } };
  const { metadata, data } = await client.patch(ConfigMap, "a", { merge });
  expect({ labels: metadata.labels, annotations: metadata.annotations, data }).toEqual({
    labels: { two: "2", three: "3" },
    annotations: undefined,
    data: { key: "2" },
  });
});

scenario("a merge patch with containers replaces all of them", async ({ client, expect }) => {
  await client.create(Deployment, web());
  const containers = [{ name: "other", image: "other" }];
  const merge = { spec: { template: { spec: { containers } } } };
  const { spec } = await client.patch(Deployment, "web", { merge });
  expect(spec.template.spec?.containers.map(({ name }) => name)).toEqual(["other"]);
});

scenario("a merge patch with an old resourceVersion is a conflict", async ({ client, expect }) => {
  const { metadata } = await client.create(ConfigMap, { metadata: { name: "a" } });
  const { resourceVersion } = metadata;
  const merge = { metadata: { resourceVersion }, data: { key: "value" } };
  await client.patch(ConfigMap, "a", { merge });
  const again = client.patch(ConfigMap, "a", { merge: { ...merge, data: { key: "other" } } });
  expect(await refusal(again)).toEqual({
    code: 409,
    reason: "Conflict",
    message:
      'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
    details: { kind: "configmaps", name: "a" },
  });
});

scenario("a strategic merge patch merges lists by their keys", async ({ client, expect }) => {
  await client.create(Deployment, web());
  const containers = [
    { name: "main", env: [{ name: "A", value: "1" }] },
    { name: "side", image: "side" },
  ];
  const strategic = { spec: { template: { spec: { containers } } } };
  const { spec } = await client.patch(Deployment, "web", { strategic });
  const shown = spec.template.spec?.containers.map(({ name, image, env }) => ({ name, image, env }));
  expect(shown).toEqual([
    { name: "main", env: [{ name: "A", value: "1" }], image: "registry.example/web:1" },
    { name: "side", image: "side" },
  ]);
});

scenario("a strategic merge patch deletes, replaces and orders list items", async ({ client, expect }) => {
  const selector = { app: "a" };
  const ports = [
    { name: "a", port: 1 },
    { name: "b", port: 2 },
    { name: "c", port: 3 },
  ];
  await client.create(Service, { metadata: { name: "a" }, spec: { selector, ports } });
  const portsAfter = async (spec: object): Promise<unknown> => {
    const patched = await client.patch(Service, "a", { strategic: { spec } });
    return patched.spec.ports?.map(({ name, port }) => `${name}:${port}`);
  };
  expect(await portsAfter({ ports: [{ port: 2, $patch: "delete" }] })).toEqual(["a:1", "c:3"]);
  expect(await portsAfter({ "$setElementOrder/ports": [{ port: 3 }, { port: 1 }] })).toEqual(["c:3", "a:1"]);
  expect(await portsAfter({ ports: [{ name: "d", port: 4 }, { $patch: "replace" }] })).toEqual(["d:4"]);
  const replaced = await client.patch(Service, "a", {
    strategic: { spec: { selector: { $patch: "replace", tier: "web" } } },
  });
  expect(replaced.spec.selector).toEqual({ tier: "web" });
});

scenario("a strategic merge patch removes scalars from a list", async ({ client, expect }) => {
  const finalizers = ["example.dev/a", "example.dev/b"];
  await client.create(ConfigMap, { metadata: { name: "a", finalizers } });
  const strategic = (metadata: object) => ({ strategic: { metadata } });
  const added = await client.patch(ConfigMap, "a", strategic({ finalizers: ["example.dev/c"] }));
  expect(added.metadata.finalizers).toEqual(["example.dev/c", "example.dev/a", "example.dev/b"]);
  const left = await client.patch(
    ConfigMap,
    "a",
    strategic({ "$deleteFromPrimitiveList/finalizers": ["example.dev/a", "example.dev/c"] }),
  );
  expect(left.metadata.finalizers).toEqual(["example.dev/b"]);
  await client.patch(ConfigMap, "a", { merge: { metadata: { finalizers: null } } });
});

scenario("a strategic merge patch retains only the named keys of a union", async ({ client, expect }) => {
  await client.create(Deployment, web());
  const strategy = { $retainKeys: ["type"], type: "Recreate" } as const;
  const { spec } = await client.patch(Deployment, "web", { strategic: { spec: { strategy } } });
  expect(spec.strategy).toEqual({ type: "Recreate" });
});

scenario("an unknown directive is refused", async ({ client, expect }) => {
  await client.create(ConfigMap, { metadata: { name: "a" }, data: { key: "value" } });
  const strategic: object = { data: { $patch: "vanish" } };
  expect(await refusal(client.patch(ConfigMap, "a", { strategic }))).toEqual({
    code: 500,
    reason: "InternalError",
    message: "unknown patch type: vanish in map: map[$patch:vanish]",
  });
});

scenario("a patch of an absent object is refused", async ({ client, expect }) => {
  expect(await refusal(client.patch(ConfigMap, "none", { merge: {} }))).toEqual({
    code: 404,
    reason: "NotFound",
    message: 'configmaps "none" not found',
    details: { name: "none", kind: "configmaps" },
  });
});

scenario("a patch that changes nothing keeps the resourceVersion", async ({ client, expect }) => {
  const created = await client.create(ConfigMap, { metadata: { name: "a" }, data: { key: "value" } });
  expect(await client.patch(ConfigMap, "a", { merge: { data: { key: "value" } } })).toEqual(created);
});

scenario("a patch to an invalid object is refused", async ({ client, expect }) => {
  await client.create(Deployment, web());
  const broken = client.patch(Deployment, "web", { merge: { spec: { replicas: -1 } } });
  expect(await refusal(broken)).toEqual({
    code: 422,
    reason: "Invalid",
    message:
      'Deployment.apps "web" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    details: {
      kind: "Deployment",
      name: "web",
      group: "apps",
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

scenario("a patch that changes the type of a field is refused", async ({ client, expect }) => {
  await client.create(Deployment, web());
  const merge: object = { spec: { replicas: "many" } };
  const broken = client.patch(Deployment, "web", { merge });
  const problem =
    /Invalid value: "\{.*\}": json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32$/;
  expect(await refusal(broken)).toEqual(unreadable(expect.stringMatching(problem)));
});

scenario("a strict patch refuses unknown fields", async ({ client, expect }) => {
  await client.create(ConfigMap, { metadata: { name: "a" } });
  const merge: object = { colour: "red" };
  const strict = client.patch(ConfigMap, "a", { merge }, { fieldValidation: "Strict" });
  const problem = /Invalid value: "\{.*\}": strict decoding error: unknown field "colour"$/;
  expect(await refusal(strict)).toEqual(unreadable(expect.stringMatching(problem)));
});

/**
 * Returns the error of a patch whose result cannot be decoded. Its message contains that result and ends with the
 * cause.
 */
const unreadable = (message: unknown) => ({
  code: 422,
  reason: "Invalid",
  message,
  details: { causes: [{ reason: "FieldValueInvalid", message, field: "patch" }] },
});

scenario("the patching manager owns the changed fields", async ({ client, expect }) => {
  await client.create(ConfigMap, { metadata: { name: "a" }, data: { kept: "1" } }, { fieldManager: "first" });
  const merge = { data: { added: "1" } };
  const patched = await client.patch(ConfigMap, "a", { merge }, { fieldManager: "second" });
  expect(managersOf(patched)).toEqual([
    {
      manager: "first",
      operation: "Update",
      time: "<time>",
      fieldsType: "FieldsV1",
      fieldsV1: { "f:data": { ".": {}, "f:kept": {} } },
      apiVersion: "v1",
    },
    {
      manager: "second",
      operation: "Update",
      time: "<time>",
      fieldsType: "FieldsV1",
      fieldsV1: { "f:data": { "f:added": {} } },
      apiVersion: "v1",
    },
  ]);
});

scenario("a dry run of a patch stores nothing", async ({ client, expect }) => {
  const created = await client.create(ConfigMap, { metadata: { name: "a" } });
  const tried = await client.patch(ConfigMap, "a", { merge: { data: { key: "value" } } }, { dryRun: true });
  expect(tried.data).toEqual({ key: "value" });
  expect(await client.get(ConfigMap, "a")).toEqual(created);
});

scenario("an unsupported patch type is refused", async ({ client, namespace, expect }) => {
  await client.create(ConfigMap, { metadata: { name: "a" } });
  const path = `/api/v1/namespaces/${namespace}/configmaps/a`;
  expect(await raw(client, path, { method: "PATCH", body: "{}", type: "application/json" })).toEqual({
    status: 415,
    body: {
      status: "Failure",
      code: 415,
      reason: "UnsupportedMediaType",
      message: "415: Unsupported Media Type",
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      details: {},
    },
  });
});

scenario("a patch that is not JSON is refused", async ({ client, namespace, expect }) => {
  await client.create(ConfigMap, { metadata: { name: "a" } });
  const path = `/api/v1/namespaces/${namespace}/configmaps/a`;
  const type = "application/merge-patch+json";
  expect(await raw(client, path, { method: "PATCH", body: "{", type })).toEqual({
    status: 400,
    body: {
      status: "Failure",
      code: 400,
      reason: "BadRequest",
      message: "error decoding patch: unexpected end of JSON input",
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
    },
  });
});

scenario("a cluster-scoped object can be patched", async ({ namespace: name, cluster, expect }) => {
  await cluster.client.create(Node, { metadata: { name } });
  try {
    const patched = await cluster.client.patch(Node, name, { strategic: { spec: { unschedulable: true } } });
    expect(patched.spec.unschedulable).toBe(true);
  } finally {
    await cluster.client.delete(Node, name);
  }
});

scenario(
  "a Pod's image is one of the few spec fields that a patch can change",
  async ({ client, expect }) => {
    const containers = [{ name: "main", image: "one" }];
    await client.create(Pod, { metadata: { name: "a" }, spec: { schedulerName: "none", containers } });
    const image = { spec: { containers: [{ name: "main", image: "two" }] } };
    const { spec } = await client.patch(Pod, "a", { strategic: image });
    expect(spec.containers[0]?.image).toBe("two");
    const command = { spec: { containers: [{ name: "main", command: ["run"] }] } };
    const { code, reason, details } = await refusal(client.patch(Pod, "a", { strategic: command }));
    expect({ code, reason, details }).toMatchObject({
      code: 422,
      reason: "Invalid",
      details: { name: "a", kind: "Pod", causes: [{ reason: "FieldValueForbidden", field: "spec" }] },
    });
  },
);
