import { Deployment } from "trimtab/api/apps/v1";
import { Job } from "trimtab/api/batch/v1";
import { ConfigMap, Namespace, Pod } from "trimtab/api/core/v1";
import type { Client } from "trimtab/client";
import { masked } from "../masked.ts";
import { raw } from "../raw.ts";
import { refusal } from "../refusal.ts";
import { scenario } from "../scenario.ts";
import { web } from "../web.ts";

async function names(client: Client): Promise<string[]> {
  return (await client.list(ConfigMap)).map(({ metadata }) => metadata.name);
}

/** Removes the finalizers of an object, so that it is deleted. */
async function release(client: Client, name: string): Promise<void> {
  await client.patch(ConfigMap, name, { merge: { metadata: { finalizers: null } } });
}

scenario("a deleted object is not found", async ({ client, expect }) => {
  await client.create(ConfigMap, { metadata: { name: "a" } });
  await client.delete(ConfigMap, "a");
  expect(await client.get(ConfigMap, "a")).toBeUndefined();
});

scenario("a delete returns a Status that names the deleted object", async ({ client, namespace, expect }) => {
  await client.create(ConfigMap, { metadata: { name: "a" } });
  const path = `/api/v1/namespaces/${namespace}/configmaps/a`;
  expect(masked(await raw(client, path, { method: "DELETE" }))).toEqual({
    status: 200,
    body: {
      status: "Success",
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      details: { kind: "configmaps", name: "a", uid: "<uid>" },
    },
  });
});

scenario("a delete of a Pod returns the Pod", async ({ client, namespace, expect }) => {
  const containers = [{ name: "main", image: "none" }];
  await client.create(Pod, { metadata: { name: "a" }, spec: { schedulerName: "none", containers } });
  const path = `/api/v1/namespaces/${namespace}/pods/a`;
  const { status, body } = await raw(client, path, { method: "DELETE" });
  const { kind, metadata } = body as Pod;
  expect(masked({ status, kind, metadata })).toEqual({
    status: 200,
    kind: "Pod",
    metadata: {
      name: "a",
      namespace,
      uid: "<uid>",
      resourceVersion: "<version>",
      generation: 2,
      creationTimestamp: "<time>",
      deletionGracePeriodSeconds: 0,
      deletionTimestamp: "<time>",
    },
  });
});

scenario("a delete of an absent object returns undefined", async ({ client, cluster, expect }) => {
  await client.delete(ConfigMap, "none");
  await cluster.client.delete(ConfigMap, "none/none");
  expect(await client.get(ConfigMap, "none")).toBeUndefined();
});

scenario("a delete by uid spares another object with the same name", async ({ client, expect }) => {
  const first = await client.create(ConfigMap, { metadata: { name: "a" } });
  await client.delete(ConfigMap, first);
  const second = await client.create(ConfigMap, { metadata: { name: "a" } });
  expect(await refusal(client.delete(ConfigMap, first))).toEqual({
    code: 409,
    reason: "Conflict",
    message:
      `Operation cannot be fulfilled on ConfigMap "a": the UID in the precondition (${first.metadata.uid}) does not ` +
      `match the UID in record (${second.metadata.uid}). The object might have been deleted and then recreated`,
    details: { name: "a", kind: "ConfigMap" },
  });
  expect(await client.get(ConfigMap, "a")).toEqual(second);
});

scenario("a delete by resourceVersion spares every other version", async ({ client, expect }) => {
  const first = await client.create(ConfigMap, { metadata: { name: "a" } });
  const second = await client.update(ConfigMap, { ...first, data: { key: "value" } });
  const { resourceVersion } = first.metadata;
  expect(await refusal(client.delete(ConfigMap, "a", { resourceVersion }))).toEqual({
    code: 409,
    reason: "Conflict",
    message:
      `Operation cannot be fulfilled on ConfigMap "a": the ResourceVersion in the precondition (${resourceVersion}) ` +
      `does not match the ResourceVersion in record (${second.metadata.resourceVersion}). ` +
      "The object might have been modified",
    details: { name: "a", kind: "ConfigMap" },
  });
  await client.delete(ConfigMap, "a", { resourceVersion: second.metadata.resourceVersion });
  expect(await client.get(ConfigMap, "a")).toBeUndefined();
});

scenario("a dry run of a delete deletes nothing", async ({ client, expect }) => {
  const created = await client.create(ConfigMap, { metadata: { name: "a" } });
  await client.delete(ConfigMap, "a", { dryRun: true });
  expect(await client.get(ConfigMap, "a")).toEqual(created);
});

scenario(
  "finalizers keep a deleted object until the last is removed",
  async ({ client, namespace, expect }) => {
    const finalizers = ["example.dev/a", "example.dev/b"];
    await client.create(ConfigMap, { metadata: { name: "a", finalizers } });
    await client.delete(ConfigMap, "a");
    const kept = await client.get(ConfigMap, "a");
    expect(masked(kept)).toEqual({
      kind: "ConfigMap",
      apiVersion: "v1",
      metadata: {
        name: "a",
        namespace,
        uid: "<uid>",
        resourceVersion: "<version>",
        creationTimestamp: "<time>",
        deletionTimestamp: "<time>",
        deletionGracePeriodSeconds: 0,
        finalizers,
      },
    });
    await client.delete(ConfigMap, "a");
    expect(await client.get(ConfigMap, "a")).toEqual(kept);
    await client.patch(ConfigMap, "a", { merge: { metadata: { finalizers: ["example.dev/b"] } } });
    expect((await client.get(ConfigMap, "a"))?.metadata.finalizers).toEqual(["example.dev/b"]);
    await release(client, "a");
    expect(await client.get(ConfigMap, "a")).toBeUndefined();
  },
);

scenario("a terminating object accepts no new finalizer", async ({ client, expect }) => {
  await client.create(ConfigMap, { metadata: { name: "a", finalizers: ["example.dev/a"] } });
  await client.delete(ConfigMap, "a");
  const merge = { metadata: { finalizers: ["example.dev/a", "example.dev/b"] } };
  expect(await refusal(client.patch(ConfigMap, "a", { merge }))).toEqual({
    code: 422,
    reason: "Invalid",
    message:
      'ConfigMap "a" is invalid: metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"example.dev/b"}',
    details: {
      kind: "ConfigMap",
      name: "a",
      causes: [
        {
          reason: "FieldValueForbidden",
          message:
            'Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"example.dev/b"}',
          field: "metadata.finalizers",
        },
        {
          reason: "FieldValueForbidden",
          message:
            'Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"example.dev/b"}',
          field: "metadata.finalizers",
        },
      ],
    },
  });
  await release(client, "a");
});

scenario("a delete increments the generation of kinds that have one", async ({ client, expect }) => {
  const deployment = web();
  const metadata = { ...deployment.metadata, finalizers: ["example.dev/a"] };
  await client.create(Deployment, { ...deployment, metadata });
  await client.delete(Deployment, "web");
  expect((await client.get(Deployment, "web"))?.metadata.generation).toBe(2);
  await client.patch(Deployment, "web", { merge: { metadata: { finalizers: null } } });
});

scenario("with foreground propagation, an object waits for its dependents", async ({ client, expect }) => {
  await client.create(ConfigMap, { metadata: { name: "a" } });
  await client.delete(ConfigMap, "a", { propagation: "Foreground" });
  const waiting = await client.get(ConfigMap, "a");
  expect(waiting?.metadata.finalizers).toEqual(["foregroundDeletion"]);
  await release(client, "a");
});

scenario("an object that orphans its dependents waits until that is done", async ({ client, expect }) => {
  await client.create(ConfigMap, { metadata: { name: "a" } });
  await client.delete(ConfigMap, "a", { propagation: "Orphan" });
  const waiting = await client.get(ConfigMap, "a");
  expect(waiting?.metadata.finalizers).toEqual(["orphan"]);
  await release(client, "a");
});

scenario("with background propagation, an object is deleted at once", async ({ client, expect }) => {
  await client.create(ConfigMap, { metadata: { name: "a" } });
  await client.delete(ConfigMap, "a", { propagation: "Background" });
  expect(await client.get(ConfigMap, "a")).toBeUndefined();
});

scenario("an unknown propagation policy is refused", async ({ client, namespace, expect }) => {
  await client.create(ConfigMap, { metadata: { name: "a" } });
  const path = `/api/v1/namespaces/${namespace}/configmaps/a`;
  const body = '{"propagationPolicy":"Sideways"}';
  expect(await raw(client, path, { method: "DELETE", body })).toEqual({
    status: 422,
    body: {
      status: "Failure",
      code: 422,
      reason: "Invalid",
      message:
        'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "Sideways": supported values: "Foreground", "Background", "Orphan", "nil"',
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      details: {
        kind: "DeleteOptions",
        group: "meta.k8s.io",
        causes: [
          {
            reason: "FieldValueNotSupported",
            message:
              'Unsupported value: "Sideways": supported values: "Foreground", "Background", "Orphan", "nil"',
            field: "propagationPolicy",
          },
        ],
      },
    },
  });
});

scenario("a Job orphans its Pods by default", async ({ client, expect }) => {
  await client.create(Job, {
    metadata: { name: "a" },
    spec: {
      suspend: true,
      template: { spec: { restartPolicy: "Never", containers: [{ name: "main", image: "none" }] } },
    },
  });
  await client.delete(Job, "a");
  expect((await client.get(Job, "a"))?.metadata.finalizers).toEqual(["orphan"]);
  await client.patch(Job, "a", { merge: { metadata: { finalizers: null } } });
});

scenario("a Pod on a node has a grace period, unless it is set to zero", async ({ client, expect }) => {
  const containers = [{ name: "main", image: "none" }];
  await client.create(Pod, { metadata: { name: "a" }, spec: { nodeName: "nowhere", containers } });
  await client.delete(Pod, "a", { graceSeconds: 10 });
  const leaving = (await client.get(Pod, "a"))?.metadata;
  expect(
    masked({ deletion: leaving?.deletionTimestamp, grace: leaving?.deletionGracePeriodSeconds }),
  ).toEqual({
    deletion: "<time>",
    grace: 10,
  });
  await client.delete(Pod, "a", { graceSeconds: 0 });
  expect(await client.get(Pod, "a")).toBeUndefined();
});

scenario("a Pod without a node is deleted at once", async ({ client, expect }) => {
  const containers = [{ name: "main", image: "none" }];
  await client.create(Pod, { metadata: { name: "a" }, spec: { schedulerName: "none", containers } });
  await client.delete(Pod, "a");
  expect(await client.get(Pod, "a")).toBeUndefined();
});

scenario(
  "a deleted namespace is terminating before it is removed",
  async ({ namespace, cluster, expect }) => {
    const { client } = cluster;
    const name = `${namespace}-ending`;
    await client.create(Namespace, { metadata: { name } });
    await client.create(ConfigMap, {
      metadata: { namespace: name, name: "kept", finalizers: ["example.dev/a"] },
    });
    await client.delete(Namespace, name);
    const ending = await client.get(Namespace, name);
    expect(ending?.status?.phase).toBe("Terminating");
    const late = client.create(ConfigMap, { metadata: { namespace: name, name: "late" } });
    expect(await refusal(late)).toEqual({
      code: 403,
      reason: "Forbidden",
      message: `configmaps "late" is forbidden: unable to create new content in namespace ${name} because it is being terminated`,
      details: {
        name: "late",
        kind: "configmaps",
        causes: [
          {
            reason: "NamespaceTerminating",
            message: `namespace ${name} is being terminated`,
            field: "metadata.namespace",
          },
        ],
      },
    });
    const merge = { metadata: { finalizers: null } };
    await client.patch(ConfigMap, { namespace: name, name: "kept" }, { merge });
  },
);

scenario(
  "deleteAll deletes the objects that labels select, in its namespace only",
  async ({ client, expect }) => {
    for (const [name, app] of Object.entries({ a: "one", b: "two", c: "one" })) {
      await client.create(ConfigMap, { metadata: { name, labels: { app } } });
    }
    await client.deleteAll(ConfigMap, { labels: { app: "one" } });
    expect(await names(client)).toEqual(["b"]);
  },
);

scenario("deleteAll deletes the objects that fields select", async ({ client, expect }) => {
  for (const name of ["a", "b", "c"]) await client.create(ConfigMap, { metadata: { name } });
  await client.deleteAll(ConfigMap, { fields: "metadata.name!=b" });
  expect(await names(client)).toEqual(["b"]);
});

scenario("deleteAll accepts the options of delete", async ({ client, expect }) => {
  for (const name of ["a", "b"]) await client.create(ConfigMap, { metadata: { name } });
  await client.deleteAll(ConfigMap, { dryRun: true });
  expect(await names(client)).toEqual(["a", "b"]);
  await client.deleteAll(ConfigMap, { propagation: "Foreground" });
  expect((await client.list(ConfigMap)).map(({ metadata }) => metadata.finalizers)).toEqual([
    ["foregroundDeletion"],
    ["foregroundDeletion"],
  ]);
  await Promise.all(["a", "b"].map((name) => release(client, name)));
});

scenario("a collection delete returns the list", async ({ client, namespace, expect }) => {
  await client.create(ConfigMap, { metadata: { name: "a" } });
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  expect(masked(await raw(client, path, { method: "DELETE" }))).toEqual({
    status: 200,
    body: {
      kind: "ConfigMapList",
      apiVersion: "v1",
      metadata: { resourceVersion: "<version>" },
      items: [
        {
          metadata: {
            name: "a",
            namespace,
            uid: "<uid>",
            resourceVersion: "<version>",
            creationTimestamp: "<time>",
          },
        },
      ],
    },
  });
});

scenario("a collection delete across namespaces is not served", async ({ cluster, expect }) => {
  expect(await raw(cluster.client, "/api/v1/configmaps", { method: "DELETE" })).toEqual({
    status: 405,
    body: {
      status: "Failure",
      code: 405,
      reason: "MethodNotAllowed",
      message: "the server does not allow this method on the requested resource",
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      details: {},
    },
  });
});
