import { expect, test } from "vitest";
import { kind, metadataOnly } from "../api/index.ts";
import { ApiError } from "../transport/index.ts";
import { connected } from "./connected.fixture.ts";
import { type Client, UnknownKindError } from "./index.ts";
import { type Reply, refused } from "./scripted-transport.fixture.ts";

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

test("a kind without a plural is resolved once for a client and all clients derived from it", async () => {
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

test("aborting one call does not end another call that waits for the same kind", async () => {
  let reply = (_: Reply): void => {};
  const replied = new Promise<Reply>((resolve) => {
    reply = resolve;
  });
  const { client, transport } = connected(replied, {});
  const abort = new AbortController();
  const first = client.get(website, "a", { signal: abort.signal });
  const second = client.get(website, "b");
  const reason = new Error("enough");
  abort.abort(reason);
  await expect(first).rejects.toBe(reason);
  reply({ body: apiResources });
  expect(await second).toEqual({});
  expect(transport.lines).toEqual([
    "GET /apis/example.dev/v1",
    "GET /apis/example.dev/v1/namespaces/home/websites/b",
  ]);
});

test("a failed lookup of a kind is repeated", async () => {
  const { client } = connected(refused(500, "InternalError"), { body: apiResources }, {});
  await expect(client.get(website, "a")).rejects.toBeInstanceOf(ApiError);
  expect(await client.get(website, "a")).toEqual({});
});

test("a metadata-only kind without a plural is requested as metadata", async () => {
  const { client, transport } = connected({ body: apiResources }, {});
  await client.get(metadataOnly(website), "a");
  expect(transport.requests[1]?.headers).toMatchObject({
    accept: "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1",
  });
});

test("an unknown kind is an error that lists the kinds of its group and version", async () => {
  const { client } = connected({ body: apiResources }, { status: 404, body: "404 page not found\n" });
  const nothing = kind({ group: "example.dev", version: "v1", kind: "Nothing" });
  await expect(client.get(nothing, "a")).rejects.toThrow(
    new UnknownKindError(
      "expected the server to serve Nothing in example.dev/v1, got only Website, Region; is its CustomResourceDefinition installed?",
    ),
  );
  await expect(client.get(nothing, "a")).rejects.toThrow(
    new UnknownKindError(
      "expected the server to serve Nothing in example.dev/v1, got no such group and version; is its CustomResourceDefinition installed?",
    ),
  );
});

test("a failed discovery request is not an UnknownKindError", async () => {
  const { client } = connected(refused(503, "ServiceUnavailable"));
  await expect(client.get(website, "a")).rejects.toMatchObject({ name: "ApiError", code: 503 });
});

/** Returns the same group, with another plural or scope of the kind. */
function served(plural: string, namespaced = true): Reply {
  const resource = { name: plural, singularName: "website", kind: "Website", namespaced, verbs: ["get"] };
  return { body: { ...apiResources, resources: [resource] } };
}
const unserved: Reply = { status: 404, body: "404 page not found\n" };
const object = { apiVersion: "example.dev/v1", kind: "Website", metadata: { name: "a" } };

test("if the server no longer serves the path of a kind, the kind is resolved again and the request is retried", async () => {
  const { client, transport } = connected(served("websites"), {}, unserved, served("sites"), {}, {});
  await client.get(website, "a");
  await client.patch(website, "a", { merge: {} });
  await client.inNamespace("away").get(website, "b");
  expect(transport.lines.map((line) => line.split("?")[0])).toEqual([
    "GET /apis/example.dev/v1",
    "GET /apis/example.dev/v1/namespaces/home/websites/a",
    "PATCH /apis/example.dev/v1/namespaces/home/websites/a",
    "GET /apis/example.dev/v1",
    "PATCH /apis/example.dev/v1/namespaces/home/sites/a",
    "GET /apis/example.dev/v1/namespaces/away/sites/b",
  ]);
});

const list = { body: { kind: "WebsiteList", apiVersion: "example.dev/v1", metadata: {}, items: [] } };
const calls: Record<string, [send: (client: Client) => Promise<unknown>, reply?: Reply]> = {
  get: [(client) => client.get(website, "a")],
  list: [(client) => client.list(website), list],
  pages: [(client) => client.pages(website)[Symbol.asyncIterator]().next(), list],
  create: [(client) => client.create(website, object)],
  update: [(client) => client.update(website, object as never)],
  apply: [(client) => client.apply(website, object)],
  applyStatus: [(client) => client.applyStatus(website, "a", {} as never)],
  delete: [(client) => client.delete(website, "a")],
  deleteAll: [(client) => client.deleteAll(website, { namespace: "home" })],
  "a subresource": [(client) => client.subresource(website, "a", "scale").patch({ merge: {} })],
};

test.each(Object.entries(calls))("%s uses the new scope of a kind", async (_, [send, reply = {}]) => {
  const { client, transport } = connected(served("websites"), unserved, served("websites", false), reply);
  await send(client);
  const [, before = "", , after] = transport.lines;
  expect(before).toContain("/apis/example.dev/v1/");
  expect(after).toBe(before.replace("/namespaces/home", ""));
});

test("a watch uses the new plural of a kind", async () => {
  const event = { type: "ADDED", object: { ...object, metadata: { name: "a", resourceVersion: "1" } } };
  const { client, transport } = connected(served("websites"), unserved, served("sites"), {
    body: `${JSON.stringify(event)}\n`,
  });
  for await (const { type } of client.watch(website, { resourceVersion: "5" })) {
    expect(type).toBe("added");
    break;
  }
  expect(transport.lines.map((line) => line.split("?")[0])).toEqual([
    "GET /apis/example.dev/v1",
    "GET /apis/example.dev/v1/websites",
    "GET /apis/example.dev/v1",
    "GET /apis/example.dev/v1/sites",
  ]);
});

test("a 404 for an unchanged path is an error, and so is a removed kind", async () => {
  const { client } = connected(served("websites"), unserved, served("websites"), unserved, unserved);
  const status = client.patch(website, "a", { merge: {} }, { subresource: "status" });
  await expect(status).rejects.toMatchObject({ name: "ApiError", code: 404 });
  await expect(client.get(website, "a")).rejects.toMatchObject({ name: "ApiError", code: 404 });
});

test("concurrent calls that get a 404 resolve the kind once", async () => {
  const { client, transport } = connected(served("websites"), unserved, unserved, served("sites"), {}, {});
  await Promise.all([client.get(website, "a"), client.get(website, "b")]);
  expect(transport.lines.filter((line) => line === "GET /apis/example.dev/v1")).toHaveLength(2);
});

test("a kind with a plural and scope is not resolved on the server", async () => {
  const stated = kind({ ...website, plural: "websites", namespaced: true });
  const { client, transport } = connected(unserved);
  await expect(client.get(stated, "a")).rejects.toMatchObject({ name: "ApiError", code: 404 });
  expect(transport.lines).toHaveLength(1);
});
