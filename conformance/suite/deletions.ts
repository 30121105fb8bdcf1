import { ConfigMap } from "trimtab/api/core/v1";
import type { Client } from "trimtab/client";
import { scenario } from "../scenario.ts";
import { statusMessage, wire } from "../wire.ts";

function pathIn(namespace: string, plural = "configmaps"): `/${string}` {
  return `/api/v1/namespaces/${namespace}/${plural}`;
}

function metadataOf({ body }: { readonly body: unknown }): ConfigMap["metadata"] {
  return (body as ConfigMap).metadata;
}

const held = { finalizers: ["example.dev/hold"] };

async function release(client: Client, name: string): Promise<void> {
  await client.patch(ConfigMap, name, { merge: { metadata: { finalizers: null } } });
}

scenario("delete options are accepted in the body or in the query", async ({ client, namespace, expect }) => {
  const path = pathIn(namespace);
  for (const name of ["a", "b", "c"]) await client.create(ConfigMap, { metadata: { name } });
  const responses = [
    await wire(client, `DELETE ${path}/a?propagationPolicy=Foreground`),
    await wire(client, `DELETE ${path}/b`, {
      body: { kind: "DeleteOptions", apiVersion: "v1", propagationPolicy: "Foreground" },
    }),
    await wire(client, `DELETE ${path}/c`, { body: { propagationPolicy: "Foreground" } }),
  ];
  expect(responses.map((response) => metadataOf(response).finalizers)).toEqual(
    responses.map(() => ["foregroundDeletion"]),
  );
});

scenario("a body that is not DeleteOptions is refused", async ({ client, namespace, expect }) => {
  await client.create(ConfigMap, { metadata: { name: "a" } });
  const [code] = statusMessage(
    await wire(client, `DELETE ${pathIn(namespace)}/a`, { body: { kind: "Nope", apiVersion: "v1" } }),
  );
  expect(code).toBe(400);
  expect(await client.get(ConfigMap, "a")).toBeDefined();
});

scenario(
  "orphanDependents and propagationPolicy exclude each other",
  async ({ client, namespace, expect }) => {
    await client.create(ConfigMap, { metadata: { name: "a" } });
    const line = `DELETE ${pathIn(namespace)}/a?orphanDependents=true&propagationPolicy=Orphan` as const;
    const [code, message] = statusMessage(await wire(client, line));
    expect([code, message]).toEqual([
      422,
      expect.stringContaining("orphanDependents and deletionPropagation cannot be both set"),
    ]);
  },
);

scenario(
  "a delete without orphaning is 202 if it waits, and 200 otherwise",
  async ({ client, namespace, expect }) => {
    await client.create(ConfigMap, { metadata: { name: "a" } });
    await client.create(ConfigMap, { metadata: { name: "b", ...held } });
    const done = await wire(client, `DELETE ${pathIn(namespace)}/a?orphanDependents=false`);
    const waits = await wire(client, `DELETE ${pathIn(namespace)}/b?orphanDependents=false`);
    await release(client, "b");
    expect([done.status, waits.status]).toEqual([200, 202]);
  },
);

scenario(
  "the propagation policy can be changed while a delete waits",
  async ({ client, namespace, expect }) => {
    await client.create(ConfigMap, { metadata: { name: "a" } });
    const finalizersAfter = async (policy: string) =>
      metadataOf(await wire(client, `DELETE ${pathIn(namespace)}/a?propagationPolicy=${policy}`))?.finalizers;
    expect(await finalizersAfter("Orphan")).toEqual(["orphan"]);
    expect(await finalizersAfter("Foreground")).toEqual(["foregroundDeletion"]);
    await wire(client, `DELETE ${pathIn(namespace)}/a?propagationPolicy=Background`);
    expect(await client.get(ConfigMap, "a")).toBeUndefined();
  },
);

scenario("a second delete returns the terminating object", async ({ client, namespace, expect }) => {
  await client.create(ConfigMap, { metadata: { name: "a", ...held } });
  const first = await wire(client, `DELETE ${pathIn(namespace)}/a`);
  const second = await wire(client, `DELETE ${pathIn(namespace)}/a`);
  await release(client, "a");
  expect(second.body).toEqual(first.body);
});

scenario(
  "removing the last finalizer returns the object as sent, with its old resourceVersion",
  async ({ client, namespace, expect }) => {
    await client.create(ConfigMap, { metadata: { name: "a", ...held } });
    const { resourceVersion } = metadataOf(await wire(client, `DELETE ${pathIn(namespace)}/a`));
    const last = await wire(client, `PATCH ${pathIn(namespace)}/a`, {
      body: { metadata: { finalizers: null } },
    });
    const { finalizers, resourceVersion: answered } = metadataOf(last);
    expect({ finalizers, answered }).toEqual({ finalizers: undefined, answered: resourceVersion });
    expect((await wire(client, `GET ${pathIn(namespace)}/a`)).status).toBe(404);
  },
);

scenario("errors of delete preconditions name the kind", async ({ client, namespace, expect }) => {
  const { metadata } = await client.create(ConfigMap, { metadata: { name: "a" } });
  const refused = async (preconditions: object) =>
    (await wire(client, `DELETE ${pathIn(namespace)}/a`, { body: { preconditions } })).body;
  const status = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", code: 409 };
  const conflict = { ...status, reason: "Conflict", details: { name: "a", kind: "ConfigMap" } };
  const head = 'Operation cannot be fulfilled on ConfigMap "a":';
  expect(await refused({ uid: "other" })).toEqual({
    ...conflict,
    message: `${head} the UID in the precondition (other) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
  });
  expect(await refused({ resourceVersion: "1" })).toEqual({
    ...conflict,
    message: `${head} the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`,
  });
});

scenario(
  "later deletes shorten a Pod's grace period, and never extend it",
  async ({ client, namespace, expect }) => {
    const path = pathIn(namespace, "pods");
    const spec = { nodeName: "none", containers: [{ name: "main", image: "registry.example/a:1" }] };
    await wire(client, `POST ${path}`, { body: { metadata: { name: "a" }, spec } });
    const graceAfter = async (query: string) => {
      const { deletionGracePeriodSeconds, generation } = metadataOf(
        await wire(client, `DELETE ${path}/a${query}`),
      );
      return [deletionGracePeriodSeconds, generation];
    };
    expect(await graceAfter("")).toEqual([30, 2]);
    expect(await graceAfter("?gracePeriodSeconds=10")).toEqual([10, 2]);
    expect(await graceAfter("?gracePeriodSeconds=20")).toEqual([10, 2]);
    expect(await graceAfter("?gracePeriodSeconds=-5")).toEqual([1, 2]);
    expect(await graceAfter("?gracePeriodSeconds=0")).toEqual([0, 2]);
    expect((await wire(client, `GET ${path}/a`)).status).toBe(404);
  },
);

scenario("a Pod that has ended is deleted at once", async ({ client, namespace, expect }) => {
  const path = pathIn(namespace, "pods");
  const spec = { nodeName: "none", containers: [{ name: "main", image: "registry.example/a:1" }] };
  await wire(client, `POST ${path}`, { body: { metadata: { name: "a" }, spec } });
  await wire(client, `PATCH ${path}/a/status`, { body: { status: { phase: "Succeeded" } } });
  expect(metadataOf(await wire(client, `DELETE ${path}/a`)).deletionGracePeriodSeconds).toBe(0);
  expect((await wire(client, `GET ${path}/a`)).status).toBe(404);
});

scenario("a collection delete returns the objects from before", async ({ client, namespace, expect }) => {
  await client.create(ConfigMap, { metadata: { name: "a", ...held } });
  const { body } = await wire(client, `DELETE ${pathIn(namespace)}?fieldSelector=metadata.name%3Da`);
  await release(client, "a");
  const { items } = body as { items: ConfigMap[] };
  expect(items.map(({ metadata }) => [metadata.name, metadata.deletionTimestamp])).toEqual([
    ["a", undefined],
  ]);
});

scenario("a collection delete with a limit deletes one page", async ({ client, namespace, expect }) => {
  for (const name of ["a", "b", "c"])
    await client.create(ConfigMap, { metadata: { name, labels: { x: "y" } } });
  const { body } = await wire(client, `DELETE ${pathIn(namespace)}?limit=1&labelSelector=x%3Dy`);
  const { items } = body as { items: ConfigMap[] };
  expect(items.map(({ metadata }) => metadata.name)).toEqual(["a"]);
  const left = await client.list(ConfigMap, { labels: { x: "y" } });
  expect(left.map(({ metadata }) => metadata.name)).toEqual(["b", "c"]);
});

scenario("a dry run of a collection delete deletes nothing", async ({ client, namespace, expect }) => {
  await client.create(ConfigMap, { metadata: { name: "a", labels: { x: "y" } } });
  const { body } = await wire(client, `DELETE ${pathIn(namespace)}?labelSelector=x%3Dy&dryRun=All`);
  expect((body as { items: ConfigMap[] }).items.length).toBe(1);
  expect(await client.get(ConfigMap, "a")).toBeDefined();
});

scenario("system namespaces cannot be deleted", async ({ cluster, expect }) => {
  const responses = [
    await wire(cluster.client, "DELETE /api/v1/namespaces/default?dryRun=All"),
    await wire(cluster.client, "DELETE /api/v1/namespaces/kube-system?dryRun=All"),
  ];
  expect(responses.map(statusMessage)).toEqual([
    [403, 'namespaces "default" is forbidden: this namespace may not be deleted'],
    [403, 'namespaces "kube-system" is forbidden: this namespace may not be deleted'],
  ]);
});
