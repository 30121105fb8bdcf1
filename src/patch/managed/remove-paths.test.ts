import fc from "fast-check";
import { expect, test } from "vitest";
import { fieldsOf } from "./fields-of.ts";
import { parseFields } from "./fields-v1.ts";
import { removePaths } from "./remove-paths.ts";
import { specNode } from "./thing.fixture.ts";
import { specs } from "./things.fixture.ts";

test.each([
  ["a field", { text: "1", replicas: 1 }, { "f:text": {} }, { replicas: 1 }],
  ["a field with everything in it", { struct: { a: "1" }, text: "1" }, { "f:struct": {} }, { text: "1" }],
  [
    "an element by its keys",
    { items: [{ name: "a" }, { name: "b" }] },
    { "f:items": { 'k:{"name":"a"}': {} } },
    { items: [{ name: "b" }] },
  ],
  [
    "an element by the default of a key",
    { ports: [{ port: 1 }, { port: 2 }] },
    { "f:ports": { 'k:{"port":1,"protocol":"TCP"}': {} } },
    { ports: [{ port: 2 }] },
  ],
  ["an element of a set", { set: ["a", "b"] }, { "f:set": { 'v:"b"': {} } }, { set: ["a"] }],
  [
    "fields in an element",
    { items: [{ name: "a", value: "1", tags: { x: "1", y: "2" } }] },
    { "f:items": { 'k:{"name":"a"}': { "f:value": {}, "f:tags": { "f:x": {} } } } },
    { items: [{ name: "a", tags: { y: "2" } }] },
  ],
  [
    "all repeated elements",
    { items: [{ name: "a" }, { name: "b" }, { name: "a", value: "1" }] },
    { "f:items": { 'k:{"name":"a"}': {} } },
    { items: [{ name: "b" }] },
  ],
  [
    "the last field, which leaves null",
    { map: { a: "1" }, set: ["a"], struct: { b: { c: "1" } }, text: "1" },
    { "f:map": { "f:a": {} }, "f:set": { 'v:"a"': {} }, "f:struct": { "f:b": { "f:c": {} } } },
    { map: null, set: null, struct: { b: null }, text: "1" },
  ],
  ["nothing for missing paths", { text: "1" }, { "f:map": { "f:a": {} }, "f:replicas": {} }, { text: "1" }],
])("removing paths removes %s", (_, ...[value, fields, left]) => {
  expect(removePaths(value, parseFields(fields), specNode)).toEqual(left);
});

test("removing all paths of a value leaves no scalar", () => {
  fc.assert(
    fc.property(specs, (spec) => {
      expect(scalarsIn(removePaths(spec, fieldsOf(spec, specNode), specNode))).toEqual([]);
    }),
  );
});

function scalarsIn(value: unknown): unknown[] {
  if (value === null) return [];
  return typeof value === "object" ? Object.values(value).flatMap(scalarsIn) : [value];
}
