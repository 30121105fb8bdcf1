import { expect, test } from "vitest";
import { libraryOf, refusalOf } from "./declared.fixture.ts";
import { resourceSchema } from "./resource-schema.ts";

test("a schema of any library counts by the JSON Schema it gives", () => {
  const spec = libraryOf({
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
  expect(resourceSchema("a kind", { spec }).properties?.spec).toEqual({
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

test("a default that is no part of the JSON Schema is refused, since the server would not set it", () => {
  const fields = { type: "object", properties: { replicas: { type: "integer" } } };
  expect(refusalOf(libraryOf(fields, { ...fields, required: ["replicas"] }))).toEqual([
    { field: "spec.replicas", reason: "its default is in the code of the library alone" },
  ]);
});

test("what a library throws is told with the part of the object it is about", () => {
  const failing = () => {
    throw new Error("a promise is no JSON");
  };
  const spec = { "~standard": { vendor: "other", jsonSchema: { input: failing, output: failing } } };
  expect(refusalOf(spec)).toEqual([{ field: "spec", reason: "a promise is no JSON" }]);
});

test("a schema that gives no JSON Schema is refused with what does", () => {
  // Who writes JavaScript, or has an older version of their library, may give it.
  const spec = { "~standard": { vendor: "zod" } } as never;
  const reason = "expected a schema that gives JSON Schema (zod 4.2 or newer, arktype, valibot), got none";
  expect(refusalOf(spec)).toEqual([{ field: "spec", reason }]);
});

test("words of JSON Schema that nothing stands for are refused by name", () => {
  const spec = libraryOf({
    type: "object",
    properties: { a: { type: "array", contains: { type: "string" } }, b: { $ref: "#/$defs/none" }, c: {} },
    dependentRequired: { a: ["b"] },
  });
  expect(refusalOf(spec)).toEqual([
    { field: "spec", reason: "the keyword dependentRequired has no counterpart at an API server" },
  ]);
});

test("a reference that leads nowhere is refused", () => {
  const spec = libraryOf({ type: "object", properties: { b: { $ref: "#/$defs/none" } } });
  expect(refusalOf(spec)).toEqual([
    { field: "spec.b", reason: "expected #/$defs/none to be in the schema, got nothing" },
  ]);
});

test("objects that have to be both are one, unless they differ in a field", () => {
  const [text, number] = [{ type: "string" }, { type: "integer" }];
  const both = (field: object) => ({
    allOf: [
      { type: "object", properties: { a: text, b: text }, required: ["b"] },
      { type: "object", properties: { a: field, c: number }, required: ["c"] },
    ],
  });
  expect(resourceSchema("a kind", { spec: libraryOf(both(text)) }).properties?.spec).toEqual({
    type: "object",
    properties: { a: text, b: text, c: number },
    required: ["b", "c"],
  });
  expect(refusalOf(libraryOf(both(number)))).toEqual([
    { field: "spec.a", reason: "two schemas, and they differ" },
  ]);
});
