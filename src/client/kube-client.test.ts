import { expect, test } from "vitest";
import { kind, metadataOnly } from "../api/index.ts";
import { Deployment } from "../api/types/apps/v1.ts";
import { ConfigMap, Namespace, Pod } from "../api/types/core/v1.ts";
import { ApiError } from "../transport/index.ts";
import { type Client, clientOver, UnknownKindError } from "./index.ts";
import { type Reply, refused, ScriptedTransport } from "./scripted-transport.fixture.ts";

function connected(...replies: readonly (Reply | Error)[]): {
  readonly client: Client;
  readonly transport: ScriptedTransport;
} {
  const transport = new ScriptedTransport(...replies);
  return { client: clientOver(transport, { namespace: "home" }), transport };
}

const configMap: ConfigMap = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: {
    name: "a",
    namespace: "home",
    uid: "u1",
    resourceVersion: "7",
    creationTimestamp: "2026-01-01T00:00:00Z",
  },
  data: { key: "value" },
};
const place = "/api/v1/namespaces/home/configmaps";

const paths: readonly [string, (client: Client) => Promise<unknown>, string][] = [
  ["get by name", (client) => client.get(ConfigMap, "a"), `GET ${place}/a`],
  ["get by text", (client) => client.get(ConfigMap, "away/a"), "GET /api/v1/namespaces/away/configmaps/a"],
  ["get by key", (client) => client.get(ConfigMap, { name: "a" }), `GET ${place}/a`],
  ["get by metadata", (client) => client.get(ConfigMap, configMap.metadata), `GET ${place}/a`],
  [
    "get of a group's kind",
    (client) => client.get(Deployment, "a"),
    "GET /apis/apps/v1/namespaces/home/deployments/a",
  ],
  ["get without a namespace", (client) => client.get(Namespace, "a"), "GET /api/v1/namespaces/a"],
  ["get with a namespace too many", (client) => client.get(Namespace, "x/a"), "GET /api/v1/namespaces/a"],
  [
    "get at a version",
    (client) => client.get(ConfigMap, "a", { resourceVersion: "0" }),
    `GET ${place}/a?resourceVersion=0`,
  ],
  ["list of all", (client) => client.list(ConfigMap), "GET /api/v1/configmaps?limit=500"],
  [
    "list of one namespace",
    (client) => client.list(ConfigMap, { namespace: "home" }),
    `GET ${place}?limit=500`,
  ],
  [
    "list with selectors",
    (client) => client.list(ConfigMap, { labels: { b: "2", a: "1" }, fields: { "metadata.name": "x" } }),
    "GET /api/v1/configmaps?labelSelector=a%3D1%2Cb%3D2&fieldSelector=metadata.name%3Dx&limit=500",
  ],
  [
    "list with selectors as text",
    (client) => client.list(ConfigMap, { labels: "a in (b, c)", fields: "metadata.name!=x", pageSize: 10 }),
    "GET /api/v1/configmaps?labelSelector=a%20in%20(b%2C%20c)&fieldSelector=metadata.name!%3Dx&limit=10",
  ],
  [
    "list with selectors that select everything",
    (client) => client.list(ConfigMap, { labels: {}, fields: "" }),
    "GET /api/v1/configmaps?limit=500",
  ],
  [
    "list at a version",
    (client) => client.list(ConfigMap, { resourceVersion: "5", resourceVersionMatch: "Exact" }),
    "GET /api/v1/configmaps?limit=500&resourceVersion=5&resourceVersionMatch=Exact",
  ],
  [
    "create",
    (client) => client.create(ConfigMap, { metadata: { name: "a" } }),
    `POST ${place}?fieldManager=trimtab`,
  ],
  [
    "create with every option",
    (client) =>
      client.create(
        ConfigMap,
        { metadata: { name: "a", namespace: "away" } },
        { dryRun: true, fieldManager: "me", fieldValidation: "Strict" },
      ),
    "POST /api/v1/namespaces/away/configmaps?dryRun=All&fieldManager=me&fieldValidation=Strict",
  ],
  [
    "create of a part",
    (client) => client.create(ConfigMap, { metadata: { name: "a" } }, { subresource: "part" }),
    `POST ${place}/a/part?fieldManager=trimtab`,
  ],
  ["update", (client) => client.update(ConfigMap, configMap), `PUT ${place}/a?fieldManager=trimtab`],
  [
    "update of the status",
    (client) => client.update(ConfigMap, configMap, { subresource: "status", dryRun: true }),
    `PUT ${place}/a/status?dryRun=All&fieldManager=trimtab`,
  ],
  [
    "patch",
    (client) => client.patch(ConfigMap, "a", { merge: {} }, { fieldValidation: "Ignore" }),
    `PATCH ${place}/a?fieldManager=trimtab&fieldValidation=Ignore`,
  ],
  [
    "apply",
    (client) => client.apply(ConfigMap, { metadata: { name: "a" } }),
    `PATCH ${place}/a?fieldManager=trimtab`,
  ],
  [
    "forced apply",
    (client) => client.apply(ConfigMap, { metadata: { name: "a" } }, { force: true, fieldManager: "me" }),
    `PATCH ${place}/a?fieldManager=me&force=true`,
  ],
  [
    "status",
    (client) => client.applyStatus(Deployment, "a", { replicas: 1 }, { force: true }),
    "PATCH /apis/apps/v1/namespaces/home/deployments/a/status?fieldManager=trimtab&force=true",
  ],
  ["delete", (client) => client.delete(ConfigMap, "a"), `DELETE ${place}/a`],
  [
    "delete of all in a namespace",
    (client) => client.deleteAll(ConfigMap, { namespace: "home", labels: { a: "1" } }),
    `DELETE ${place}?labelSelector=a%3D1`,
  ],
  [
    "delete of all of a kind without namespaces",
    (client) => client.deleteAll(Namespace, { fields: "metadata.name=x" }),
    "DELETE /api/v1/namespaces?fieldSelector=metadata.name%3Dx",
  ],
  ["version", (client) => client.version(), "GET /version"],
];

test.each(paths)("%s goes to its path, with its query", async (_, call, line) => {
  const { client, transport } = connected({ body: { metadata: {}, items: [] } });
  await call(client);
  expect(transport.lines).toEqual([line]);
});

test("an object comes back as the server sent it", async () => {
  const { client } = connected({ body: configMap });
  expect(await client.get(ConfigMap, "a")).toEqual(configMap);
});

test("an object that is not there is undefined", async () => {
  const { client } = connected(refused(404, "NotFound", { name: "a", kind: "configmaps" }));
  expect(await client.get(ConfigMap, "a")).toBeUndefined();
});

test.each([
  ["a path that is not served", { status: 404, body: "404 page not found\n" }],
  ["a resource that is not served", refused(404, "NotFound", {})],
  ["a refusal", refused(403, "Forbidden", { name: "a" })],
])("%s is an error, for get and delete alike", async (_, reply) => {
  const { client } = connected(reply, reply);
  await expect(client.get(ConfigMap, "a")).rejects.toBeInstanceOf(ApiError);
  await expect(client.delete(ConfigMap, "a")).rejects.toBeInstanceOf(ApiError);
});

test("what is created says its kind and namespace, and keeps the rest", async () => {
  const { client, transport } = connected({});
  const object = { metadata: { generateName: "a-", labels: { app: "a" } }, data: { key: "value" } };
  await client.create(ConfigMap, object);
  expect(transport.requests).toEqual([
    {
      method: "POST",
      path: `${place}?fieldManager=trimtab`,
      headers: {
        accept: "application/json",
        "content-type": "application/json",
        "user-agent": expect.stringMatching(/^trimtab\//),
      },
      body: JSON.stringify({
        ...object,
        metadata: { ...object.metadata, namespace: "home" },
        apiVersion: "v1",
        kind: "ConfigMap",
      }),
    },
  ]);
  expect(object.metadata).toEqual({ generateName: "a-", labels: { app: "a" } });
});

test("an object without a namespace is sent without one", async () => {
  const { client, transport } = connected({});
  await client.create(Namespace, { metadata: { name: "a" } });
  expect(transport.sent).toEqual({ apiVersion: "v1", kind: "Namespace", metadata: { name: "a" } });
});

test("an object of another kind than is said is refused before it is sent", async () => {
  const { client, transport } = connected();
  const pod = { ...configMap, kind: "Pod" } as unknown as ConfigMap;
  await expect(client.update(ConfigMap, pod)).rejects.toThrow(
    new TypeError('expected kind ConfigMap for v1 ConfigMap, got "Pod"'),
  );
  const beta = { ...configMap, apiVersion: "v1beta1" };
  await expect(client.update(ConfigMap, beta)).rejects.toThrow(
    new TypeError('expected apiVersion v1 for v1 ConfigMap, got "v1beta1"'),
  );
  expect(transport.lines).toEqual([]);
});

test("an owner is made the controller of what is created or applied", async () => {
  const { client, transport } = connected({}, {});
  const reference = {
    apiVersion: "v1",
    kind: "ConfigMap",
    name: "a",
    uid: "u1",
    controller: true,
    blockOwnerDeletion: true,
  };
  await client.create(ConfigMap, { metadata: { name: "b" } }, { owner: configMap });
  expect(transport.sent).toMatchObject({ metadata: { name: "b", ownerReferences: [reference] } });
  await client.apply(ConfigMap, { metadata: { name: "b" } }, { owner: configMap });
  expect(transport.sent).toMatchObject({ metadata: { name: "b", ownerReferences: [reference] } });
});

test("an owner in another namespace is refused before anything is sent", async () => {
  const { client, transport } = connected();
  const owned = { metadata: { name: "b", namespace: "away" } };
  await expect(client.create(ConfigMap, owned, { owner: configMap })).rejects.toThrow("in namespace home");
  expect(transport.lines).toEqual([]);
});

test.each([
  [{ json: [{ op: "remove", path: "/data" }] } as const, "application/json-patch+json"],
  [{ merge: { data: null } }, "application/merge-patch+json"],
  [{ strategic: { data: null } }, "application/strategic-merge-patch+json"],
])("the patch %j is sent as what it is", async (patch, type) => {
  const { client, transport } = connected({});
  await client.patch(ConfigMap, "a", patch);
  const [sent] = transport.requests;
  expect(sent).toMatchObject({
    headers: { "content-type": type },
    body: JSON.stringify(Object.values(patch)[0]),
  });
});

test("what is applied is sent as an apply patch", async () => {
  const { client, transport } = connected({});
  await client.apply(ConfigMap, { metadata: { name: "a" }, data: { key: "value" } });
  expect(transport.requests[0]?.headers).toMatchObject({ "content-type": "application/apply-patch+yaml" });
  expect(transport.sent).toEqual({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "a", namespace: "home" },
    data: { key: "value" },
  });
});

test("a status is applied alone, and to the object given by its uid", async () => {
  const { client, transport } = connected({}, {});
  const status = { replicas: 1 };
  const head = { apiVersion: "apps/v1", kind: "Deployment" } as const;
  await client.applyStatus(Deployment, "a", status);
  expect(transport.sent).toEqual({ ...head, metadata: { name: "a", namespace: "home" }, status });
  const deployment = { ...head, metadata: configMap.metadata, spec: { selector: {}, template: {} } };
  await client.applyStatus(Deployment, deployment, status);
  expect(transport.sent).toEqual({ ...head, metadata: { name: "a", namespace: "home", uid: "u1" }, status });
});

test("a deletion says what is asked of it, and nothing where nothing is", async () => {
  const { client, transport } = connected({}, {}, {}, {});
  await client.delete(ConfigMap, "a");
  await client.delete(ConfigMap, configMap);
  await client.delete(ConfigMap, configMap, { uid: "other", resourceVersion: "7", graceSeconds: 0 });
  await client.deleteAll(ConfigMap, { namespace: "home", propagation: "Orphan", dryRun: true });
  expect(transport.requests.map(({ body }) => body && JSON.parse(String(body)))).toEqual([
    undefined,
    { apiVersion: "v1", kind: "DeleteOptions", preconditions: { uid: "u1" } },
    {
      apiVersion: "v1",
      kind: "DeleteOptions",
      preconditions: { uid: "other", resourceVersion: "7" },
      gracePeriodSeconds: 0,
    },
    { apiVersion: "v1", kind: "DeleteOptions", propagationPolicy: "Orphan", dryRun: ["All"] },
  ]);
});

test("a deletion of what is not there resolves", async () => {
  const { client } = connected(refused(404, "NotFound", { name: "a", kind: "configmaps" }));
  expect(await client.delete(ConfigMap, "a")).toBeUndefined();
});

test("a deletion that meets another object is a conflict", async () => {
  const { client } = connected(refused(409, "Conflict", { name: "a", kind: "ConfigMap" }));
  await expect(client.delete(ConfigMap, configMap)).rejects.toMatchObject({ reason: "Conflict" });
});

test("deleteAll takes a namespace for kinds that have one", async () => {
  const { client, transport } = connected();
  await expect(client.deleteAll(ConfigMap, { labels: { a: "1" } })).rejects.toThrow(
    new TypeError("expected a namespace to delete every v1 ConfigMap in, got none"),
  );
  expect(transport.lines).toEqual([]);
});

test.each(["", ".", "..", "a/b/c", "a/../b", "100%"])(
  "the name %j is refused before it is sent",
  async (name) => {
    const { client, transport } = connected();
    await expect(client.get(ConfigMap, { name })).rejects.toThrow(
      new TypeError(`expected a name to be neither empty nor a path, got ${JSON.stringify(name)}`),
    );
    await expect(client.list(ConfigMap, { namespace: "../x" })).rejects.toThrow("neither empty nor a path");
    expect(transport.lines).toEqual([]);
  },
);

test("a name with signs of URLs stays one name", async () => {
  const { client, transport } = connected({});
  await client.get(ConfigMap, { name: "system:a?b#c d" });
  expect(transport.lines).toEqual([`GET ${place}/system%3Aa%3Fb%23c%20d`]);
});

test("a part that is a path is refused before it is sent", async () => {
  const { client, transport } = connected();
  await expect(client.update(ConfigMap, configMap, { subresource: "../b" })).rejects.toThrow(
    new TypeError('expected a subresource to be neither empty nor a path, got "../b"'),
  );
  expect(transport.lines).toEqual([]);
});

test("labels whose values would be another selector are refused", async () => {
  const { client, transport } = connected();
  await expect(client.deleteAll(ConfigMap, { namespace: "home", labels: { app: "a,b" } })).rejects.toThrow(
    'in label selector matchLabels["app"]',
  );
  expect(transport.lines).toEqual([]);
});

test("fields are escaped where the selector language has signs of its own", async () => {
  const { client, transport } = connected({ body: { metadata: {}, items: [] } });
  await client.list(ConfigMap, { fields: { "metadata.name": "a,b=c\\d" } });
  const query = new URL(transport.requests[0]?.path ?? "", "http://host").searchParams;
  expect(query.get("fieldSelector")).toBe("metadata.name=a\\,b\\=c\\\\d");
});

const apiResources = {
  kind: "APIResourceList",
  apiVersion: "v1",
  groupVersion: "example.dev/v1",
  resources: [
    { name: "websites", singularName: "website", kind: "Website", namespaced: true, verbs: ["get"] },
    { name: "websites/status", singularName: "", kind: "Website", namespaced: true, verbs: ["get"] },
    { name: "regions", singularName: "region", kind: "Region", namespaced: false, verbs: ["get"] },
  ],
};
const website = kind({ group: "example.dev", version: "v1", kind: "Website" });

test("a kind that is known by its name is looked up once, by all clients made from one", async () => {
  const { client, transport } = connected({ body: apiResources }, {}, {}, {}, {});
  await Promise.all([client.get(website, "a"), client.get(website, "b")]);
  await client.inNamespace("away").get(website, "c");
  await client.as({ user: "ana" }).get(website, "d");
  expect(transport.lines).toEqual([
    "GET /apis/example.dev/v1",
    "GET /apis/example.dev/v1/namespaces/home/websites/a",
    "GET /apis/example.dev/v1/namespaces/home/websites/b",
    "GET /apis/example.dev/v1/namespaces/away/websites/c",
    "GET /apis/example.dev/v1/namespaces/home/websites/d",
  ]);
});

test("the end of one call is not the end of another that waits for the same kind", async () => {
  const { client, transport } = connected({ body: apiResources }, {});
  const abort = new AbortController();
  const first = client.get(website, "a", { signal: abort.signal });
  const second = client.get(website, "b");
  const reason = new Error("enough");
  abort.abort(reason);
  await expect(first).rejects.toBe(reason);
  expect(await second).toEqual({});
  expect(transport.lines).toEqual([
    "GET /apis/example.dev/v1",
    "GET /apis/example.dev/v1/namespaces/home/websites/b",
  ]);
});

test("a kind that could not be looked up is looked up again", async () => {
  const { client } = connected(refused(500, "InternalError"), { body: apiResources }, {});
  await expect(client.get(website, "a")).rejects.toBeInstanceOf(ApiError);
  expect(await client.get(website, "a")).toEqual({});
});

test("the metadata of a kind that is known by its name is asked for as metadata", async () => {
  const { client, transport } = connected({ body: apiResources }, {});
  await client.get(metadataOnly(website), "a");
  expect(transport.requests[1]?.headers).toMatchObject({
    accept: "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1",
  });
});

test("a kind that the server does not serve is an error that says what it does serve", async () => {
  const { client } = connected({ body: apiResources }, { status: 404, body: "404 page not found\n" });
  const nothing = kind({ group: "example.dev", version: "v1", kind: "Nothing" });
  await expect(client.get(nothing, "a")).rejects.toThrow(
    new UnknownKindError(
      "expected the server to know Nothing in example.dev/v1, got only Website, Region; is its CustomResourceDefinition installed?",
    ),
  );
  await expect(client.get(nothing, "a")).rejects.toThrow(
    new UnknownKindError(
      "expected the server to know Nothing in example.dev/v1, got no such group and version; is its CustomResourceDefinition installed?",
    ),
  );
});

test("a server that cannot tell of a kind just now is not said to lack it", async () => {
  const { client } = connected(refused(503, "ServiceUnavailable"));
  await expect(client.get(website, "a")).rejects.toMatchObject({ name: "ApiError", code: 503 });
});

const podMetadata = metadataOnly(Pod);

test("metadata is asked for in get, list and patch", async () => {
  const { client, transport } = connected({}, { body: { metadata: {}, items: null } }, {});
  await client.get(podMetadata, "a");
  expect(await client.list(podMetadata)).toEqual([]);
  await client.patch(podMetadata, "a", { merge: {} });
  expect(transport.requests.map(({ headers }) => headers?.accept)).toEqual([
    "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1",
    "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1",
    "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1",
  ]);
});

test("writes of whole objects are refused where there is metadata alone", async () => {
  const { client, transport } = connected();
  const partial = { ...configMap, apiVersion: "meta.k8s.io/v1", kind: "PartialObjectMetadata" } as const;
  const refusal = (verb: string) =>
    new TypeError(`expected whole objects to ${verb}, got v1 Pod metadata; patch takes it`);
  await expect(client.create(podMetadata, { metadata: { name: "a" } })).rejects.toThrow(refusal("create"));
  await expect(client.update(podMetadata, partial)).rejects.toThrow(refusal("update"));
  await expect(client.apply(podMetadata, { metadata: { name: "a" } })).rejects.toThrow(refusal("apply"));
  expect(transport.lines).toEqual([]);
});

test("an aborted call ends with the reason", async () => {
  const { client } = connected({});
  const reason = new Error("enough");
  await expect(client.get(ConfigMap, "a", { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});

test("an answer that is not JSON is an error that says so", async () => {
  const { client } = connected({ headers: { "content-type": "text/html" }, body: "<html>Sign in</html>" });
  await expect(client.get(ConfigMap, "a")).rejects.toThrow(
    `expected JSON from GET ${place}/a, got 200 with text/html, 20 bytes: "<html>Sign in</html>"; is that address a Kubernetes API server?`,
  );
});

test("closing a client closes its transport", async () => {
  const { client, transport } = connected();
  await client.inNamespace("away").close();
  expect(transport.closed).toBe(true);
  await client[Symbol.asyncDispose]();
});
