import { Deployment } from "trimtab/api/apps/v1";
import { ConfigMap, Service } from "trimtab/api/core/v1";
import { managersOf, masked } from "../masked.ts";
import { refusal } from "../refusal.ts";
import { scenario } from "../scenario.ts";
import { web } from "../web.ts";

scenario("an apply of an absent object creates it", async ({ client, namespace, expect }) => {
  const applied = await client.apply(ConfigMap, { metadata: { name: "a" }, data: { key: "value" } });
  expect(masked(applied)).toEqual({
    kind: "ConfigMap",
    apiVersion: "v1",
    metadata: {
      name: "a",
      namespace,
      uid: "<uid>",
      resourceVersion: "<version>",
      creationTimestamp: "<time>",
    },
    data: { key: "value" },
  });
  expect(managersOf(applied)).toEqual([
    {
      manager: client.fieldManager,
      operation: "Apply",
      time: "<time>",
      fieldsType: "FieldsV1",
      fieldsV1: { "f:data": { "f:key": {} } },
      apiVersion: "v1",
    },
  ]);
});

scenario("an unchanged apply changes nothing", async ({ client, expect }) => {
  const draft = { metadata: { name: "a", labels: { app: "a" } }, data: { key: "value" } };
  const applied = await client.apply(ConfigMap, draft);
  expect(await client.apply(ConfigMap, draft)).toEqual(applied);
});

scenario("a field that is no longer applied is removed", async ({ client, expect }) => {
  await client.apply(ConfigMap, {
    metadata: { name: "a", labels: { app: "a" } },
    data: { one: "1", two: "2" },
  });
  const { metadata, data } = await client.apply(ConfigMap, { metadata: { name: "a" }, data: { two: "2" } });
  expect({ labels: metadata.labels, data }).toEqual({ labels: undefined, data: { two: "2" } });
});

scenario("a field applied by two managers is removed when neither applies it", async ({ client, expect }) => {
  const metadata = { name: "a" };
  const data = { shared: "1" };
  const first = (fields: object) =>
    client.apply(ConfigMap, { metadata, ...fields }, { fieldManager: "first" });
  const second = (fields: object) =>
    client.apply(ConfigMap, { metadata, ...fields }, { fieldManager: "second" });
  await first({ data });
  expect(managersOf(await second({ data }))).toEqual([
    {
      manager: "second",
      operation: "Apply",
      fieldsType: "FieldsV1",
      fieldsV1: { "f:data": { "f:shared": {} } },
      apiVersion: "v1",
    },
    {
      manager: "first",
      operation: "Apply",
      time: "<time>",
      fieldsType: "FieldsV1",
      fieldsV1: { "f:data": { "f:shared": {} } },
      apiVersion: "v1",
    },
  ]);
  expect((await first({})).data).toEqual({ shared: "1" });
  expect((await second({})).data).toBeUndefined();
});

scenario("an apply of another manager's field is a conflict that names it", async ({ client, expect }) => {
  const draft = (replicas: number) => ({ ...web(), spec: { ...web().spec, replicas } });
  await client.apply(Deployment, draft(1), { fieldManager: "first" });
  expect(await refusal(client.apply(Deployment, draft(2), { fieldManager: "second" }))).toEqual({
    code: 409,
    reason: "Conflict",
    message: 'Apply failed with 1 conflict: conflict with "first": .spec.replicas',
    details: {
      causes: [{ reason: "FieldManagerConflict", message: 'conflict with "first"', field: ".spec.replicas" }],
    },
  });
});

scenario("a conflict of several fields has a cause for each", async ({ client, expect }) => {
  const metadata = { name: "a" };
  await client.apply(ConfigMap, { metadata, data: { one: "1", two: "1" } }, { fieldManager: "first" });
  const data = { one: "2", two: "2" };
  expect(await refusal(client.apply(ConfigMap, { metadata, data }, { fieldManager: "second" }))).toEqual({
    code: 409,
    reason: "Conflict",
    message: 'Apply failed with 2 conflicts: conflicts with "first":\n- .data.one\n- .data.two',
    details: {
      causes: [
        { reason: "FieldManagerConflict", message: 'conflict with "first"', field: ".data.one" },
        { reason: "FieldManagerConflict", message: 'conflict with "first"', field: ".data.two" },
      ],
    },
  });
});

scenario("an apply of a field from an update is a conflict", async ({ client, expect }) => {
  await client.create(
    ConfigMap,
    { metadata: { name: "a" }, data: { key: "1" } },
    { fieldManager: "creator" },
  );
  const draft = { metadata: { name: "a" }, data: { key: "2" } };
  expect(await refusal(client.apply(ConfigMap, draft))).toEqual({
    code: 409,
    reason: "Conflict",
    message: 'Apply failed with 1 conflict: conflict with "creator" using v1: .data.key',
    details: {
      causes: [
        { reason: "FieldManagerConflict", message: 'conflict with "creator" using v1', field: ".data.key" },
      ],
    },
  });
});

scenario("force takes the field from its manager", async ({ client, expect }) => {
  const metadata = { name: "a" };
  await client.apply(ConfigMap, { metadata, data: { key: "1", own: "1" } }, { fieldManager: "first" });
  const forced = await client.apply(
    ConfigMap,
    { metadata, data: { key: "2" } },
    { fieldManager: "second", force: true },
  );
  expect(forced.data).toEqual({ key: "2", own: "1" });
  expect(managersOf(forced)).toEqual([
    {
      manager: "first",
      operation: "Apply",
      time: "<time>",
      fieldsType: "FieldsV1",
      fieldsV1: { "f:data": { "f:own": {} } },
      apiVersion: "v1",
    },
    {
      manager: "second",
      operation: "Apply",
      time: "<time>",
      fieldsType: "FieldsV1",
      fieldsV1: { "f:data": { "f:key": {} } },
      apiVersion: "v1",
    },
  ]);
});

scenario(
  "an apply of the same value is no conflict, and both managers own the field",
  async ({ client, expect }) => {
    await client.create(
      ConfigMap,
      { metadata: { name: "a" }, data: { key: "1" } },
      { fieldManager: "creator" },
    );
    const draft = { metadata: { name: "a" }, data: { key: "1" } };
    const applied = await client.apply(ConfigMap, draft, { fieldManager: "applier" });
    expect(managersOf(applied)).toEqual([
      {
        manager: "applier",
        operation: "Apply",
        fieldsType: "FieldsV1",
        fieldsV1: { "f:data": { "f:key": {} } },
        apiVersion: "v1",
      },
      {
        manager: "creator",
        operation: "Update",
        time: "<time>",
        fieldsType: "FieldsV1",
        fieldsV1: { "f:data": { ".": {}, "f:key": {} } },
        apiVersion: "v1",
      },
    ]);
  },
);

scenario("items of a keyed list belong to the manager that applied them", async ({ client, expect }) => {
  const metadata = { name: "a" };
  const port = (number: number) => ({ name: `p${number}`, port: number });
  const apply = (fieldManager: string, ...ports: number[]) =>
    client.apply(Service, { metadata, spec: { ports: ports.map(port) } }, { fieldManager });
  await apply("second", 1, 2);
  const both = await apply("first", 3);
  expect(both.spec.ports?.map(({ name }) => name)).toEqual(["p1", "p2", "p3"]);
  const fewer = await apply("second", 2);
  expect(fewer.spec.ports?.map(({ name }) => name)).toEqual(["p2", "p3"]);
  expect(managersOf(fewer)).toEqual([
    {
      manager: "first",
      operation: "Apply",
      time: "<time>",
      fieldsType: "FieldsV1",
      fieldsV1: {
        "f:spec": { "f:ports": { 'k:{"port":3,"protocol":"TCP"}': { ".": {}, "f:name": {}, "f:port": {} } } },
      },
      apiVersion: "v1",
    },
    {
      manager: "second",
      operation: "Apply",
      time: "<time>",
      fieldsType: "FieldsV1",
      fieldsV1: {
        "f:spec": { "f:ports": { 'k:{"port":2,"protocol":"TCP"}': { ".": {}, "f:name": {}, "f:port": {} } } },
      },
      apiVersion: "v1",
    },
  ]);
});

scenario(
  "an apply refuses an unknown field with every fieldValidation",
  async ({ client, namespace, expect }) => {
    const draft = { metadata: { name: "a" }, colour: "red" };
    expect(await refusal(client.apply(ConfigMap, draft))).toEqual({
      code: 500,
      reason: "InternalError",
      message: `failed to create typed patch object (${namespace}/a; /v1, Kind=ConfigMap): .colour: field not declared in schema`,
    });
  },
);

scenario("an invalid apply is refused", async ({ client, expect }) => {
  const draft = { metadata: { name: "a" }, data: { "not a key": "" } };
  expect(await refusal(client.apply(ConfigMap, draft))).toMatchObject({ code: 422, reason: "Invalid" });
});

scenario("an apply to an immutable field is refused", async ({ client, expect }) => {
  await client.apply(Deployment, web());
  const selector = { matchLabels: { app: "web", tier: "web" } };
  const template = { metadata: { labels: selector.matchLabels } };
  const changed = { metadata: { name: "web" }, spec: { ...web().spec, selector, template } };
  expect(await refusal(client.apply(Deployment, changed))).toMatchObject({
    code: 422,
    reason: "Invalid",
    details: { name: "web", group: "apps", kind: "Deployment" },
  });
});

scenario("a dry run of an apply stores nothing", async ({ client, expect }) => {
  const draft = { metadata: { name: "a" }, data: { key: "value" } };
  expect((await client.apply(ConfigMap, draft, { dryRun: true })).data).toEqual({ key: "value" });
  expect(await client.get(ConfigMap, "a")).toBeUndefined();
});

scenario("an applied owner becomes the controller", async ({ client, expect }) => {
  const owner = await client.create(ConfigMap, { metadata: { name: "owner" } });
  const owned = await client.apply(ConfigMap, { metadata: { name: "owned" } }, { owner });
  expect(owned.metadata.ownerReferences).toEqual([
    {
      apiVersion: "v1",
      kind: "ConfigMap",
      name: "owner",
      uid: owner.metadata.uid,
      controller: true,
      blockOwnerDeletion: true,
    },
  ]);
  expect(managersOf(owned)).toEqual([
    {
      apiVersion: "v1",
      fieldsType: "FieldsV1",
      fieldsV1: { "f:metadata": { "f:ownerReferences": { [`k:{"uid":"${owner.metadata.uid}"}`]: {} } } },
      manager: client.fieldManager,
      operation: "Apply",
      time: "<time>",
    },
  ]);
});

scenario("an apply to an object ignores its status", async ({ client, expect }) => {
  const draft = { ...web(), status: { replicas: 3 } };
  expect((await client.apply(Deployment, draft)).status).toEqual({});
});

scenario("a completely applied Deployment is owned field by field", async ({ client, expect }) => {
  expect(managersOf(await client.apply(Deployment, web(2)))).toEqual([
    {
      manager: client.fieldManager,
      operation: "Apply",
      time: "<time>",
      fieldsType: "FieldsV1",
      fieldsV1: {
        "f:spec": {
          "f:replicas": {},
          "f:selector": {},
          "f:template": {
            "f:metadata": { "f:labels": { "f:app": {} } },
            "f:spec": { "f:containers": { 'k:{"name":"main"}': { ".": {}, "f:image": {}, "f:name": {} } } },
          },
        },
      },
      apiVersion: "apps/v1",
    },
  ]);
});

scenario("defaulted fields have no manager", async ({ client, expect }) => {
  await client.apply(Deployment, web(), { fieldManager: "first" });
  const metadata = { name: "web" };
  const scaled = await client.apply(
    Deployment,
    { metadata, spec: { replicas: 5 } },
    { fieldManager: "second" },
  );
  expect(scaled.spec.replicas).toBe(5);
  const released = await client.apply(Deployment, { metadata }, { fieldManager: "second" });
  expect(released.spec.replicas).toBe(1);
});
