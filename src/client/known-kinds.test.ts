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
  let answer = (_: Reply): void => {};
  const answered = new Promise<Reply>((resolve) => {
    answer = resolve;
  });
  const { client, transport } = connected(answered, {});
  const abort = new AbortController();
  const first = client.get(website, "a", { signal: abort.signal });
  const second = client.get(website, "b");
  const reason = new Error("enough");
  abort.abort(reason);
  await expect(first).rejects.toBe(reason);
  answer({ body: apiResources });
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

/** The same group with the kind at another plural, or with another scope. */
function served(plural: string, namespaced = true): Reply {
  const resource = { name: plural, singularName: "website", kind: "Website", namespaced, verbs: ["get"] };
  return { body: { ...apiResources, resources: [resource] } };
}
const unserved: Reply = { status: 404, body: "404 page not found\n" };
const object = { apiVersion: "example.dev/v1", kind: "Website", metadata: { name: "a" } };

test("a kind is looked up again when the server no longer serves it where it was, and the request sent once more", async () => {
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

test.each(Object.entries(calls))("%s follows a kind to another scope", async (_, [send, reply = {}]) => {
  const { client, transport } = connected(served("websites"), unserved, served("websites", false), reply);
  await send(client);
  const [, before = "", , after] = transport.lines;
  expect(before).toContain("/apis/example.dev/v1/");
  expect(after).toBe(before.replace("/namespaces/home", ""));
});

test("a watch follows a kind to another plural", async () => {
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

test("a path that is unknown though the kind is where it was stays an error, and so does a kind that is gone", async () => {
  const { client } = connected(served("websites"), unserved, served("websites"), unserved, unserved);
  const status = client.patch(website, "a", { merge: {} }, { subresource: "status" });
  await expect(status).rejects.toMatchObject({ name: "ApiError", code: 404 });
  await expect(client.get(website, "a")).rejects.toMatchObject({ name: "ApiError", code: 404 });
});

test("calls that find a kind gone together look it up once", async () => {
  const { client, transport } = connected(served("websites"), unserved, unserved, served("sites"), {}, {});
  await Promise.all([client.get(website, "a"), client.get(website, "b")]);
  expect(transport.lines.filter((line) => line === "GET /apis/example.dev/v1")).toHaveLength(2);
});

test("a kind whose plural and scope the program states is not looked up", async () => {
  const stated = kind({ ...website, plural: "websites", namespaced: true });
  const { client, transport } = connected(unserved);
  await expect(client.get(stated, "a")).rejects.toMatchObject({ name: "ApiError", code: 404 });
  expect(transport.lines).toHaveLength(1);
});
