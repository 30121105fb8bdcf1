import { expect, test } from "vitest";
import { fieldComment } from "./field-comment.ts";
import type { Schema } from "./schema.ts";

const time = "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.Time";
const intOrString = "#/components/schemas/io.k8s.apimachinery.pkg.util.intstr.IntOrString";
const map = { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["port", "protocol"] };
const merge = { "x-kubernetes-patch-strategy": "merge,retainKeys", "x-kubernetes-patch-merge-key": "name" };

test.each<[string, Schema, string]>([
  ["a field without facts", { type: "string" }, ""],
  ["the format of a number", { type: "integer", format: "int32" }, "int32."],
  ["the format of a map's values", { additionalProperties: { type: "string", format: "byte" } }, "Base64."],
  ["a time", { allOf: [{ $ref: time }], default: {} }, "RFC 3339 time."],
  ["a list map", { type: "array", ...map }, "List map with the keys `port`, `protocol`."],
  ["a list set", { type: "array", "x-kubernetes-list-type": "set" }, "List set."],
  ["an atomic list", { type: "array", "x-kubernetes-list-type": "atomic" }, "Atomic list."],
  ["an atomic map", { type: "object", "x-kubernetes-map-type": "atomic" }, "Atomic."],
  ["patch directives", { ...merge }, "Strategic merge by `name`, strategic merge retains keys."],
  ["a default of the schema", { type: "string", default: "TCP" }, '@default "TCP"'],
  ["Go's zero value is no default", { type: "string", default: "" }, ""],
])("a comment says %s", (_, schema, expected) => {
  expect(fieldComment(schema, false)).toBe(expected === "" ? "" : `  /** ${expected} */\n`);
});

test("a comment says that a field is required", () => {
  expect(fieldComment({ type: "integer", format: "int64" }, true)).toBe("  /** Required. int64. */\n");
});

test.each<[Schema, string]>([
  [{ type: "integer", description: "The number. Defaults to 1. Value must be positive." }, "1"],
  [{ type: "integer", description: "How often. Default to 10 seconds. Minimum value is 1." }, "10"],
  [{ type: "integer", description: "Mode bits. Defaults to 0644. More." }, "0o644"],
  [{ type: "boolean", description: "Text. Default is false." }, "false"],
  [{ type: "string", description: 'Text. Defaults to "ext4".' }, '"ext4"'],
  [{ $ref: intOrString, description: "Text. Defaults to 25%. Example: none" }, '"25%"'],
  [{ $ref: intOrString, description: "Text. Default value is 1." }, "1"],
  [{ type: "string", enum: ["A", "B"], description: "Text. Defaults to A" }, '"A"'],
])("a default is read from a whole sentence: %o", (schema, expected) => {
  expect(fieldComment(schema, false)).toBe(`  /** @default ${expected} */\n`);
});

test.each<Schema>([
  { type: "string", enum: ["A", "B"], description: "Text. Defaults to C." },
  { type: "string", description: "Text. Defaults to the name of the Pod." },
  { type: "string", description: "Text. Default to Always if :latest is specified." },
  { type: "integer", description: "Text. Defaults to one." },
  { type: "boolean", description: "If another field is set, defaults to true." },
])("other sentences state no default: %o", (schema) => {
  expect(fieldComment(schema, false)).toBe("");
});
