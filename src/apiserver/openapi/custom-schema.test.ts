import { expect, test } from "vitest";
import type { StructuralSchema } from "../../schema/index.ts";
import { widgets } from "../discovery/served.fixture.ts";
import { customListSchema, customSchema } from "./custom-schema.ts";

const objectMeta = {
  allOf: [{ $ref: "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta" }],
};
const everyObject = { apiVersion: { type: "string" }, kind: { type: "string" }, metadata: objectMeta };
const kinds = [{ group: "zeta.example.dev", kind: "Widget", version: "v1" }];

/** What is published of a spec. */
function published(spec: StructuralSchema): unknown {
  const schema: StructuralSchema = { type: "object", properties: { spec } };
  const { properties } = customSchema(widgets({ schema }));
  return (properties as Readonly<Record<string, unknown>>).spec;
}

test("what every object has is added, and what the author says of metadata is not shown", () => {
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

test("a kind without a schema is any object", () => {
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
    "a number or a text",
    { "x-kubernetes-int-or-string": true },
    { anyOf: [{ type: "integer" }, { type: "string" }], "x-kubernetes-int-or-string": true },
  ],
  [
    "a number or a text that says so itself",
    { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer", minimum: 1 }, { type: "string" }] },
    { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer", minimum: 1 }, { type: "string" }] },
  ],
  [
    "an object inside",
    { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
    {
      type: "object",
      required: ["kind", "apiVersion"],
      properties: everyObject,
      "x-kubernetes-embedded-resource": true,
      "x-kubernetes-preserve-unknown-fields": true,
    },
  ],
])("%s is told to readers that do not know", (_, schema, shown) => {
  expect(published(schema)).toEqual(shown);
});

test("all else is shown as its author wrote it, at any depth", () => {
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
  expect(published(schema)).toEqual(schema);
});
