import { expect, test } from "vitest";
import type { KubeObject } from "../../api/index.ts";
import { VirtualClock } from "../../base/index.ts";
import type { Transform } from "../codec/negotiation.ts";
import {
  type ResponseTransformer,
  type ResponseTransformerOptions,
  responseTransformer,
  showsTable,
} from "./response-transformer.ts";
import { meta, now, resourceOf } from "./rows.fixture.ts";

const configMap = { kind: "ConfigMap", apiVersion: "v1", metadata: meta("a") } as unknown as KubeObject;
const { metadata } = configMap;
const listMeta = { resourceVersion: "9" };

function transformer(
  kind: Transform["kind"],
  more: Partial<ResponseTransformerOptions> & { readonly version?: string } = {},
): ResponseTransformer {
  const clock = new VirtualClock(now);
  const as = { kind, version: more.version ?? "v1" };
  const resource = resourceOf("v1 ConfigMap");
  return responseTransformer({ resource, as, query: new URLSearchParams(), clock, ...more });
}

test("PartialObjectMetadata has the metadata of an object, a list item and an event object", () => {
  const partial = { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata };
  expect(transformer("PartialObjectMetadata").object(configMap)).toEqual(partial);
  expect(transformer("PartialObjectMetadata").event(configMap, false)).toEqual(partial);
  const { head, field, item } = transformer("PartialObjectMetadataList").list({ continue: "", ...listMeta });
  expect([head, field, item(configMap)]).toEqual([
    { kind: "PartialObjectMetadataList", apiVersion: "meta.k8s.io/v1", metadata: listMeta },
    "items",
    partial,
  ]);
  expect(transformer("PartialObjectMetadata", { version: "v1beta1" }).object(configMap)).toMatchObject({
    apiVersion: "meta.k8s.io/v1beta1",
  });
});

test("an empty PartialObjectMetadataList has null items", () => {
  expect(transformer("PartialObjectMetadataList").list(listMeta).empty).toBe(null);
});

const custom = { ...resourceOf("v1 ConfigMap"), group: "example.dev", kind: "Foo", custom: true };

test.each([
  ["core.ConfigMap", resourceOf("v1 ConfigMap")],
  ["apps.Deployment", resourceOf("apps/v1 Deployment")],
  ["rbac.Role", resourceOf("rbac.authorization.k8s.io/v1 Role")],
])("a request for the wrong form of a %s is refused", (type, resource) => {
  expect(() => transformer("PartialObjectMetadata", { resource }).list(listMeta)).toThrow(
    `you requested PartialObjectMetadata, but the requested object is a list (*${type}List)`,
  );
  expect(() => transformer("PartialObjectMetadataList", { resource }).object(configMap)).toThrow(
    `you requested PartialObjectMetadataList, but the requested object is not a list (*${type})`,
  );
});

test("a request for the wrong form of a custom object is refused with a shorter message", () => {
  expect(() => transformer("PartialObjectMetadata", { resource: custom }).list(listMeta)).toThrow(
    "you requested PartialObjectMetadata, but the requested object is a list (*unstructured.UnstructuredList)",
  );
  expect(() => transformer("PartialObjectMetadataList", { resource: custom }).object(configMap)).toThrow(
    "content is not a list",
  );
});

test("a Table computes ages from the clock and includes the requested objects", () => {
  const table = transformer("Table", { query: new URLSearchParams("includeObject=None") });
  expect(table.object(configMap)).toMatchObject({
    kind: "Table",
    rows: [{ cells: ["a", 0, "90s"], object: null }],
  });
  const { head, item } = table.list(listMeta);
  expect([head, item(configMap)]).toMatchObject([{ metadata: listMeta }, { object: null }]);
  expect(table.event(configMap, false)).toMatchObject({ columnDefinitions: null });
});

test("a Table with an invalid includeObject is refused", () => {
  expect(() => transformer("Table", { query: new URLSearchParams("includeObject=Bad") })).toThrow(
    `Unable to convert to Table as requested: includeObject: Invalid value: "Bad": must be 'Metadata', 'Object', 'None', or empty`,
  );
});

test("a Table can be requested of objects that can be read, and of their scale", () => {
  const deployment = resourceOf("apps/v1 Deployment");
  const part = (kind: string, name: string): boolean => {
    const resource = resourceOf(kind);
    return showsTable(
      resource,
      resource.subresources.find((each) => each.name === name),
    );
  };
  expect([showsTable(deployment), part("apps/v1 Deployment", "scale"), part("v1 Pod", "status")]).toEqual([
    true,
    true,
    true,
  ]);
  expect([
    showsTable(resourceOf("authorization.k8s.io/v1 SelfSubjectAccessReview")),
    part("v1 Pod", "eviction"),
    part("v1 Pod", "binding"),
    part("v1 ServiceAccount", "token"),
  ]).toEqual([false, false, false, false]);
});
