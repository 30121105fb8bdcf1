import fc from "fast-check";
import { expect, test } from "vitest";
import { compareTyped } from "./compare-typed.ts";
import { printFields } from "./fields-v1.ts";
import { specNode } from "./thing.fixture.ts";
import { specs } from "./things.fixture.ts";

interface Differences {
  readonly added?: object;
  readonly modified?: object;
  readonly removed?: object;
}

test.each<[string, object, object, Differences]>([
  ["a changed scalar", { text: "1" }, { text: "2" }, { modified: { "f:text": {} } }],
  [
    "an added value with everything in it",
    {},
    { map: { a: "1" }, set: [], struct: {} },
    { added: { "f:map": { ".": {}, "f:a": {} }, "f:set": {}, "f:struct": {} } },
  ],
  [
    "a removed value with everything in it",
    { items: [{ name: "a", value: "1" }] },
    {},
    { removed: { "f:items": { ".": {}, 'k:{"name":"a"}': { ".": {}, "f:name": {}, "f:value": {} } } } },
  ],
  [
    "an element by its keys at any position",
    { items: [{ name: "a" }, { name: "b", value: "1" }] },
    { items: [{ name: "b", value: "2" }, { name: "a" }] },
    { modified: { "f:items": { 'k:{"name":"b"}': { "f:value": {} } } } },
  ],
  [
    "an atomic value as a whole",
    { list: [{ a: "1" }], atomic: { a: "1" } },
    { list: [{ a: "2" }], atomic: { a: "1", b: "1" } },
    { modified: { "f:atomic": {}, "f:list": {} } },
  ],
  [
    "added and removed elements of a set",
    { set: ["a", "b"] },
    { set: ["b", "c"] },
    { added: { "f:set": { 'v:"c"': {} } }, removed: { "f:set": { 'v:"a"': {} } } },
  ],
  [
    "a value that changes its shape, and the old and new values inside",
    { free: { a: { b: 1 }, c: "x" } },
    { free: { a: "x", c: { d: 1 } } },
    {
      added: { "f:free": { "f:c": { "f:d": {} } } },
      modified: { "f:free": { "f:a": {}, "f:c": {} } },
      removed: { "f:free": { "f:a": { "f:b": {} } } },
    },
  ],
  [
    "null as a value",
    { text: null, set: null },
    { text: "1", set: [] },
    { modified: { "f:set": {}, "f:text": {} } },
  ],
  [
    "an element that starts to repeat",
    { items: [{ name: "a", value: "1" }] },
    { items: [{ name: "a", value: "1" }, { name: "a" }] },
    {
      added: { "f:items": { 'k:{"name":"a"}': {} } },
      removed: { "f:items": { 'k:{"name":"a"}': { ".": {}, "f:name": {}, "f:value": {} } } },
    },
  ],
  [
    "an element that stops repeating",
    { items: [{ name: "a", value: "1" }, { name: "a" }] },
    { items: [{ name: "a" }] },
    {
      added: { "f:items": { 'k:{"name":"a"}': { ".": {}, "f:name": {} } } },
      removed: { "f:items": { 'k:{"name":"a"}': {} } },
    },
  ],
  [
    "repeated elements as one value",
    { items: [{ name: "a", value: "1" }, { name: "a" }, { name: "b" }, { name: "b" }] },
    { items: [{ name: "a", value: "2" }, { name: "a" }, { name: "b" }, { name: "b" }] },
    { modified: { "f:items": { 'k:{"name":"a"}': {} } } },
  ],
])("a comparison reports %s", (_, ...[live, next, { added = {}, modified = {}, removed = {} }]) => {
  const comparison = compareTyped(live, next, specNode);
  expect({
    added: printFields(comparison.added),
    modified: printFields(comparison.modified),
    removed: printFields(comparison.removed),
  }).toEqual({ added, modified, removed });
});

test("a value has no difference from its copy", () => {
  fc.assert(
    fc.property(specs, (spec) => {
      const { added, modified, removed } = compareTyped(spec, JSON.parse(JSON.stringify(spec)), specNode);
      expect([added, modified, removed].map(printFields)).toEqual([{}, {}, {}]);
    }),
  );
});

test("swapping the values swaps additions and removals and keeps modifications", () => {
  fc.assert(
    fc.property(specs, specs, (one, other) => {
      const forward = compareTyped(one, other, specNode);
      const backward = compareTyped(other, one, specNode);
      expect(printFields(backward.removed)).toEqual(printFields(forward.added));
      expect(printFields(backward.added)).toEqual(printFields(forward.removed));
      expect(printFields(backward.modified)).toEqual(printFields(forward.modified));
    }),
  );
});

test("elements without keys are refused with their indexes", () => {
  const live = { items: [{ name: "a" }] };
  expect(() => compareTyped(live, { items: [null, { name: "a" }] }, specNode)).toThrow(
    ".items: element 0: associative list with keys may not have a null element",
  );
  expect(() => compareTyped(live, { items: ["a"], set: [{}] }, specNode)).toThrow(
    "errors:\n  .items: element 0: associative list with keys may not have non-map elements\n" +
      "  .set: element 0: associative list without keys has an element that's a map type",
  );
});

test("values nested ten thousand levels deep are refused, but compared where they are atomic", () => {
  const deep = (end: string): unknown => JSON.parse(`${'{"a":'.repeat(10_000)}"${end}"${"}".repeat(10_000)}`);
  expect(() => compareTyped({ free: deep("1") }, { free: deep("2") }, specNode)).toThrow(
    "expected at most 1000 levels of nesting, got more",
  );
  const { modified } = compareTyped({ atomic: deep("1") }, { atomic: deep("2") }, specNode);
  expect(printFields(modified)).toEqual({ "f:atomic": {} });
});
