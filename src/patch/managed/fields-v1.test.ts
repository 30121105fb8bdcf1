import fc from "fast-check";
import { expect, test } from "vitest";
import { printPath } from "../values/field-element.ts";
import { parseFields, printFields } from "./fields-v1.ts";
import { fieldSets } from "./things.fixture.ts";

test("encoding and parsing a set returns the same set and the same text", () => {
  fc.assert(
    fc.property(fieldSets, (set) => {
      const printed = JSON.stringify(printFields(set));
      const parsed = parseFields(JSON.parse(printed));
      expect(parsed.equals(set)).toBe(true);
      expect(JSON.stringify(printFields(parsed))).toBe(printed);
    }),
  );
});

test("fieldsV1 of kube-apiserver is encoded unchanged", () => {
  const real =
    '{"f:metadata":{"f:labels":{".":{},"f:x":{}}},"f:spec":{"f:replicas":{},"f:template":{"f:spec":{"f:containers":' +
    '{"k:{\\"name\\":\\"c\\"}":{".":{},"f:env":{".":{},"k:{\\"name\\":\\"E\\"}":{".":{},"f:name":{}}},"f:ports":' +
    '{".":{},"k:{\\"containerPort\\":9,\\"protocol\\":\\"UDP\\"}":{".":{},"f:containerPort":{}},' +
    '"k:{\\"containerPort\\":80,\\"protocol\\":\\"TCP\\"}":{".":{},"f:containerPort":{}}},"f:resources":{}}}}}}}';
  expect(JSON.stringify(printFields(parseFields(JSON.parse(real))))).toBe(real);
});

test("steps are sorted by type, then by value: numbers, strings, booleans, lists, objects, null", () => {
  const sent = {
    ".": {},
    "f:z": { ".": {} },
    "i:3": {},
    "i:-1": {},
    'v:{"a":1}': {},
    "v:[1]": {},
    "v:null": {},
    "v:true": {},
    'v:"s"': {},
    "v:1.5": {},
    "v:1": {},
    'k:{"b":1}': {},
    'k:{"a":true}': {},
    'k:{"a":"s"}': {},
    'k:{"a":9}': {},
    'k:{"a":10}': {},
    'k:{"a":10,"b":1}': {},
    'v:"<é\\u2028\\n\\/"': {},
    "f:b<é": {},
    "f:": {},
    "f:\ue000": {},
    "f:\u{1f600}": {},
    "f:x": { "f:y": {} },
  };
  // The result of kube-apiserver when these were sent as the managedFields of a ConfigMap.
  const real =
    '{".":{},"f:":{},"f:b<é":{},"f:x":{"f:y":{}},"f:z":{},"f:\ue000":{},"f:😀":{},"k:{\\"a\\":9}":{},' +
    '"k:{\\"a\\":10}":{},"k:{\\"a\\":10,\\"b\\":1}":{},"k:{\\"a\\":\\"s\\"}":{},"k:{\\"a\\":true}":{},' +
    '"k:{\\"b\\":1}":{},"v:1":{},"v:1.5":{},"v:\\"\\\\u003cé\\\\u2028\\\\n/\\"":{},"v:\\"s\\"":{},"v:true":{},' +
    '"v:[1]":{},"v:{\\"a\\":1}":{},"v:null":{},"i:-1":{},"i:3":{}}';
  const printed = printFields(parseFields({ "f:data": sent }));
  expect(JSON.stringify(printed["f:data"])).toBe(real);
});

test("keys in another order, and spaces between them, are the same path", () => {
  const set = parseFields({ 'k:{"protocol": "TCP", "port": 80}': {} });
  expect(printFields(set)).toEqual({ 'k:{"port":80,"protocol":"TCP"}': {} });
});

test("a step of an unknown type is dropped, and its parent denotes its own path", () => {
  expect(printFields(parseFields({ "f:data": { "q:zzz": {} }, "f:a": {}, "q:b": 1 }))).toEqual({
    "f:a": {},
    "f:data": {},
  });
});

test("a dot distinguishes a path with others below it from a path that only leads to them", () => {
  const set = parseFields({ "f:a": {}, "f:b": { "f:c": {} }, "f:d": { ".": {}, "f:e": {} } });
  expect(Array.from(set.paths(), printPath)).toEqual([".a", ".d", ".b.c", ".d.e"]);
});

test.each([
  [{ "f:a": 1 }, "expected an object as a set of fields, got 1"],
  [null, "expected an object as a set of fields, got null"],
  [{ foo: {} }, 'expected a path element like "f:name", got "foo"'],
  [{ "k:{": {} }, 'expected JSON after "k:" of a path element, got k:{'],
  [{ "k:1": {} }, "expected an object of keys in a path element, got k:1"],
  [{ "i:x": {} }, "expected an index in a path element, got i:x"],
])("%j is not a set of fields", (fields, message) => {
  expect(() => parseFields(fields)).toThrow(message);
});

test("a set nested ten thousand levels deep is refused, and so is a value in a step", () => {
  const deep = JSON.parse(`${'{"f:a":'.repeat(10_000)}{}${"}".repeat(10_000)}`);
  const wide = { [`v:${"[".repeat(10_000)}${"]".repeat(10_000)}`]: {} };
  expect(() => parseFields(deep)).toThrow("expected at most 1000 levels of nesting, got more");
  expect(() => parseFields(wide)).toThrow("expected at most 1000 levels of nesting, got more");
});

test("keys with a meaning in JavaScript are plain names", () => {
  const fields = { "f:__proto__": { "f:constructor": {}, "f:toString": {} } };
  expect(printFields(parseFields(fields))).toEqual(fields);
  expect(Object.keys(printFields(parseFields(fields)))).toEqual(["f:__proto__"]);
});

test("sets in another order or notation are encoded in the server's, and equal parts are shared", () => {
  const unsorted = {
    "f:b": { "f:y": {}, "f:x": {}, ".": {} },
    "f:a": { ".": { "f:z": {} }, "f:x": { ".": {} } },
    "f:c": { 'k:{"name": "a"}': { ".": {}, "f:name": {} } },
    "f:d": { "v:2": {}, "v:10": {} },
  };

  expect(JSON.stringify(printFields(parseFields(unsorted)))).toBe(
    '{"f:a":{".":{},"f:x":{}},"f:b":{".":{},"f:x":{},"f:y":{}},' +
      '"f:c":{"k:{\\"name\\":\\"a\\"}":{".":{},"f:name":{}}},"f:d":{"v:2":{},"v:10":{}}}',
  );
});
