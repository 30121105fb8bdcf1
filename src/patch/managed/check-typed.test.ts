import { expect, test } from "vitest";
import { TypedError } from "../values/typed-error.ts";
import { checkTyped } from "./check-typed.ts";
import { specNode } from "./thing.fixture.ts";

test.each([
  [{ bar: 1 }, ".bar: field not declared in schema"],
  [{ struct: { b: { x: 1 } } }, ".struct.b.x: field not declared in schema"],
  [{ atomic: { x: 1 } }, ".atomic.x: field not declared in schema"],
  [{ list: [{ a: "1" }, { x: 1 }] }, ".list[1].x: field not declared in schema"],
  [{ items: [{ name: "n", x: 1 }] }, '.items[name="n"].x: field not declared in schema'],
  [{ replicas: "x" }, ".replicas: expected numeric (int or float), got string"],
  [{ replicas: [1] }, ".replicas: expected numeric (int or float), got []interface {}"],
  [{ replicas: { a: 1 } }, ".replicas: expected numeric (int or float), got map[string]interface {}"],
  [{ flag: 3 }, ".flag: expected boolean, got &{3}"],
  [{ map: { a: 1 } }, ".map.a: expected string, got &value.valueUnstructured{Value:1}"],
  [{ items: { a: 1 } }, ".items: expected list, got &{map[a:1]}"],
  [{ struct: [] }, ".struct: expected map, got &{[]}"],
  [{ items: [null] }, ".items: element 0: associative list with keys may not have a null element"],
  [{ items: ["a"] }, ".items: element 0: associative list with keys may not have non-map elements"],
  [
    { items: [{ value: "1" }] },
    `.items: element 0: associative list with keys has an element that omits all key fields ["name"] (and doesn't have default values for any key fields)`,
  ],
  [{ set: [null] }, ".set: element 0: associative list without keys has an element that's an explicit null"],
  [{ set: [{}] }, ".set: element 0: associative list without keys has an element that's a map type"],
  [{ set: [[1]] }, ".set: element 0: not supported: associative list with lists as elements"],
  [{ items: [{ name: "x" }, { name: "x" }] }, '.items: duplicate entries for key [name="x"]'],
  [{ set: ["a/b", "a/b"] }, '.set: duplicate entries for key [="a/b"]'],
  [
    { ports: [{ port: 1 }, { port: 1, protocol: "TCP" }] },
    '.ports: duplicate entries for key [port=1,protocol="TCP"]',
  ],
  [
    { replicas: "x", flag: 3 },
    "errors:\n  .replicas: expected numeric (int or float), got string\n  .flag: expected boolean, got &{3}",
  ],
])("%j does not fit its schema", (value, message) => {
  expect(() => checkTyped(value, specNode, { duplicates: "refused" })).toThrow(new TypedError(message));
});

test("null fits any type, and undeclared content may be anything", () => {
  const value = {
    replicas: null,
    set: null,
    struct: null,
    items: [{ name: null }],
    amount: "50%",
    free: { a: [{ b: 1 }, null], __proto__: 1 },
  };
  expect(() => checkTyped(value, specNode, { duplicates: "refused" })).not.toThrow();
});

test("elements may repeat in stored objects", () => {
  const value = { items: [{ name: "x" }, { name: "x" }], set: ["a", "a"] };
  expect(() => checkTyped(value, specNode, { duplicates: "allowed" })).not.toThrow();
});

test("keys with a meaning in JavaScript are undeclared fields too", () => {
  expect(() => checkTyped({ constructor: {} }, specNode, { duplicates: "refused" })).toThrow(
    ".constructor: field not declared in schema",
  );
  expect(() => checkTyped(JSON.parse('{"__proto__":{}}'), specNode, { duplicates: "refused" })).toThrow(
    ".__proto__: field not declared in schema",
  );
});

test("a value nested ten thousand levels deep is refused", () => {
  const free = JSON.parse(`${'{"a":'.repeat(10_000)}{}${"}".repeat(10_000)}`);
  expect(() => checkTyped({ free }, specNode, { duplicates: "refused" })).toThrow(
    "expected at most 1000 levels of nesting, got more",
  );
});
