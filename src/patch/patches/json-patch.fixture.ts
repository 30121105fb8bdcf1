import type { JsonObject } from "../../schema/index.ts";
import { type PatchCase, rejected } from "./patch-case.fixture.ts";

const data = { data: { a: "1", b: "2" } };
const list = { list: ["x", "y"] };
/** Parses JSON, because `__proto__` in an object literal is not a key. */
const parseObject = (text: string): JsonObject => JSON.parse(text);

export const jsonPatchCases: readonly PatchCase[] = [
  {
    title: "operations are applied in order, each to the result of the last one",
    document: { data: { one: "1", two: "2", three: "3" } },
    patch: [
      { op: "test", path: "/data/one", value: "1" },
      { op: "replace", path: "/data/one", value: "10" },
      { op: "remove", path: "/data/two" },
      { op: "copy", from: "/data/one", path: "/data/four" },
      { op: "move", from: "/data/three", path: "/data/five" },
    ],
    outcome: { result: { data: { one: "10", four: "10", five: "3" } } },
  },
  {
    title: "an empty patch changes nothing",
    document: data,
    patch: [],
    outcome: { result: data },
  },
  {
    title: "a null patch has no operations",
    document: data,
    patch: null,
    outcome: { result: data },
  },
  {
    title: "add replaces the value of an existing key",
    document: data,
    patch: [{ op: "add", path: "/data/a", value: { deep: true } }],
    outcome: { result: { data: { a: { deep: true }, b: "2" } } },
  },
  {
    title: "add needs an existing parent",
    document: data,
    patch: [{ op: "add", path: "/labels/x", value: "1" }],
    outcome: rejected,
  },
  {
    title: "add cannot add to a scalar",
    document: data,
    patch: [{ op: "add", path: "/data/a/x", value: "1" }],
    outcome: rejected,
  },
  {
    title: "add cannot add to null",
    document: { a: null },
    patch: [{ op: "add", path: "/a/x", value: "1" }],
    outcome: rejected,
  },
  {
    title: "a missing value is null",
    document: {},
    patch: [{ op: "add", path: "/a" }],
    outcome: { result: { a: null } },
  },
  {
    title: "replace adds a missing key",
    document: data,
    patch: [{ op: "replace", path: "/data/c", value: "3" }],
    outcome: { result: { data: { a: "1", b: "2", c: "3" } } },
  },
  {
    title: "remove needs the key",
    document: data,
    patch: [{ op: "remove", path: "/data/c" }],
    outcome: rejected,
  },
  {
    title: "remove removes a null",
    document: { a: null, b: 1 },
    patch: [{ op: "remove", path: "/a" }],
    outcome: { result: { b: 1 } },
  },
  {
    title: "a missing key tests equal to null",
    document: data,
    patch: [{ op: "test", path: "/data/c", value: null }],
    outcome: { result: data },
  },
  {
    title: "a missing key tests equal to a missing value",
    document: data,
    patch: [{ op: "test", path: "/data/c" }],
    outcome: { result: data },
  },
  {
    title: "a test below a missing key fails",
    document: data,
    patch: [{ op: "test", path: "/labels/c", value: null }],
    outcome: rejected,
  },
  {
    title: "test compares objects in any order of keys",
    document: data,
    patch: [{ op: "test", path: "/data", value: { b: "2", a: "1" } }],
    outcome: { result: data },
  },
  {
    title: "test compares lists in order",
    document: list,
    patch: [{ op: "test", path: "/list", value: ["y", "x"] }],
    outcome: rejected,
  },
  {
    title: "test distinguishes 1, true and a string",
    document: { a: 1 },
    patch: [{ op: "test", path: "/a", value: "1" }],
    outcome: rejected,
  },
  {
    title: "test compares the whole document",
    document: data,
    patch: [{ op: "test", path: "", value: { data: { a: "1", b: "2" } } }],
    outcome: { result: data },
  },
  {
    title: "a failing operation discards the earlier ones",
    document: data,
    patch: [
      { op: "remove", path: "/data/a" },
      { op: "test", path: "/data/a", value: "1" },
    ],
    outcome: rejected,
  },
  {
    title: "a missing value is copied as null",
    document: data,
    patch: [{ op: "copy", from: "/data/c", path: "/data/d" }],
    outcome: { result: { data: { a: "1", b: "2", d: null } } },
  },
  {
    title: "a missing value cannot be moved",
    document: data,
    patch: [{ op: "move", from: "/data/c", path: "/data/d" }],
    outcome: rejected,
  },
  {
    title: "a value cannot be moved into itself",
    document: data,
    patch: [{ op: "move", from: "/data", path: "/data/a" }],
    outcome: rejected,
  },
  {
    title: "a value copied into itself is copied before the change",
    document: data,
    patch: [{ op: "copy", from: "/data", path: "/data/c" }],
    outcome: { result: { data: { a: "1", b: "2", c: { a: "1", b: "2" } } } },
  },
  {
    title: "a change of a copy does not affect its source",
    document: { a: { deep: { x: 1 } } },
    patch: [
      { op: "add", path: "/a/deep/y", value: 2 },
      { op: "copy", from: "/a", path: "/b" },
      { op: "remove", path: "/a/deep/x" },
      { op: "add", path: "/b/deep/z", value: 3 },
    ],
    outcome: { result: { a: { deep: { y: 2 } }, b: { deep: { x: 1, y: 2, z: 3 } } } },
  },
  {
    title: "- is the index after the last element",
    document: list,
    patch: [{ op: "add", path: "/list/-", value: "z" }],
    outcome: { result: { list: ["x", "y", "z"] } },
  },
  {
    title: "the index after the last element has no value",
    document: list,
    patch: [{ op: "replace", path: "/list/-", value: "z" }],
    outcome: rejected,
  },
  {
    title: "add inserts before the index",
    document: list,
    patch: [{ op: "add", path: "/list/1", value: "z" }],
    outcome: { result: { list: ["x", "z", "y"] } },
  },
  {
    title: "add accepts the index after the last element",
    document: list,
    patch: [{ op: "add", path: "/list/2", value: "z" }],
    outcome: { result: { list: ["x", "y", "z"] } },
  },
  {
    title: "add cannot leave a gap in a list",
    document: list,
    patch: [{ op: "add", path: "/list/3", value: "z" }],
    outcome: rejected,
  },
  {
    title: "negative indexes count from the end",
    document: { list: ["x", "y", "z"] },
    patch: [
      { op: "test", path: "/list/-1", value: "z" },
      { op: "replace", path: "/list/-3", value: "a" },
      { op: "remove", path: "/list/-2" },
    ],
    outcome: { result: { list: ["a", "z"] } },
  },
  {
    title: "-1 is the index after the last element for add",
    document: list,
    patch: [{ op: "add", path: "/list/-1", value: "z" }],
    outcome: { result: { list: ["x", "y", "z"] } },
  },
  {
    title: "a negative index before the first element fails",
    document: list,
    patch: [{ op: "remove", path: "/list/-3" }],
    outcome: rejected,
  },
  {
    title: "an index may have a sign and leading zeros",
    document: list,
    patch: [
      { op: "replace", path: "/list/+1", value: "b" },
      { op: "replace", path: "/list/00", value: "a" },
    ],
    outcome: { result: { list: ["a", "b"] } },
  },
  {
    title: "an index of a list must be a number",
    document: list,
    patch: [{ op: "test", path: "/list/first", value: null }],
    outcome: rejected,
  },
  {
    title: "~1 encodes a slash and ~0 a tilde",
    document: { labels: { "a/b": 1, "c~d": 2, "~1": 3 } },
    patch: [
      { op: "remove", path: "/labels/a~1b" },
      { op: "remove", path: "/labels/c~0d" },
      { op: "replace", path: "/labels/~01", value: 4 },
    ],
    outcome: { result: { labels: { "~1": 4 } } },
  },
  {
    title: "a key may be empty",
    document: { "": { "": 1 } },
    patch: [{ op: "replace", path: "//", value: 2 }],
    outcome: { result: { "": { "": 2 } } },
  },
  {
    title: "the text before the first slash is ignored",
    document: data,
    patch: [{ op: "remove", path: "elsewhere/data/a" }],
    outcome: { result: { data: { b: "2" } } },
  },
  {
    title: "a path without a slash fails",
    document: data,
    patch: [{ op: "remove", path: "data" }],
    outcome: rejected,
  },
  {
    title: "the whole document can be replaced",
    document: data,
    patch: [
      { op: "replace", path: "", value: { a: 1 } },
      { op: "add", path: "/b", value: 2 },
    ],
    outcome: { result: { a: 1, b: 2 } },
  },
  {
    title: "the whole document can become a list",
    document: data,
    patch: [
      { op: "replace", path: "", value: ["x"] },
      { op: "add", path: "/-", value: "y" },
    ],
    outcome: { result: ["x", "y"] },
  },
  {
    title: "the whole document cannot become a scalar",
    document: data,
    patch: [{ op: "replace", path: "", value: "x" }],
    outcome: rejected,
  },
  {
    title: "the whole document cannot become null",
    document: data,
    patch: [{ op: "replace", path: "", value: null }],
    outcome: rejected,
  },
  {
    title: "the whole document cannot be added, removed, moved or copied",
    document: data,
    patch: [{ op: "copy", from: "", path: "/copy" }],
    outcome: rejected,
  },
  {
    title: "an unknown operation is rejected",
    document: data,
    patch: [{ op: "constructor", path: "/data/a" }],
    outcome: rejected,
  },
  {
    title: "operations are in lower case",
    document: data,
    patch: [{ op: "REMOVE", path: "/data/a" }],
    outcome: rejected,
  },
  {
    title: "a null operation is rejected",
    document: data,
    patch: [null],
    outcome: rejected,
  },
  {
    title: "an operation without a path is rejected",
    document: data,
    patch: [{ op: "remove" }],
    outcome: rejected,
  },
  {
    title: "a copy without a source is rejected",
    document: data,
    patch: [{ op: "copy", path: "/data/c" }],
    outcome: rejected,
  },
  {
    title: "__proto__ and constructor are plain keys",
    document: parseObject('{"__proto__":{"a":1}}'),
    patch: parseObject(
      '[{"op":"add","path":"/__proto__/b","value":2},{"op":"copy","from":"/__proto__","path":"/constructor"},{"op":"remove","path":"/__proto__/a"}]',
    ),
    outcome: { result: parseObject('{"__proto__":{"b":2},"constructor":{"a":1,"b":2}}') },
  },
  {
    title: "properties of the JavaScript object prototype do not exist",
    document: {},
    patch: [{ op: "remove", path: "/toString" }],
    outcome: rejected,
  },
  {
    title: "properties of the JavaScript array prototype do not exist",
    document: list,
    patch: [{ op: "test", path: "/list/length", value: 2 }],
    outcome: rejected,
  },
];
