import { Deployment } from "trimtab/api/apps/v1";
import { ConfigMap, Secret } from "trimtab/api/core/v1";
import { managersOf, masked } from "../masked.ts";
import { raw } from "../raw.ts";
import { refusal } from "../refusal.ts";
import { scenario } from "../scenario.ts";
import { web } from "../web.ts";

scenario("an update replaces the object", async ({ client, namespace, expect }) => {
  const created = await client.create(ConfigMap, {
    metadata: { name: "a", labels: { app: "a" } },
    data: { one: "1", two: "2" },
  });
  const { labels: _, ...metadata } = created.metadata;
  const updated = await client.update(ConfigMap, { ...created, metadata, data: { two: "3" } });
  expect(masked(updated)).toEqual({
    kind: "ConfigMap",
    apiVersion: "v1",
    metadata: {
      name: "a",
      namespace,
      uid: "<uid>",
      resourceVersion: "<version>",
      creationTimestamp: "<time>",
    },
    data: { two: "3" },
  });
  expect(updated.metadata.uid).toBe(created.metadata.uid);
  expect(updated.metadata.resourceVersion).not.toBe(created.metadata.resourceVersion);
  expect(await client.get(ConfigMap, "a")).toEqual(updated);
});

scenario("an update of a changed object is a conflict", async ({ client, expect }) => {
  const stale = await client.create(ConfigMap, { metadata: { name: "a" } });
  await client.update(ConfigMap, { ...stale, data: { writer: "first" } });
  expect(await refusal(client.update(ConfigMap, { ...stale, data: { writer: "second" } }))).toEqual({
    code: 409,
    reason: "Conflict",
    message:
      'Operation cannot be fulfilled on configmaps "a": the object has been modified; ' +
      "please apply your changes to the latest version and try again",
    details: { name: "a", kind: "configmaps" },
  });
  expect((await client.get(ConfigMap, "a"))?.data).toEqual({ writer: "first" });
});

scenario("an update without a resourceVersion overwrites", async ({ client, expect }) => {
  const { metadata, ...rest } = await client.create(ConfigMap, { metadata: { name: "a" } });
  await client.patch(ConfigMap, "a", { merge: { data: { writer: "first" } } });
  const { resourceVersion: _, ...versionless } = metadata;
  const updated = await client.update(ConfigMap, {
    ...rest,
    metadata: { ...versionless, resourceVersion: "" },
    data: { writer: "second" },
  });
  expect(updated.data).toEqual({ writer: "second" });
});

scenario("an update with another uid is a conflict", async ({ client, expect }) => {
  const { metadata, ...rest } = await client.create(ConfigMap, { metadata: { name: "a" } });
  const other = { ...rest, metadata: { ...metadata, uid: "another", resourceVersion: "" } };
  expect(await refusal(client.update(ConfigMap, other))).toEqual({
    code: 409,
    reason: "Conflict",
    message:
      'Operation cannot be fulfilled on configmaps "a": StorageError: invalid object, Code: 4, ' +
      `Key: /registry/configmaps/${metadata.namespace}/a, ResourceVersion: 0, ` +
      `AdditionalErrorMsg: Precondition failed: UID in precondition: another, UID in object meta: ${metadata.uid}`,
    details: { name: "a", kind: "configmaps" },
  });
});

scenario("an update of an absent object is refused", async ({ client, expect }) => {
  const gone = await client.create(ConfigMap, { metadata: { name: "a" } });
  await client.delete(ConfigMap, gone);
  expect(await refusal(client.update(ConfigMap, gone))).toEqual({
    code: 404,
    reason: "NotFound",
    message: 'configmaps "a" not found',
    details: { kind: "configmaps", name: "a" },
  });
});

scenario("an update that changes nothing keeps the resourceVersion", async ({ client, expect }) => {
  const created = await client.create(ConfigMap, { metadata: { name: "a" }, data: { key: "value" } });
  expect(await client.update(ConfigMap, created)).toEqual(created);
});

scenario("an update of an immutable field is refused", async ({ client, expect }) => {
  const created = await client.create(Deployment, web());
  const selector = { matchLabels: { app: "other" } };
  const template = { ...created.spec.template, metadata: { labels: { app: "other" } } };
  const changed = { ...created, spec: { ...created.spec, selector, template } };
  expect(await refusal(client.update(Deployment, changed))).toEqual({
    code: 422,
    reason: "Invalid",
    message:
      'Deployment.apps "web" is invalid: spec.selector: Invalid value: {"matchLabels":{"app":"other"}}: field is immutable',
    details: {
      kind: "Deployment",
      name: "web",
      group: "apps",
      causes: [
        {
          reason: "FieldValueInvalid",
          message: 'Invalid value: {"matchLabels":{"app":"other"}}: field is immutable',
          field: "spec.selector",
        },
      ],
    },
  });
});

scenario("an immutable Secret keeps its data", async ({ client, expect }) => {
  const secret = await client.create(Secret, {
    metadata: { name: "a" },
    immutable: true,
    stringData: { a: "1" },
  });
  expect({ data: secret.data, type: secret.type }).toEqual({ data: { a: "MQ==" }, type: "Opaque" });
  expect(await refusal(client.update(Secret, { ...secret, data: { a: "Mg==" } }))).toEqual({
    code: 422,
    reason: "Invalid",
    message: 'Secret "a" is invalid: data: Forbidden: field is immutable when `immutable` is set',
    details: {
      kind: "Secret",
      name: "a",
      causes: [
        {
          reason: "FieldValueForbidden",
          message: "Forbidden: field is immutable when `immutable` is set",
          field: "data",
        },
      ],
    },
  });
});

scenario("a Deployment's generation counts changes of its spec", async ({ client, expect }) => {
  const generations: unknown[] = [];
  let deployment = await client.create(Deployment, web());
  const update = async (changes: Partial<Deployment>): Promise<void> => {
    deployment = await client.update(Deployment, { ...deployment, ...changes });
    generations.push(deployment.metadata.generation);
  };
  await update({ metadata: { ...deployment.metadata, labels: { app: "web" } } });
  await update({ spec: { ...deployment.spec, replicas: 3 } });
  await update({ metadata: { ...deployment.metadata, annotations: { note: "" } } });
  await update({});
  expect(generations).toEqual([1, 2, 3, 3]);
});

scenario("the updating manager owns the changed fields", async ({ client, expect }) => {
  const created = await client.create(
    ConfigMap,
    { metadata: { name: "a" }, data: { kept: "1", changed: "1" } },
    { fieldManager: "first" },
  );
  const data = { kept: "1", changed: "2", added: "1" };
  const updated = await client.update(ConfigMap, { ...created, data }, { fieldManager: "second" });
  expect(managersOf(updated)).toEqual([
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
      fieldsV1: { "f:data": { "f:added": {}, "f:changed": {} } },
      apiVersion: "v1",
    },
  ]);
});

scenario("a dry run of an update stores nothing", async ({ client, expect }) => {
  const created = await client.create(ConfigMap, { metadata: { name: "a" } });
  const tried = await client.update(ConfigMap, { ...created, data: { key: "value" } }, { dryRun: true });
  expect(tried.data).toEqual({ key: "value" });
  expect(await client.get(ConfigMap, "a")).toEqual(created);
});

scenario("an update with another name is refused", async ({ client, namespace, expect }) => {
  await client.create(ConfigMap, { metadata: { name: "a" } });
  const path = `/api/v1/namespaces/${namespace}/configmaps/a`;
  const body = '{"metadata":{"name":"b"}}';
  expect(await raw(client, path, { method: "PUT", body })).toEqual({
    status: 400,
    body: {
      status: "Failure",
      code: 400,
      reason: "BadRequest",
      message: "the name of the object (b) does not match the name on the URL (a)",
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
    },
  });
});

scenario("an update without managedFields keeps those of other managers", async ({ client, expect }) => {
  const drawn = { metadata: { name: "a" }, data: { one: "1" } };
  await client.create(ConfigMap, drawn, { fieldManager: "a-maker" });
  const [listed] = await client.list(ConfigMap);
  if (!listed) throw new Error("expected one ConfigMap, got none");
  const data = { ...listed.data, two: "2" };
  const updated = await client.update(ConfigMap, { ...listed, data }, { fieldManager: "b-changer" });
  expect(managersOf(updated)).toEqual([
    managed("a-maker", { "f:data": { ".": {}, "f:one": {} } }),
    managed("b-changer", { "f:data": { "f:two": {} } }),
  ]);
});

function managed(manager: string, fieldsV1: object): object {
  return { manager, operation: "Update", apiVersion: "v1", time: "<time>", fieldsType: "FieldsV1", fieldsV1 };
}
