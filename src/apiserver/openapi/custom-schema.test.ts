import { expect, test } from "vitest";
import type { StructuralSchema } from "../../schema/index.ts";
import { widgets } from "../discovery/served.fixture.ts";
import { customListSchema, customSchema } from "./custom-schema.ts";

const objectMeta = {
  allOf: [{ $ref: "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta" }],
};
const everyObject = { apiVersion: { type: "string" }, kind: { type: "string" }, metadata: objectMeta };
const kinds = [{ group: "zeta.example.dev", kind: "Widget", version: "v1" }];

/** Returns the published schema of a spec. */
function publishedSpec(spec: StructuralSchema): unknown {
  const schema: StructuralSchema = { type: "object", properties: { spec } };
  const { properties } = customSchema(widgets({ schema }));
  return (properties as Readonly<Record<string, unknown>>).spec;
}

test("apiVersion, kind and metadata are added, and the author's schema of metadata is omitted", () => {
  const schema: StructuralSchema = {
    type: "object",
    description: "A widget.",
    required: ["spec"],
    properties: {
      apiVersion: { type: "string" },
      metadata: { type: "object", properties: { name: { type: "string", maxLength: 20 } } },
      spec: { type: "object" },
    },
  };
  expect(customSchema(widgets({ schema }))).toEqual({
    type: "object",
    description: "A widget.",
    required: ["spec"],
    properties: { ...everyObject, spec: { type: "object" } },
    "x-kubernetes-group-version-kind": kinds,
  });
});

test("a kind without a schema accepts any object", () => {
  expect(customSchema(widgets())).toEqual({
    type: "object",
    properties: everyObject,
    "x-kubernetes-group-version-kind": kinds,
    "x-kubernetes-preserve-unknown-fields": true,
  });
});

test("lists have a schema of their own", () => {
  expect(customListSchema(widgets())).toEqual({
    description: "WidgetList is a list of Widget",
    type: "object",
    required: ["items"],
    properties: {
      apiVersion: { type: "string" },
      items: { type: "array", items: { $ref: "#/components/schemas/dev.example.zeta.v1.Widget" } },
      kind: { type: "string" },
      metadata: { allOf: [{ $ref: "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta" }] },
    },
    "x-kubernetes-group-version-kind": [{ group: "zeta.example.dev", kind: "WidgetList", version: "v1" }],
  });
});

test.each<[string, StructuralSchema, object]>([
  [
    "int-or-string",
    { "x-kubernetes-int-or-string": true },
    { anyOf: [{ type: "integer" }, { type: "string" }], "x-kubernetes-int-or-string": true },
  ],
  [
    "int-or-string with anyOf",
    { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer", minimum: 1 }, { type: "string" }] },
    { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer", minimum: 1 }, { type: "string" }] },
  ],
  [
    "an embedded object",
    { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
    {
      type: "object",
      required: ["kind", "apiVersion"],
      properties: everyObject,
      "x-kubernetes-embedded-resource": true,
      "x-kubernetes-preserve-unknown-fields": true,
    },
  ],
])("%s is spelled out in the published schema", (_, schema, expected) => {
  expect(publishedSpec(schema)).toEqual(expected);
});

test("all other fields are published as written, at any depth", () => {
  const schema: StructuralSchema = {
    type: "object",
    required: ["replicas"],
    anyOf: [{ required: ["on"] }, { required: ["text"] }],
    properties: {
      replicas: {
        type: "integer",
        format: "int32",
        default: 1,
        maximum: 10,
        minimum: 0,
        description: "How many.",
      },
      text: { type: "string", nullable: true, pattern: "^[a-z]*$", enum: ["a", "b"] },
      on: { type: "boolean" },
      open: { type: "object", additionalProperties: true },
      labels: { type: "object", additionalProperties: { type: "string" } },
      items: {
        type: "array",
        items: { type: "object", required: ["name"], properties: { name: { type: "string" } } },
        "x-kubernetes-list-map-keys": ["name"],
        "x-kubernetes-list-type": "map",
      },
    },
    "x-kubernetes-validations": [{ rule: "self.replicas >= 0", message: "no" }],
  };
  expect(publishedSpec(schema)).toEqual(schema);
});
