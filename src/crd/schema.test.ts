import { expect, test } from "vitest";
import { problemsOfSpec, schemaOf, specSchema } from "./declared.fixture.ts";

test("a schema of any library is converted by its JSON Schema", () => {
  const spec = schemaOf({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: {
      image: { type: "string" },
      tag: { anyOf: [{ type: "string" }, { type: "null" }] },
      mode: { enum: ["fast", "slow"] },
      names: { type: "array", items: { type: "string" }, uniqueItems: true },
      size: { type: ["integer", "string", "null"] },
      open: { type: "object" },
      port: { $ref: "#/$defs/a~1port" },
    },
    required: ["image"],
    $defs: { "a/port": { type: "integer", const: 80 } },
  });
  expect(specSchema(spec)).toEqual({
    type: "object",
    properties: {
      image: { type: "string" },
      tag: { type: "string", nullable: true },
      mode: { type: "string", enum: ["fast", "slow"] },
      names: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
      size: { "x-kubernetes-int-or-string": true, nullable: true },
      open: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
      port: { type: "integer", enum: [80] },
    },
    required: ["image"],
  });
});

test("a default that is not part of the JSON Schema is refused, because the server would not set it", () => {
  const fields = { type: "object", properties: { replicas: { type: "integer" } } };
  expect(problemsOfSpec(schemaOf(fields, { ...fields, required: ["replicas"] }))).toEqual([
    {
      field: "spec.replicas",
      reason:
        "the default is not part of the JSON Schema, so an API server would not set it: use a constant default, or make the field optional",
    },
  ]);
});

test("an error of the library is reported with spec or status", () => {
  const failing = () => {
    throw new Error("a promise is no JSON");
  };
  const spec = { "~standard": { vendor: "other", jsonSchema: { input: failing, output: failing } } };
  expect(problemsOfSpec(spec)).toEqual([{ field: "spec", reason: "a promise is no JSON" }]);
});

test("a schema without JSON Schema support is refused", () => {
  // Plain JavaScript, or an older version of the library, may pass such a schema.
  const spec = { "~standard": { vendor: "zod" } } as never;
  const reason =
    "expected a schema with JSON Schema support (zod 4.2 or newer, arktype, valibot), got one without";
  expect(problemsOfSpec(spec)).toEqual([{ field: "spec", reason }]);
});

test("unsupported JSON Schema keywords are refused by name", () => {
  const spec = schemaOf({
    type: "object",
    properties: { a: { type: "array", contains: { type: "string" } }, b: { $ref: "#/$defs/none" }, c: {} },
    dependentRequired: { a: ["b"] },
  });
  expect(problemsOfSpec(spec)).toEqual([
    { field: "spec", reason: "the keyword dependentRequired is not supported in a CustomResourceDefinition" },
  ]);
});

test("a reference without a target is refused", () => {
  const spec = schemaOf({ type: "object", properties: { b: { $ref: "#/$defs/none" } } });
  expect(problemsOfSpec(spec)).toEqual([
    { field: "spec.b", reason: "expected a schema at #/$defs/none, got none" },
  ]);
});

test("intersected objects are joined, unless they differ in a field", () => {
  const [text, number] = [{ type: "string" }, { type: "integer" }];
  const both = (field: object) => ({
    allOf: [
      { type: "object", properties: { a: text, b: text }, required: ["b"] },
      { type: "object", properties: { a: field, c: number }, required: ["c"] },
    ],
  });
  expect(specSchema(schemaOf(both(text)))).toEqual({
    type: "object",
    properties: { a: text, b: text, c: number },
    required: ["b", "c"],
  });
  expect(problemsOfSpec(schemaOf(both(number)))).toEqual([
    { field: "spec.a", reason: "the field has different schemas in the intersection" },
  ]);
});
