import fc from "fast-check";
import { expect, test } from "vitest";
import { compareTyped } from "./compare-typed.ts";
import { printFields } from "./fields-v1.ts";
import { mergeTyped } from "./merge-typed.ts";
import { specNode } from "./thing.fixture.ts";
import { specs } from "./things.fixture.ts";

test.each([
  [
    "the fields of both",
    { text: "1", struct: { a: "1" } },
    { struct: { b: { c: "2" } } },
    { text: "1", struct: { a: "1", b: { c: "2" } } },
  ],
  ["the configuration's scalar", { text: "1" }, { text: "2" }, { text: "2" }],
  [
    "elements by their keys",
    { items: [{ name: "a", value: "1" }] },
    { items: [{ name: "a", set: ["x"] }] },
    { items: [{ name: "a", value: "1", set: ["x"] }] },
  ],
  [
    "elements by the default of a key",
    { ports: [{ port: 1, protocol: "TCP" }] },
    {
      ports: [
        { port: 1, value: "x" },
        { port: 1, protocol: "UDP" },
      ],
    },
    {
      ports: [
        { port: 1, protocol: "TCP", value: "x" },
        { port: 1, protocol: "UDP" },
      ],
    },
  ],
  [
    "the configuration's atomic values",
    { list: [{ a: "1" }], atomic: { a: "1" } },
    { list: [], atomic: { b: "2" } },
    { list: [], atomic: { b: "2" } },
  ],
  [
    "undeclared fields merged one by one",
    { free: { a: { b: 1 }, l: [1] } },
    { free: { a: { c: 2 }, l: [2] } },
    { free: { a: { b: 1, c: 2 }, l: [2] } },
  ],
  ["a value of another shape", { free: { a: { b: 1 } } }, { free: { a: "x" } }, { free: { a: "x" } }],
  [
    "all live values under an empty configuration",
    { map: { a: "1" }, set: ["a"], items: [{ name: "a" }] },
    { map: {}, set: [], items: null },
    { map: { a: "1" }, set: ["a"], items: [{ name: "a" }] },
  ],
  [
    "the configuration's empty value if the live value is missing",
    { set: null },
    { map: {}, set: [], struct: {} },
    { map: {}, set: [], struct: {} },
  ],
  ["null over a scalar", { text: "1" }, { text: null }, { text: null }],
])("a merge has %s", (_, ...[live, config, merged]) => {
  expect(mergeTyped(live, config, specNode)).toEqual(merged);
});

test.each([
  ["abcde", "exbya", "cdexbya"],
  ["abc", "cab", "cab"],
  ["abc", "bax", "bcax"],
  ["abc", "xb", "axbc"],
  ["abc", "", "abc"],
  ["", "abc", "abc"],
  ["ab", "ab", "ab"],
  ["ca", "a", "ca"],
  // Repeated elements: all stay if the configuration does not name them, otherwise one remains.
  ["aab", "x", "aabx"],
  ["aab", "ax", "axb"],
])("a list %j under the configuration %j becomes %j", (live, config, merged) => {
  const list = (names: string): object => ({ items: Array.from(names, (name) => ({ name })) });
  expect(mergeTyped(list(live), list(config), specNode)).toEqual(list(merged));
});

test("a repeated element of the live list is replaced, not merged", () => {
  const live = {
    items: [
      { name: "a", value: "1" },
      { name: "a", value: "2" },
    ],
  };
  expect(mergeTyped(live, { items: [{ name: "a", set: ["x"] }] }, specNode)).toEqual({
    items: [{ name: "a", set: ["x"] }],
  });
});

test("keys with a meaning in JavaScript are merged like others, and no prototype changes", () => {
  const live = JSON.parse('{"map":{"__proto__":"1","a":"1"},"free":{"constructor":{"x":1}}}');
  const config = JSON.parse(
    '{"map":{"__proto__":"2","constructor":"3"},"free":{"constructor":{"y":2},"__proto__":{"z":1}}}',
  );
  const merged = mergeTyped(live, config, specNode);
  expect(JSON.stringify(merged)).toBe(
    '{"map":{"__proto__":"2","a":"1","constructor":"3"},"free":{"constructor":{"x":1,"y":2},"__proto__":{"z":1}}}',
  );
  expect(({} as { z?: unknown }).z).toBeUndefined();
});

test("values nested ten thousand levels deep are refused", () => {
  const deep = (end: string): unknown => JSON.parse(`${'{"a":'.repeat(10_000)}"${end}"${"}".repeat(10_000)}`);
  expect(() => mergeTyped({ free: deep("1") }, { free: deep("2") }, specNode)).toThrow(
    "expected at most 1000 levels of nesting, got more",
  );
});

test("merging a configuration again changes nothing, and a merge does not modify its input", () => {
  fc.assert(
    fc.property(specs, specs, (live, config) => {
      const before = JSON.stringify([live, config]);
      const once = mergeTyped(live, config, specNode);
      expect(mergeTyped(once, config, specNode)).toEqual(once);
      expect(JSON.stringify([live, config])).toBe(before);
    }),
  );
});

test("a merge removes only values of another shape than in the configuration", () => {
  fc.assert(
    fc.property(specs, specs, (live, config) => {
      const { free: _, ...declared } = live;
      const { removed } = compareTyped(declared, mergeTyped(declared, config, specNode), specNode);
      expect(printFields(removed)).toEqual({});
    }),
  );
});
