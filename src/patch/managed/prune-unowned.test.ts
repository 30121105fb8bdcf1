import { expect, test } from "vitest";
import { runAtOnce } from "../../base/index.ts";
import { deducedNode } from "../../schema/index.ts";
import { parseFields } from "./fields-v1.ts";
import { pruneUnowned } from "./prune-unowned.ts";
import { specNode } from "./thing.fixture.ts";

const none = parseFields({});

test("an unowned field that was applied before is removed, with the fields that held only it", () => {
  const merged = { struct: { b: { c: "1" } }, map: { a: "1" }, text: "1" };
  const last = parseFields({ "f:struct": { "f:b": { "f:c": {} } }, "f:map": { "f:a": {} } });
  expect(runAtOnce(pruneUnowned(merged, { node: specNode, last, owned: none }))).toEqual({ text: "1" });
});

test("an owned field stays, with the fields that hold it", () => {
  const merged = { struct: { a: "1", b: { c: "1", d: "1" } } };
  const last = parseFields({ "f:struct": { "f:a": {}, "f:b": { "f:c": {}, "f:d": {} } } });
  const owned = parseFields({ "f:struct": { "f:b": { "f:d": {} } } });
  expect(runAtOnce(pruneUnowned(merged, { node: specNode, last, owned }))).toEqual({
    struct: { b: { d: "1" } },
  });
});

test("an unowned element is removed even if its fields are owned", () => {
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

test("an unowned field that was never applied stays, with owned fields in it", () => {
  const last = parseFields({ "f:foo": { "f:a": {}, "f:b": {} } });
  const owned = parseFields({ "f:foo": { "f:a": {} } });
  expect(runAtOnce(pruneUnowned({ foo: { a: 1, b: 2 } }, { node: deducedNode, last, owned }))).toEqual({
    foo: { a: 1 },
  });
});

test("a value whose fields are all owned is returned unchanged", () => {
  const merged = { text: "1", map: { a: "1" } };
  const last = parseFields({ "f:text": {} });
  expect(runAtOnce(pruneUnowned(merged, { node: specNode, last, owned: last }))).toBe(merged);
});
