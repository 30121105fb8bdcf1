import { expect, test } from "vitest";
import { runAtOnce } from "../base/index.ts";
import { deducedNode } from "../schema/index.ts";
import { parseFields } from "./fields-v1.ts";
import { pruneUnowned } from "./prune-unowned.ts";
import { specNode } from "./thing.fixture.ts";

const none = parseFields({});

test("what was applied before and is nobody's goes, with the fields that held only that", () => {
  const merged = { struct: { b: { c: "1" } }, map: { a: "1" }, text: "1" };
  const last = parseFields({ "f:struct": { "f:b": { "f:c": {} } }, "f:map": { "f:a": {} } });
  expect(runAtOnce(pruneUnowned(merged, { node: specNode, last, owned: none }))).toEqual({ text: "1" });
});

test("what somebody owns stays, with the fields that hold it", () => {
  const merged = { struct: { a: "1", b: { c: "1", d: "1" } } };
  const last = parseFields({ "f:struct": { "f:a": {}, "f:b": { "f:c": {}, "f:d": {} } } });
  const owned = parseFields({ "f:struct": { "f:b": { "f:d": {} } } });
  expect(runAtOnce(pruneUnowned(merged, { node: specNode, last, owned }))).toEqual({
    struct: { b: { d: "1" } },
  });
});

test("an element goes when nobody owns the element, whoever owns fields in it", () => {
  const merged = { items: [{ name: "a", value: "1" }, { name: "b" }] };
  const element = (fields: object): object => ({ "f:items": { 'k:{"name":"a"}': fields } });
  const last = parseFields(element({ ".": {}, "f:name": {}, "f:value": {} }));
  const inside = parseFields({ ...element({ "f:value": {} }), "f:text": {} });
  const itself = parseFields(element({ ".": {}, "f:name": {} }));
  expect(runAtOnce(pruneUnowned(merged, { node: specNode, last, owned: inside }))).toEqual({
    items: [{ name: "b" }],
  });
  expect(runAtOnce(pruneUnowned(merged, { node: specNode, last, owned: itself }))).toEqual({
    items: [{ name: "a" }, { name: "b" }],
  });
});

test("what nobody owns, but was never applied, stays with what somebody owns in it", () => {
  const last = parseFields({ "f:foo": { "f:a": {}, "f:b": {} } });
  const owned = parseFields({ "f:foo": { "f:a": {} } });
  expect(runAtOnce(pruneUnowned({ foo: { a: 1, b: 2 } }, { node: deducedNode, last, owned }))).toEqual({
    foo: { a: 1 },
  });
});

test("a value of which all is still owned is given back as it is", () => {
  const merged = { text: "1", map: { a: "1" } };
  const last = parseFields({ "f:text": {} });
  expect(runAtOnce(pruneUnowned(merged, { node: specNode, last, owned: last }))).toBe(merged);
});
