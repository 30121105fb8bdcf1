import type { JsonObject } from "../schema/index.ts";
import type { PatchCase } from "./patch-case.fixture.ts";

/** Of text, since `__proto__` in a literal is no key. */
const own = (text: string): JsonObject => JSON.parse(text);

export const mergePatchCases: readonly PatchCase[] = [
  {
    title: "objects are merged field by field",
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
    title: "null for a field that is not there changes nothing",
    document: { data: { x: "1" } },
    patch: { data: { y: null }, other: null },
    outcome: { result: { data: { x: "1" } } },
  },
  {
    title: "nulls in an object where none was leave the object",
    document: {},
    patch: { a: { b: null, c: { d: null } } },
    outcome: { result: { a: { c: {} } } },
  },
  {
    title: "nulls in an object in place of a scalar leave the object",
    document: { a: "scalar" },
    patch: { a: { b: null, c: 1 } },
    outcome: { result: { a: { c: 1 } } },
  },
  {
    title: "an object goes in place of null",
    document: { a: null },
    patch: { a: { b: 1, c: null } },
    outcome: { result: { a: { b: 1 } } },
  },
  {
    title: "lists are replaced whole",
    document: { list: [{ name: "a", x: 1 }, { name: "b" }] },
    patch: { list: [{ name: "a" }] },
    outcome: { result: { list: [{ name: "a" }] } },
  },
  {
    title: "elements of a list may be null, fields of its elements may not",
    document: { list: [1] },
    patch: { list: [null, { a: null, b: [{ c: null }] }] },
    outcome: { result: { list: [null, { b: [{}] }] } },
  },
  {
    title: "fields of elements stay null in a list in place of an object",
    document: { list: { a: 1 } },
    patch: { list: [null, { a: null }] },
    outcome: { result: { list: [null, { a: null }] } },
  },
  {
    title: "a scalar goes in place of an object",
    document: { a: { b: 1 } },
    patch: { a: "scalar" },
    outcome: { result: { a: "scalar" } },
  },
  {
    title: "__proto__ and constructor are fields like others",
    document: own('{"__proto__":{"a":1},"constructor":1}'),
    patch: own('{"__proto__":{"b":2},"constructor":null,"x":{"__proto__":{"c":3}}}'),
    outcome: { result: own('{"__proto__":{"a":1,"b":2},"x":{"__proto__":{"c":3}}}') },
  },
];
