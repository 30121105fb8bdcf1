import fc from "fast-check";
import { expect, test } from "vitest";
import { keyOf, keyText, parseKey } from "./key.ts";

test("the key of an object is its namespace and name, or only its name", () => {
  expect(keyOf({ metadata: { namespace: "default", name: "web" } })).toBe("default/web");
  expect(keyOf({ metadata: { name: "node-1" } })).toBe("node-1");
  expect(keyOf({ metadata: { namespace: undefined, name: "node-1" } })).toBe("node-1");
  expect(keyOf({ metadata: { namespace: "", name: "node-1" } })).toBe("node-1");
});

test("a key can be formatted and parsed", () => {
  const part = fc.stringMatching(/^[a-z0-9.-]+$/);
  fc.assert(
    fc.property(fc.record({ namespace: part, name: part }, { requiredKeys: ["name"] }), (key) => {
      expect(parseKey(keyText(key))).toEqual(key);
    }),
  );
});

test.each(["", "a/b/c", "/x", "x/", "/", "//"])("%j is not a key", (text) => {
  expect(() => parseKey(text)).toThrow(
    `expected an object key like "name" or "namespace/name", got ${JSON.stringify(text)}`,
  );
});

test.each([undefined, null, {}, { metadata: {} }, { metadata: { name: 7 } }])("%j has no key", (object) => {
  const got = JSON.stringify(object) ?? "undefined";
  expect(() => keyOf(object as never)).toThrow(
    new TypeError(`expected an object with metadata.name, got ${got}`),
  );
});

test.each([
  [undefined, "undefined"],
  [null, "null"],
  [{}, "{}"],
  [{ namespace: "default" }, '{"namespace":"default"}'],
  [{ metadata: { name: "web" } }, '{"metadata":{"name":"web"}}; pass its metadata'],
])("%j is not an object key", (key, got) => {
  expect(() => parseKey(key as never)).toThrow(
    new TypeError(`expected an object key like "name", "namespace/name" or { namespace, name }, got ${got}`),
  );
});

test("a key object is returned unchanged", () => {
  expect(parseKey({ namespace: "default", name: "web" })).toEqual({ namespace: "default", name: "web" });
});
