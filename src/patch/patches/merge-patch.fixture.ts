import type { JsonObject } from "../../schema/index.ts";
import type { PatchCase } from "./patch-case.fixture.ts";

/** Parses JSON, because `__proto__` in an object literal is not a key. */
const parseObject = (text: string): JsonObject => JSON.parse(text);

export const mergePatchCases: readonly PatchCase[] = [
  {
    title: "objects are merged by field",
    document: { metadata: { labels: { a: "1", b: "2" } }, data: { x: "1" } },
    patch: { metadata: { labels: { b: "3", c: "4" } } },
    outcome: { result: { metadata: { labels: { a: "1", b: "3", c: "4" } }, data: { x: "1" } } },
  },
  {
    title: "null removes a field",
    document: { metadata: { labels: { a: "1" } }, data: { x: "1", y: "2" } },
    patch: { metadata: { labels: null }, data: { x: null } },
    outcome: { result: { metadata: {}, data: { y: "2" } } },
  },
  {
    title: "null for a missing field changes nothing",
    document: { data: { x: "1" } },
    patch: { data: { y: null }, other: null },
    outcome: { result: { data: { x: "1" } } },
  },
  {
    title: "a new object is set without its nulls",
    document: {},
    patch: { a: { b: null, c: { d: null } } },
    outcome: { result: { a: { c: {} } } },
  },
  {
    title: "an object that replaces a scalar is set without its nulls",
    document: { a: "scalar" },
    patch: { a: { b: null, c: 1 } },
    outcome: { result: { a: { c: 1 } } },
  },
  {
    title: "an object replaces null",
    document: { a: null },
    patch: { a: { b: 1, c: null } },
    outcome: { result: { a: { b: 1 } } },
  },
  {
    title: "lists are replaced as a whole",
    document: { list: [{ name: "a", x: 1 }, { name: "b" }] },
    patch: { list: [{ name: "a" }] },
    outcome: { result: { list: [{ name: "a" }] } },
  },
  {
    title: "elements of a list may be null, fields of its elements are dropped if null",
    document: { list: [1] },
    patch: { list: [null, { a: null, b: [{ c: null }] }] },
    outcome: { result: { list: [null, { b: [{}] }] } },
  },
  {
    title: "null fields of elements stay in a list that replaces an object",
    document: { list: { a: 1 } },
    patch: { list: [null, { a: null }] },
    outcome: { result: { list: [null, { a: null }] } },
  },
  {
    title: "a scalar replaces an object",
    document: { a: { b: 1 } },
    patch: { a: "scalar" },
    outcome: { result: { a: "scalar" } },
  },
  {
    title: "__proto__ and constructor are plain fields",
    document: parseObject('{"__proto__":{"a":1},"constructor":1}'),
    patch: parseObject('{"__proto__":{"b":2},"constructor":null,"x":{"__proto__":{"c":3}}}'),
    outcome: { result: parseObject('{"__proto__":{"a":1,"b":2},"x":{"__proto__":{"c":3}}}') },
  },
];
