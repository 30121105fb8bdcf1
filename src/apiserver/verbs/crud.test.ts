import { expect, test } from "vitest";
import { testServer } from "../requests.fixture.ts";

const configMaps = "/api/v1/namespaces/default/configmaps";

test("a created object can be read", async () => {
  using api = testServer();
  const created = await api.object("POST", configMaps, { metadata: { name: "a" }, data: { k: "v" } });
  expect(created).toEqual({
    kind: "ConfigMap",
    apiVersion: "v1",
    metadata: {
      name: "a",
      namespace: "default",
      uid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      resourceVersion: "7",
      creationTimestamp: "2026-01-01T00:00:00Z",
      managedFields: [
        {
          manager: "test",
          operation: "Update",
          apiVersion: "v1",
          time: "2026-01-01T00:00:00Z",
          fieldsType: "FieldsV1",
          fieldsV1: { "f:data": { ".": {}, "f:k": {} } },
        },
      ],
    },
    data: { k: "v" },
  });
  expect(await api.object("GET", `${configMaps}/a`)).toEqual(created);
});

test("a GET of a missing object returns 404", async () => {
  using api = testServer();
  expect(await api.refusal("GET", `${configMaps}/none`)).toEqual({
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: 'configmaps "none" not found',
    reason: "NotFound",
    details: { name: "none", kind: "configmaps" },
    code: 404,
  });
});

test("a watch sends the stored objects, then changes", async () => {
  using api = testServer();
  await api.object("POST", configMaps, { metadata: { name: "a" } });
  const watch = await api.watch(`${configMaps}?watch=1&allowWatchBookmarks=true`);
  await api.object("POST", configMaps, { metadata: { name: "b" } });
  await api.object("DELETE", `${configMaps}/a`);
  const events = await watch.events();
  expect(
    events.map(({ type, object }) => [type, object.metadata.name, object.metadata.resourceVersion]),
  ).toEqual([
    ["ADDED", "a", "7"],
    ["BOOKMARK", undefined, "7"],
    ["ADDED", "b", "8"],
    ["DELETED", "a", "9"],
  ]);
});
