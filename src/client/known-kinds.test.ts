import { expect, test } from "vitest";
import { kind, metadataOnly } from "../api/index.ts";
import { ApiError } from "../transport/index.ts";
import { connected } from "./connected.fixture.ts";
import { UnknownKindError } from "./index.ts";
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
