import { ConfigMap } from "trimtab/api/core/v1";
import type { Client } from "trimtab/client";
import { masked } from "../masked.ts";
import { scenario } from "../scenario.ts";
import { web } from "../web.ts";
import { statusMessage, type WireAnswer, warningsOf, wire } from "../wire.ts";

const jsonPatch = { "content-type": "application/json-patch+json" };

function configMaps(namespace: string): `/${string}` {
  return `/api/v1/namespaces/${namespace}/configmaps`;
}

function deployments(namespace: string): `/${string}` {
  return `/apis/apps/v1/namespaces/${namespace}/deployments`;
}

function patch(client: Client, path: `/${string}`, body: object): Promise<WireAnswer> {
  return wire(client, `PATCH ${path}`, { body, headers: jsonPatch });
}

scenario(
  "a JSON patch with a test adds a finalizer to an object without finalizers",
  async ({ client, namespace, expect }) => {
    await client.create(ConfigMap, { metadata: { name: "a" } });
    const steps = [
      { op: "test", path: "/metadata/finalizers", value: null },
      { op: "add", path: "/metadata/finalizers", value: ["example.dev/hold"] },
    ];
    const first = await patch(client, `${configMaps(namespace)}/a`, steps);
    const again = await patch(client, `${configMaps(namespace)}/a`, steps);
    await client.patch(ConfigMap, "a", { merge: { metadata: { finalizers: null } } });
    expect([first.status, again.status]).toEqual([200, 422]);
  },
);

scenario(
  "a JSON patch with a test of the resourceVersion fails after a change",
  async ({ client, namespace, expect }) => {
    const { metadata } = await client.create(ConfigMap, { metadata: { name: "a" } });
    const steps = [
      { op: "test", path: "/metadata/resourceVersion", value: metadata.resourceVersion },
      { op: "add", path: "/data", value: { k: "v" } },
    ];
    const [first, again] = [
      await patch(client, `${configMaps(namespace)}/a`, steps),
      await patch(client, `${configMaps(namespace)}/a`, steps),
    ];
    expect([first.status, again.status]).toEqual([200, 422]);
  },
);

scenario(
  "a patch of managedFields and resourceVersion transfers fields to another manager",
  async ({ client, namespace, expect }) => {
    const { metadata } = await client.create(ConfigMap, { metadata: { name: "a" }, data: { k: "v" } });
    const entry = { ...metadata.managedFields?.[0], manager: "other" };
    const steps = [
      { op: "replace", path: "/metadata/managedFields", value: [entry] },
      { op: "replace", path: "/metadata/resourceVersion", value: metadata.resourceVersion },
    ];
    const { status, body } = await patch(client, `${configMaps(namespace)}/a`, steps);
    const managers = (body as ConfigMap).metadata.managedFields?.map(({ manager }) => manager);
    expect([status, managers]).toEqual([200, ["other"]]);
  },
);

scenario(
  "a scale can be updated without a content type, and patched by a merge",
  async ({ client, namespace, expect }) => {
    const path = deployments(namespace);
    await wire(client, `POST ${path}`, { body: web(1) });
    const read = (await wire(client, `GET ${path}/web/scale`)).body as { spec: { replicas: number } };
    const put = await client.transport.send({
      method: "PUT",
      path: `${path}/web/scale`,
      headers: {},
      body: JSON.stringify({ ...read, spec: { replicas: 3 } }),
    });
    const merged = await wire(client, `PATCH ${path}/web/scale`, { body: { spec: { replicas: 4 } } });
    expect([put.status, (merged.body as typeof read).spec.replicas]).toEqual([200, 4]);
  },
);

scenario(
  "a patch of template and annotations rolls back a Deployment",
  async ({ client, namespace, expect }) => {
    const path = deployments(namespace);
    await wire(client, `POST ${path}`, { body: web(1) });
    const containers = [{ name: "main", image: "registry.example/web:2" }];
    const template = { metadata: { labels: { app: "web" } }, spec: { containers } };
    const steps = [
      { op: "replace", path: "/spec/template", value: template },
      { op: "replace", path: "/metadata/annotations", value: { "deployment.kubernetes.io/revision": "1" } },
    ];
    const { status, body } = await patch(client, `${path}/web`, steps);
    const { metadata, spec } = body as {
      metadata: { generation: number };
      spec: { template: typeof template };
    };
    expect([status, metadata.generation, spec.template.spec.containers[0]?.image]).toEqual([
      200,
      2,
      "registry.example/web:2",
    ]);
  },
);

scenario(
  "a Deployment's generation counts annotations, and not labels",
  async ({ client, namespace, expect }) => {
    const path = deployments(namespace);
    await wire(client, `POST ${path}`, { body: web(1) });
    const generationAfter = async (metadata: object) => {
      const { body } = await wire(client, `PATCH ${path}/web`, { body: { metadata } });
      return (body as { metadata: { generation: number } }).metadata.generation;
    };
    expect(await generationAfter({ labels: { a: "b" } })).toBe(1);
    expect(await generationAfter({ annotations: { a: "b" } })).toBe(2);
  },
);

scenario(
  "metadata requested as protobuf is returned as JSON if that is the next accepted type",
  async ({ client, namespace, expect }) => {
    await client.create(ConfigMap, { metadata: { name: "a" } });
    const as = "as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
    const accept = `application/json;${as},application/vnd.kubernetes.protobuf;${as};q=0.9,application/json;q=0.8`;
    const { body } = await wire(client, `GET ${configMaps(namespace)}/a`, { headers: { accept } });
    expect((body as { kind: string }).kind).toBe("PartialObjectMetadata");
  },
);

scenario(
  "an eviction with an unknown field succeeds with a warning",
  async ({ client, namespace, expect }) => {
    const pods = `/api/v1/namespaces/${namespace}/pods` as const;
    const spec = { containers: [{ name: "main", image: "registry.example/a:1" }] };
    await wire(client, `POST ${pods}`, { body: { metadata: { name: "a" }, spec } });
    const body = { metadata: { name: "a" }, delete_options: {} };
    const response = await wire(client, `POST ${pods}/a/eviction`, { body });
    expect([response.status, warningsOf(response)]).toEqual([201, ['unknown field "delete_options"']]);
  },
);

scenario("a watch of one object starts with its current state", async ({ client, namespace, expect }) => {
  const made = await client.create(ConfigMap, { metadata: { name: "a" } });
  const query =
    "watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=1&fieldSelector=metadata.name%3Da";
  const { text } = await wire(client, `GET ${configMaps(namespace)}?${query}`);
  const [added, end] = text.split("\n").map((line) => line && JSON.parse(line));
  expect([added.type, masked(added.object), end.type]).toEqual(["ADDED", masked(made), "BOOKMARK"]);
});

scenario("concurrent patches of different fields do not conflict", async ({ client, namespace, expect }) => {
  await client.create(ConfigMap, { metadata: { name: "a" } });
  const names = Array.from({ length: 20 }, (_, number) => `k${number}`);
  const responses = await Promise.all(
    names.map((name) =>
      wire(client, `PATCH ${configMaps(namespace)}/a`, { body: { data: { [name]: "v" } } }),
    ),
  );
  expect(responses.map(({ status }) => status)).toEqual(names.map(() => 200));
  expect(Object.keys((await client.get(ConfigMap, "a"))?.data ?? {}).sort()).toEqual([...names].sort());
});

scenario(
  "a terminating namespace is finalized through its finalize subresource",
  async ({ cluster, namespace, expect }) => {
    const { client } = cluster;
    const name = `${namespace}-going`;
    const path = `/api/v1/namespaces/${name}` as const;
    await wire(client, "POST /api/v1/namespaces", { body: { metadata: { name } } });
    const deleted = (await wire(client, `DELETE ${path}`)).body as {
      spec: object;
      status: { phase: string };
    };
    expect([deleted.spec, deleted.status.phase]).toEqual([{ finalizers: ["kubernetes"] }, "Terminating"]);
    const refused = await wire(client, `POST ${path}/configmaps`, { body: { metadata: { name: "a" } } });
    expect(statusMessage(refused)).toEqual([
      403,
      `configmaps "a" is forbidden: unable to create new content in namespace ${name} because it is being terminated`,
    ]);
    await wire(client, `PUT ${path}/finalize`, { body: { metadata: { name }, spec: { finalizers: [] } } });
    expect((await wire(client, `GET ${path}`)).status).toBe(404);
  },
);
