import fc from "fast-check";
import { expect, test } from "vitest";
import { compareTyped } from "./compare-typed.ts";
import { fieldsOf } from "./fields-of.ts";
import { printFields } from "./fields-v1.ts";
import { specNode } from "./thing.fixture.ts";
import { specs } from "./things.fixture.ts";

test.each([
  ["a scalar", { text: "1" }, { "f:text": {} }],
  ["each element of a set", { set: ["b", "a"] }, { "f:set": { 'v:"a"': {}, 'v:"b"': {} } }],
  [
    "an atomic list and an atomic object as a whole",
    { list: [{ a: "1" }], atomic: { a: "1" } },
    { "f:atomic": {}, "f:list": {} },
  ],
  [
    "an element of a list by its keys, with its fields",
    { items: [{ name: "a", value: "1" }] },
    { "f:items": { 'k:{"name":"a"}': { ".": {}, "f:name": {}, "f:value": {} } } },
  ],
  [
    "a missing key as its default",
    { ports: [{ port: 1 }, { port: 1, protocol: "UDP" }] },
    {
      "f:ports": {
        'k:{"port":1,"protocol":"TCP"}': { ".": {}, "f:port": {} },
        'k:{"port":1,"protocol":"UDP"}': { ".": {}, "f:port": {}, "f:protocol": {} },
      },
    },
  ],
  ["the keys of a map, but not the map", { map: { a: "1" } }, { "f:map": { "f:a": {} } }],
  [
    "the keys of a map of objects, and their fields",
    { maps: { a: { a: "1" }, b: {} } },
    { "f:maps": { "f:a": { ".": {}, "f:a": {} }, "f:b": {} } },
  ],
  [
    "the fields of an object, but not the object",
    { struct: { b: { c: "1" } } },
    { "f:struct": { "f:b": { "f:c": {} } } },
  ],
  [
    "an empty object, but not an empty set or map list",
    { map: {}, struct: {}, set: [], list: [], items: [], atomic: {}, free: {}, maps: {} },
    { "f:atomic": {}, "f:free": {}, "f:list": {}, "f:map": {}, "f:maps": {}, "f:struct": {} },
  ],
  ["null fields", { text: null, set: null, struct: null }, { "f:set": {}, "f:struct": {}, "f:text": {} }],
  [
    "undeclared fields of any type",
    { free: { a: { b: [1, { c: 2 }], d: {}, n: null }, e: "x" } },
    { "f:free": { "f:a": { ".": {}, "f:b": {}, "f:d": {}, "f:n": {} }, "f:e": {} } },
  ],
  [
    "repeated elements once, without their fields",
    { items: [{ name: "a", value: "1" }, { name: "a" }, { name: "b" }] },
    { "f:items": { 'k:{"name":"a"}': {}, 'k:{"name":"b"}': { ".": {}, "f:name": {} } } },
  ],
])("an applying manager owns %s", (_, value, fields) => {
  expect(printFields(fieldsOf(value, specNode))).toEqual(fields);
});

test("a comparison with nothing adds exactly the fields of a value", () => {
  fc.assert(
    fc.property(specs, (spec) => {
      const { added } = compareTyped({}, spec, specNode);
      expect(printFields(fieldsOf(spec, specNode).difference(added))).toEqual({});
    }),
  );
});
