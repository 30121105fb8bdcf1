import { expect, test } from "vitest";
import { metadataOnly } from "../api/index.ts";
import { Deployment } from "../api/types/apps/v1.ts";
import { ConfigMap, Namespace, Pod } from "../api/types/core/v1.ts";
import { ApiError } from "../transport/index.ts";
import { connected } from "./connected.fixture.ts";
import { refused } from "./scripted-transport.fixture.ts";

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

test("get returns the object as the server sent it", async () => {
  const { client } = connected({ body: configMap });
  expect(await client.get(ConfigMap, "a")).toEqual(configMap);
});

test("get returns undefined for a missing object", async () => {
  const { client } = connected(refused(404, "NotFound", { name: "a", kind: "configmaps" }));
  expect(await client.get(ConfigMap, "a")).toBeUndefined();
});

test.each([
  ["a path that is not served", { status: 404, body: "404 page not found\n" }],
  ["a resource that is not served", refused(404, "NotFound", {})],
  ["a refusal", refused(403, "Forbidden", { name: "a" })],
])("%s is an error for get and delete", async (_, reply) => {
  const { client } = connected(reply, reply);
  await expect(client.get(ConfigMap, "a")).rejects.toBeInstanceOf(ApiError);
  await expect(client.delete(ConfigMap, "a")).rejects.toBeInstanceOf(ApiError);
});

test("onResponseBody receives the bytes of successful responses only", async () => {
  const text = JSON.stringify(configMap);
  const reply = { body: text };
  const { client } = connected(reply, reply, reply, reply, refused(409, "Conflict", { name: "a" }));
  const bodies: string[] = [];
  const options = { onResponseBody: (body: Buffer) => void bodies.push(body.toString()) };

  await client.create(ConfigMap, { metadata: { name: "a" } }, options);
  await client.update(ConfigMap, configMap, options);
  await client.patch(ConfigMap, "a", { merge: {} }, options);
  await client.apply(ConfigMap, { metadata: { name: "a" } }, options);
  await expect(client.update(ConfigMap, configMap, options)).rejects.toBeInstanceOf(ApiError);

  expect(bodies).toEqual([text, text, text, text]);
});

test("create sets the kind and namespace, and sends the other fields unchanged", async () => {
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

test("a cluster-scoped object is sent without a namespace", async () => {
  const { client, transport } = connected({});
  await client.create(Namespace, { metadata: { name: "a" } });
  expect(transport.sent).toEqual({ apiVersion: "v1", kind: "Namespace", metadata: { name: "a" } });
});

test("an object of another kind is refused before it is sent", async () => {
  const { client, transport } = connected();
  const pod = { ...configMap, kind: "Pod" } as unknown as ConfigMap;
  await expect(client.update(ConfigMap, pod)).rejects.toThrow(
    new TypeError('expected kind ConfigMap for v1 ConfigMap, got "Pod"'),
  );
  const beta = { ...configMap, apiVersion: "v1beta1" } as unknown as ConfigMap;
  await expect(client.update(ConfigMap, beta)).rejects.toThrow(
    new TypeError('expected apiVersion v1 for v1 ConfigMap, got "v1beta1"'),
  );
  expect(transport.lines).toEqual([]);
});

test("a write does not change the given object, whether it succeeds or fails", async () => {
  const written = [{}, {}, {}].flatMap(() => [{}, refused(422, "Invalid", { name: "a" })]);
  const { client } = connected(...written);
  const before = structuredClone(configMap);
  const given = structuredClone(configMap);
  for (const _ of ["accepted", "refused"]) {
    const calls = [
      client.create(ConfigMap, given),
      client.update(ConfigMap, given),
      client.apply(ConfigMap, given),
    ];
    await Promise.allSettled(calls);
  }
  expect(given).toEqual(before);
});

test("the owner becomes the controller of a created or applied object", async () => {
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
])("the patch %j is sent with its content type", async (patch, type) => {
  const { client, transport } = connected({});
  await client.patch(ConfigMap, "a", patch);
  const [sent] = transport.requests;
  expect(sent).toMatchObject({
    headers: { "content-type": type },
    body: JSON.stringify(Object.values(patch)[0]),
  });
});

test("apply sends an apply patch", async () => {
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

test("applyStatus sends only the status, with the uid of a given object", async () => {
  const { client, transport } = connected({}, {});
  const status = { replicas: 1 };
  const head = { apiVersion: "apps/v1", kind: "Deployment" } as const;
  await client.applyStatus(Deployment, "a", status);
  expect(transport.sent).toEqual({ ...head, metadata: { name: "a", namespace: "home" }, status });
  const deployment = { ...head, metadata: configMap.metadata, spec: { selector: {}, template: {} } };
  await client.applyStatus(Deployment, deployment, status);
  expect(transport.sent).toEqual({ ...head, metadata: { name: "a", namespace: "home", uid: "u1" }, status });
});

test("delete sends its options in the body, and no body without options", async () => {
  const { client, transport } = connected({}, {}, {}, {}, {});
  await client.delete(ConfigMap, "a");
  await client.delete(ConfigMap, configMap);
  await client.delete(ConfigMap, configMap.metadata);
  await client.delete(ConfigMap, configMap, { uid: "other", resourceVersion: "7", graceSeconds: 0 });
  await client.deleteAll(ConfigMap, { namespace: "home", propagation: "Orphan", dryRun: true });
  expect(transport.requests.map(({ body }) => body && JSON.parse(String(body)))).toEqual([
    undefined,
    { apiVersion: "v1", kind: "DeleteOptions", preconditions: { uid: "u1" } },
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

test("deleting a missing object resolves", async () => {
  const { client } = connected(refused(404, "NotFound", { name: "a", kind: "configmaps" }));
  expect(await client.delete(ConfigMap, "a")).toBeUndefined();
});

test("a missing key is refused before anything is sent", async () => {
  const { client, transport } = connected();
  const missing = undefined as unknown as string;
  const expected = new TypeError(
    'expected an object key like "name", "namespace/name" or { namespace, name }, got undefined',
  );
  await expect(client.get(Pod, missing)).rejects.toThrow(expected);
  await expect(client.delete(Pod, missing)).rejects.toThrow(expected);
  await expect(client.patch(Pod, missing, { merge: {} })).rejects.toThrow(expected);
  await expect(client.applyStatus(Pod, missing, {})).rejects.toThrow(expected);
  await expect(client.subresource(Pod, missing, "eviction").create()).rejects.toThrow(expected);
  expect(transport.requests).toEqual([]);
});

test("deleting an object with another uid is a conflict", async () => {
  const { client } = connected(refused(409, "Conflict", { name: "a", kind: "ConfigMap" }));
  await expect(client.delete(ConfigMap, configMap)).rejects.toMatchObject({ reason: "Conflict" });
});

test("deleteAll needs a namespace for namespaced kinds", async () => {
  const { client, transport } = connected();
  await expect(client.deleteAll(ConfigMap, { labels: { a: "1" } })).rejects.toThrow(
    new TypeError("expected a namespace for deleteAll of v1 ConfigMap, got none"),
  );
  expect(transport.lines).toEqual([]);
});

const podMetadata = metadataOnly(Pod);

test("get, list and patch of a metadata-only kind request metadata", async () => {
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

test("writes of full objects are refused for a metadata-only kind", async () => {
  const { client, transport } = connected();
  const partial = { ...configMap, apiVersion: "meta.k8s.io/v1", kind: "PartialObjectMetadata" } as const;
  const refusal = (verb: string) =>
    new TypeError(`expected a kind with full objects for ${verb}, got v1 Pod metadata; use patch instead`);
  await expect(client.create(podMetadata, { metadata: { name: "a" } })).rejects.toThrow(refusal("create"));
  await expect(client.update(podMetadata, partial)).rejects.toThrow(refusal("update"));
  await expect(client.apply(podMetadata, { metadata: { name: "a" } })).rejects.toThrow(refusal("apply"));
  expect(transport.lines).toEqual([]);
});

test("an aborted call rejects with the reason", async () => {
  const { client } = connected({});
  const reason = new Error("enough");
  await expect(client.get(ConfigMap, "a", { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});

test("a response that is not JSON is an error", async () => {
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

test("a layer receives the requests of its client and of clients derived from it", async () => {
  const { client, transport } = connected({ body: configMap }, { body: configMap });
  const seen: string[] = [];
  const layered = client.through((inner) => ({
    ...inner,
    server: inner.server,
    send(request) {
      seen.push(request.path);
      return inner.send(request);
    },
  }));
  await layered.inNamespace("home").get(ConfigMap, "a");
  await client.get(ConfigMap, "a");
  expect([seen, transport.lines.length]).toEqual([[`${place}/a`], 2]);
});
