import type { JsonObject } from "../schema/index.ts";
import { type PatchCase, rejected } from "./patch-case.fixture.ts";

const data = { data: { a: "1", b: "2" } };
const list = { list: ["x", "y"] };
/** Of text, since `__proto__` in a literal is no key. */
const own = (text: string): JsonObject => JSON.parse(text);

export const jsonPatchCases: readonly PatchCase[] = [
  {
    title: "steps are done in order, each on what the last one left",
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
    title: "no steps change nothing",
    document: data,
    patch: [],
    outcome: { result: data },
  },
  {
    title: "a patch that is null has no steps",
    document: data,
    patch: null,
    outcome: { result: data },
  },
  {
    title: "add replaces what is under the key",
    document: data,
    patch: [{ op: "add", path: "/data/a", value: { deep: true } }],
    outcome: { result: { data: { a: { deep: true }, b: "2" } } },
  },
  {
    title: "add needs the object around it",
    document: data,
    patch: [{ op: "add", path: "/labels/x", value: "1" }],
    outcome: rejected,
  },
  {
    title: "add cannot go into a scalar",
    document: data,
    patch: [{ op: "add", path: "/data/a/x", value: "1" }],
    outcome: rejected,
  },
  {
    title: "add cannot go into null",
    document: { a: null },
    patch: [{ op: "add", path: "/a/x", value: "1" }],
    outcome: rejected,
  },
  {
    title: "a step without a value has null",
    document: {},
    patch: [{ op: "add", path: "/a" }],
    outcome: { result: { a: null } },
  },
  {
    title: "replace adds a key that is missing",
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
    title: "remove takes a null away",
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
    title: "a missing key tests equal to no value",
    document: data,
    patch: [{ op: "test", path: "/data/c" }],
    outcome: { result: data },
  },
  {
    title: "a key of something missing tests equal to nothing",
    document: data,
    patch: [{ op: "test", path: "/labels/c", value: null }],
    outcome: rejected,
  },
  {
    title: "test compares objects whatever the order of their keys",
    document: data,
    patch: [{ op: "test", path: "/data", value: { b: "2", a: "1" } }],
    outcome: { result: data },
  },
  {
    title: "test compares lists in their order",
    document: list,
    patch: [{ op: "test", path: "/list", value: ["y", "x"] }],
    outcome: rejected,
  },
  {
    title: "test tells 1 from true and from a string",
    document: { a: 1 },
    patch: [{ op: "test", path: "/a", value: "1" }],
    outcome: rejected,
  },
  {
    title: "test reaches the whole",
    document: data,
    patch: [{ op: "test", path: "", value: { data: { a: "1", b: "2" } } }],
    outcome: { result: data },
  },
  {
    title: "a step that fails undoes the ones before",
    document: data,
    patch: [
      { op: "remove", path: "/data/a" },
      { op: "test", path: "/data/a", value: "1" },
    ],
    outcome: rejected,
  },
  {
    title: "what is missing is copied as null",
    document: data,
    patch: [{ op: "copy", from: "/data/c", path: "/data/d" }],
    outcome: { result: { data: { a: "1", b: "2", d: null } } },
  },
  {
    title: "what is missing cannot be moved",
    document: data,
    patch: [{ op: "move", from: "/data/c", path: "/data/d" }],
    outcome: rejected,
  },
  {
    title: "nothing moves into itself",
    document: data,
    patch: [{ op: "move", from: "/data", path: "/data/a" }],
    outcome: rejected,
  },
  {
    title: "a copy into itself is of what was there before",
    document: data,
    patch: [{ op: "copy", from: "/data", path: "/data/c" }],
    outcome: { result: { data: { a: "1", b: "2", c: { a: "1", b: "2" } } } },
  },
  {
    title: "a change of a copy is none of what it was copied from",
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
    title: "- is the place behind the last element",
    document: list,
    patch: [{ op: "add", path: "/list/-", value: "z" }],
    outcome: { result: { list: ["x", "y", "z"] } },
  },
  {
    title: "there is nothing at the place behind the last element",
    document: list,
    patch: [{ op: "replace", path: "/list/-", value: "z" }],
    outcome: rejected,
  },
  {
    title: "add puts an element in front of the place",
    document: list,
    patch: [{ op: "add", path: "/list/1", value: "z" }],
    outcome: { result: { list: ["x", "z", "y"] } },
  },
  {
    title: "add reaches the place behind the last by its number",
    document: list,
    patch: [{ op: "add", path: "/list/2", value: "z" }],
    outcome: { result: { list: ["x", "y", "z"] } },
  },
  {
    title: "add leaves no gap in a list",
    document: list,
    patch: [{ op: "add", path: "/list/3", value: "z" }],
    outcome: rejected,
  },
  {
    title: "places below zero count from the end",
    document: { list: ["x", "y", "z"] },
    patch: [
      { op: "test", path: "/list/-1", value: "z" },
      { op: "replace", path: "/list/-3", value: "a" },
      { op: "remove", path: "/list/-2" },
    ],
    outcome: { result: { list: ["a", "z"] } },
  },
  {
    title: "-1 is behind the last for what is added",
    document: list,
    patch: [{ op: "add", path: "/list/-1", value: "z" }],
    outcome: { result: { list: ["x", "y", "z"] } },
  },
  {
    title: "a list ends at its first place too",
    document: list,
    patch: [{ op: "remove", path: "/list/-3" }],
    outcome: rejected,
  },
  {
    title: "a place may have a sign and zeros in front",
    document: list,
    patch: [
      { op: "replace", path: "/list/+1", value: "b" },
      { op: "replace", path: "/list/00", value: "a" },
    ],
    outcome: { result: { list: ["a", "b"] } },
  },
  {
    title: "a place of a list is a number",
    document: list,
    patch: [{ op: "test", path: "/list/first", value: null }],
    outcome: rejected,
  },
  {
    title: "~1 stands for a slash and ~0 for a tilde",
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
    title: "what is before the first slash does not count",
    document: data,
    patch: [{ op: "remove", path: "elsewhere/data/a" }],
    outcome: { result: { data: { b: "2" } } },
  },
  {
    title: "a path without a slash leads nowhere",
    document: data,
    patch: [{ op: "remove", path: "data" }],
    outcome: rejected,
  },
  {
    title: "the whole can be replaced",
    document: data,
    patch: [
      { op: "replace", path: "", value: { a: 1 } },
      { op: "add", path: "/b", value: 2 },
    ],
    outcome: { result: { a: 1, b: 2 } },
  },
  {
    title: "the whole can become a list",
    document: data,
    patch: [
      { op: "replace", path: "", value: ["x"] },
      { op: "add", path: "/-", value: "y" },
    ],
    outcome: { result: ["x", "y"] },
  },
  {
    title: "the whole cannot become a scalar",
    document: data,
    patch: [{ op: "replace", path: "", value: "x" }],
    outcome: rejected,
  },
  {
    title: "the whole cannot become null",
    document: data,
    patch: [{ op: "replace", path: "", value: null }],
    outcome: rejected,
  },
  {
    title: "the whole can be neither added, removed, moved nor copied",
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
    title: "a step that is null is rejected",
    document: data,
    patch: [null],
    outcome: rejected,
  },
  {
    title: "a step without a path is rejected",
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
    title: "__proto__ and constructor are keys like others",
    document: own('{"__proto__":{"a":1}}'),
    patch: own(
      '[{"op":"add","path":"/__proto__/b","value":2},{"op":"copy","from":"/__proto__","path":"/constructor"},{"op":"remove","path":"/__proto__/a"}]',
    ),
    outcome: { result: own('{"__proto__":{"b":2},"constructor":{"a":1,"b":2}}') },
  },
  {
    title: "what every JavaScript object has is not there",
    document: {},
    patch: [{ op: "remove", path: "/toString" }],
    outcome: rejected,
  },
  {
    title: "what every JavaScript list has is not there",
    document: list,
    patch: [{ op: "test", path: "/list/length", value: 2 }],
    outcome: rejected,
  },
];
