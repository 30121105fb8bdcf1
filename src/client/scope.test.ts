import { expect, test } from "vitest";
import { kind } from "../api/index.ts";
import { ConfigMap, Namespace } from "../api/types/core/v1.ts";
import { type Client, clientOver, UnknownKindError } from "./index.ts";
import { ScriptedTransport } from "./scripted-transport.fixture.ts";

const empty = { body: { metadata: {}, items: [] } };

function restricted(): { readonly client: Client; readonly transport: ScriptedTransport } {
  const transport = new ScriptedTransport(empty, empty, empty, empty);
  return { client: clientOver(transport, { namespace: "default" }).inNamespace("home"), transport };
}

const outside = new TypeError(
  "expected v1 ConfigMap in namespace home, which this client is restricted to, got away",
);
const away = { name: "a", namespace: "away" };
const object: ConfigMap = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { ...away, uid: "u", resourceVersion: "1", creationTimestamp: "2026-01-01T00:00:00Z" },
};

test.each<[string, (client: Client) => Promise<unknown>]>([
  ["get", (client) => client.get(ConfigMap, away)],
  ["get by text", (client) => client.get(ConfigMap, "away/a")],
  ["list", (client) => client.list(ConfigMap, { namespace: "away" })],
  ["pages", (client) => client.pages(ConfigMap, { namespace: "away" })[Symbol.asyncIterator]().next()],
  ["watch", (client) => client.watch(ConfigMap, { namespace: "away" })[Symbol.asyncIterator]().next()],
  ["create", (client) => client.create(ConfigMap, { metadata: away })],
  ["update", (client) => client.update(ConfigMap, object)],
  ["patch", (client) => client.patch(ConfigMap, away, { merge: {} })],
  ["apply", (client) => client.apply(ConfigMap, { metadata: away })],
  ["a status update", (client) => client.update(ConfigMap, object, { subresource: "status" })],
  ["a status patch", (client) => client.patch(ConfigMap, away, { merge: {} }, { subresource: "status" })],
  ["a status apply", (client) => client.applyStatus(ConfigMap, away, {} as never)],
  ["delete", (client) => client.delete(ConfigMap, object)],
  ["deleteAll", (client) => client.deleteAll(ConfigMap, { namespace: "away" })],
  ["a part", (client) => client.subresource(ConfigMap, away, "scale").get()],
])("%s in another namespace is refused before anything is sent", async (_, call) => {
  const { client, transport } = restricted();
  await expect(call(client)).rejects.toThrow(outside);
  expect(transport.lines).toEqual([]);
});

test("logs of another namespace are refused before anything is sent", async () => {
  const { client, transport } = restricted();
  await expect(client.logs("away/a")[Symbol.asyncIterator]().next()).rejects.toThrow(
    "expected v1 Pod in namespace home, which this client is restricted to, got away",
  );
  expect(transport.lines).toEqual([]);
});

test("calls without a namespace use the client's namespace", async () => {
  const { client, transport } = restricted();
  await client.get(ConfigMap, "a");
  await client.list(ConfigMap);
  await client.deleteAll(ConfigMap, {});
  await client.get(ConfigMap, "home/a");
  expect(transport.lines).toEqual([
    "GET /api/v1/namespaces/home/configmaps/a",
    "GET /api/v1/namespaces/home/configmaps?limit=500",
    "DELETE /api/v1/namespaces/home/configmaps",
    "GET /api/v1/namespaces/home/configmaps/a",
  ]);
});

test("written objects without a namespace get the client's namespace", async () => {
  const { client, transport } = restricted();
  await client.create(ConfigMap, { metadata: { name: "a" } });
  await client.apply(ConfigMap, { metadata: { name: "a" } });
  await client.applyStatus(ConfigMap, "a", {} as never);
  await client.patch(ConfigMap, "a", { merge: {} });
  expect(transport.lines.map((line) => line.replace(/\?.*/, ""))).toEqual([
    "POST /api/v1/namespaces/home/configmaps",
    "PATCH /api/v1/namespaces/home/configmaps/a",
    "PATCH /api/v1/namespaces/home/configmaps/a/status",
    "PATCH /api/v1/namespaces/home/configmaps/a",
  ]);
  const namespaces = transport.requests
    .slice(0, 3)
    .map(({ body }) => JSON.parse(String(body)).metadata.namespace);
  expect(namespaces).toEqual(["home", "home", "home"]);
});

test("a kind of unknown scope is refused, and nothing is written", async () => {
  const none = { body: { groupVersion: "example.dev/v1", resources: [] } };
  const transport = new ScriptedTransport(none);
  const client = clientOver(transport, { namespace: "default" }).inNamespace("home");
  const Website = kind({ group: "example.dev", version: "v1", kind: "Website" });
  await expect(client.create(Website, { metadata: { name: "a" } })).rejects.toBeInstanceOf(UnknownKindError);
  expect(transport.lines).toEqual(["GET /apis/example.dev/v1"]);
});

test("calls for cluster-scoped kinds are allowed", async () => {
  const { client, transport } = restricted();
  await client.get(Namespace, "away");
  await client.list(Namespace, { namespace: "away" });
  expect(transport.lines).toEqual(["GET /api/v1/namespaces/away", "GET /api/v1/namespaces?limit=500"]);
});

test("the restriction to a namespace cannot be changed", () => {
  const { client } = restricted();
  expect(client.inNamespace("home").namespace).toBe("home");
  expect(() => client.inNamespace("away")).toThrow(
    new TypeError("expected a client in namespace home, which this client is restricted to, got away"),
  );
});

test.each(["", "a/b"])("a client cannot be restricted to the namespace %j", (namespace) => {
  const client = clientOver(new ScriptedTransport(), { namespace: "default" });
  expect(() => client.inNamespace(namespace)).toThrow(
    `expected a namespace to be neither empty nor a path, got ${JSON.stringify(namespace)}`,
  );
});
