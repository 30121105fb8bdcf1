import { expect, test } from "vitest";
import { parseJsonPath } from "./json-path.ts";

const object = {
  metadata: { labels: { "example.dev/tier": "gold" } },
  spec: {
    a: [
      { name: "one", n: 1, k: 1, on: true, f: 1.5 },
      { name: "two", n: 2, m: { x: 5 } },
      { name: "it's", n: 3 },
    ],
    "a-b": "ab",
    s: "12",
    list: ["l0", "l1", "l2"],
    obj: { z: 1, b: { q: 1 } },
  },
};

test.each<[string, unknown[]]>([
  [".spec.s", ["12"]],
  [".spec['s']", ["12"]],
  [".spec['s','a-b']", ["12", "ab"]],
  [".spec.a-b", ["ab"]],
  [".metadata.labels.example\\.dev/tier", ["gold"]],
  [".metadata.labels['example\\.dev/tier']", ["gold"]],
  [".spec.none", []],
  [".spec.s.deeper", []],
  [".spec.list.x", []],
  [".spec.a[*].n", [1, 2, 3]],
  [".spec.a[0]['name']", ["one"]],
  [".spec.a[0,2].name", ["one", "it's"]],
  [".spec.list[-1]", ["l2"]],
  [".spec.list[5]", []],
  [".spec.list[-9]", []],
  [".spec.list[1:]", ["l1", "l2"]],
  [".spec.list[:1]", ["l0"]],
  [".spec.list[::2]", ["l0", "l2"]],
  [".spec.list[-2:-1]", ["l1"]],
  [".spec.list[0:9]", []],
  [".spec.list[2:1]", []],
  [".spec[]", []],
  [".spec.obj.*", [{ q: 1 }, 1]],
  ["..x", [5]],
  [".spec.s..", ["12"]],
  [".spec.s}x{.y", ["12"]],
  [".", []],
  [".constructor", []],
  [".spec.__proto__", []],
])("%s finds its values", (path, found) => {
  expect(parseJsonPath(path)?.(object)).toEqual(found);
});

test.each<[string, unknown[]]>([
  ["@.n==1", ["one"]],
  ["1==@.n", ["one"]],
  ["@.n==@.k", ["one"]],
  ["@.n!=1", ["two", "it's"]],
  ["@.n>=2", ["two", "it's"]],
  ["@.n<2", ["one"]],
  ["@.n<=1", ["one"]],
  ["@.f==1.5", ["one"]],
  ["@.n==1.0", []],
  ['@.n=="1"', []],
  ["@.name=='two'", ["two"]],
  ['@.name=="two"', ["two"]],
  ["@.name==two", []],
  ['@.name>"one"', ["two"]],
  ["@.name=='it\\'s'", ["it's"]],
  ["@.on==true", ["one"]],
  ["@.m.x==5", ["two"]],
  ["@.m.x", ["two"]],
  ["@.none", []],
])("the filter %s selects elements", (filter, names) => {
  expect(parseJsonPath(`.spec.a[?(${filter})].name`)?.(object)).toEqual(names);
});

test("a filter may compare the elements themselves", () => {
  expect(parseJsonPath('.spec.list[?(@!="l0")]')?.(object)).toEqual(["l1", "l2"]);
});

test.each([
  ".spec[",
  ".spec[*",
  ".spec[a]",
  '.spec["a"]',
  ".spec['a]",
  ".spec[1:2:3:4]",
  ".spec.a[?@.b]",
  ".spec.a[?(@.b==)]",
  ".spec.a[?(@.b==1 && @.c==2)]",
  '.spec.a[?(@.b=~"x")]',
  '.spec.a[?(@.b=="x)]',
  ".spec,.x",
])("%s is not a valid path", (text) => {
  expect(parseJsonPath(text)).toBeUndefined();
});

test("values nested deeper than the call stack are found", () => {
  let deep: unknown = { x: 1 };
  for (let depth = 0; depth < 100_000; depth++) deep = [deep];
  expect(parseJsonPath("..x")?.(deep)).toEqual([1]);
});
