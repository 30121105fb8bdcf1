import { expect, test } from "vitest";
import { Deployment } from "../api/types/apps/v1.ts";
import { ConfigMap, Namespace } from "../api/types/core/v1.ts";
import { connected } from "./connected.fixture.ts";
import type { Client } from "./index.ts";

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

/** Options for all writes. Only apply also has `force`. */
const forced = { force: true, fieldManager: "trimtab" };

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
    "patch with the options of an apply",
    (client) => client.patch(ConfigMap, "a", { merge: {} }, forced),
    `PATCH ${place}/a?fieldManager=trimtab`,
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

test.each(paths)("%s has its path and query", async (_, call, line) => {
  const { client, transport } = connected({ body: { metadata: {}, items: [] } });
  await call(client);
  expect(transport.lines).toEqual([line]);
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

test("special characters in a name are encoded", async () => {
  const { client, transport } = connected({});
  await client.get(ConfigMap, { name: "system:a?b#c d" });
  expect(transport.lines).toEqual([`GET ${place}/system%3Aa%3Fb%23c%20d`]);
});

test("a subresource that is a path is refused before it is sent", async () => {
  const { client, transport } = connected();
  await expect(client.update(ConfigMap, configMap, { subresource: "../b" })).rejects.toThrow(
    new TypeError('expected a subresource to be neither empty nor a path, got "../b"'),
  );
  expect(transport.lines).toEqual([]);
});

test("label values that would change the selector are refused", async () => {
  const { client, transport } = connected();
  await expect(client.deleteAll(ConfigMap, { namespace: "home", labels: { app: "a,b" } })).rejects.toThrow(
    'in label selector matchLabels["app"]',
  );
  expect(transport.lines).toEqual([]);
});

test("special characters in field values are escaped", async () => {
  const { client, transport } = connected({ body: { metadata: {}, items: [] } });
  await client.list(ConfigMap, { fields: { "metadata.name": "a,b=c\\d" } });
  const query = new URL(transport.requests[0]?.path ?? "", "http://host").searchParams;
  expect(query.get("fieldSelector")).toBe("metadata.name=a\\,b\\=c\\\\d");
});
