import { expect, test } from "vitest";
import { runAtOnce } from "../../base/index.ts";
import type { JsonObject } from "../../schema/index.ts";
import { type ApplyResult, apply } from "./apply.ts";
import { managedFieldsOf } from "./managed-object.ts";
import { configMapNode } from "./thing.fixture.ts";
import { trackUpdate } from "./track-update.ts";

const annotation = "kubectl.kubernetes.io/last-applied-configuration";
const write = { node: configMapNode, apiVersion: "v1", time: "2026-01-01T00:00:00Z" };

test("kubectl takes over the fields of client-side apply and updates the annotation", () => {
  const live = clientSide({ a: "1", b: "1" });
  const result = applied("kubectl", live, configMap({ a: "1", b: "2" }));
  expect(result).toMatchObject({
    type: "applied",
    object: {
      data: { a: "1", b: "2" },
      metadata: {
        annotations: {
          [annotation]:
            '{"apiVersion":"v1","data":{"a":"1","b":"2"},"kind":"ConfigMap","metadata":{"name":"a"}}\n',
        },
      },
    },
  });
});

test("another manager takes nothing over", () => {
  expect(applied("other", clientSide({ a: "1" }), configMap({ a: "2" }))).toMatchObject({
    message: 'Apply failed with 1 conflict: conflict with "kubectl-client-side-apply" using v1: .data.a',
  });
});

test("only fields that changed since are a conflict", () => {
  const live = clientSide({ a: "1", b: "1" });
  const changed = runAtOnce(
    trackUpdate({
      ...write,
      manager: "hand",
      live,
      next: { ...live, data: { a: "5", b: "1" } },
    }),
  );
  expect(applied("kubectl", changed, configMap({ a: "2", b: "2" }))).toMatchObject({
    message: 'Apply failed with 1 conflict: conflict with "hand" using v1: .data.a',
  });
  expect(applied("kubectl", changed, configMap({ a: "5", b: "2" }))).toMatchObject({ type: "applied" });
});

test.each([
  ["{bad", "not JSON"],
  ["[]", "not an object"],
  ["", "empty"],
  [JSON.stringify({ ...configMap({ a: "1" }), apiVersion: "v2" }), "of another version"],
  [JSON.stringify({ ...configMap({ a: "1" }), unknown: 1 }), "of another structure"],
])("the annotation %j, which is %s, is not taken over", (text) => {
  const live = clientSide({ a: "1" }, text);
  expect(applied("kubectl", live, configMap({ a: "2" }))).toMatchObject({
    message: 'Apply failed with 1 conflict: conflict with "kubectl-client-side-apply" using v1: .data.a',
  });
});

test("an object without the annotation, or with an empty one, does not get one", () => {
  const created = applied("kubectl", undefined, configMap({ a: "1" }));
  expect(created).toMatchObject({ object: { metadata: { name: "a" } } });
  expect(annotationsOf(created)).toBeUndefined();
  expect(annotationsOf(applied("kubectl", clientSide({ a: "1" }, ""), configMap({ b: "1" })))).toEqual({
    [annotation]: "",
  });
});

test("the annotation does not contain its own old value, and belongs to its former owner", () => {
  const config = configMap({ a: "2" }, { [annotation]: "x" });
  const created = applied("kubectl", undefined, config);
  expect(annotationsOf(created)).toEqual({
    [annotation]:
      '{"apiVersion":"v1","data":{"a":"2"},"kind":"ConfigMap","metadata":{"annotations":{},"name":"a"}}\n',
  });
  expect(created.type === "applied" && managedFieldsOf(created.object)).toMatchObject([
    { fieldsV1: { "f:data": { "f:a": {} }, "f:metadata": { "f:annotations": { [`f:${annotation}`]: {} } } } },
  ]);
});

test("the annotation is removed if the annotations would become too large", () => {
  const result = applied("kubectl", clientSide({ a: "1" }), configMap({ a: "x".repeat(256 * 1024) }));
  expect(annotationsOf(result)).toEqual({});
});

function clientSide(data: JsonObject, text: string = JSON.stringify(configMap(data))): JsonObject {
  const next = configMap(data, { [annotation]: text });
  return runAtOnce(trackUpdate({ ...write, manager: "kubectl-client-side-apply", next }));
}

function applied(manager: string, live: JsonObject | undefined, config: JsonObject): ApplyResult {
  return runAtOnce(apply({ ...write, manager, live, config }));
}

function annotationsOf(result: ApplyResult): unknown {
  return result.type === "applied" ? (result.object.metadata as JsonObject).annotations : undefined;
}

function configMap(data: JsonObject, annotations?: JsonObject): JsonObject {
  return {
    ...{ apiVersion: "v1", kind: "ConfigMap" },
    metadata: { name: "a", ...(annotations && { annotations }) },
    data,
  };
}
