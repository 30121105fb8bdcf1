import { expect, test } from "vitest";
import type { ManagedFieldsEntry } from "../api/index.ts";
import { movedFields } from "./moved-fields.ts";

function entry(
  manager: string,
  fieldsV1: Record<string, unknown>,
  more: Partial<ManagedFieldsEntry> = {},
): ManagedFieldsEntry {
  return { manager, operation: "Apply", apiVersion: "v1", fieldsType: "FieldsV1", fieldsV1, ...more };
}

const update = { operation: "Update" } as const;
const move = { from: ["old", "older"], to: "new" };

test("fields of former managers are merged into the entry of the new one, and the former entries are removed", () => {
  const entries = [
    entry("other", { "f:data": { "f:other": {} } }),
    entry("old", { "f:data": { "f:a": {} } }),
    entry("new", { "f:data": { "f:b": {} } }, { time: "2026-01-01T00:00:00Z" }),
    entry("old", { "f:data": { ".": {}, "f:c": {} } }, update),
    entry("older", { "f:immutable": {} }, update),
  ];
  expect(movedFields(entries, move)).toEqual([
    entry(
      "new",
      { "f:data": { ".": {}, "f:a": {}, "f:b": {}, "f:c": {} }, "f:immutable": {} },
      { time: "2026-01-01T00:00:00Z" },
    ),
    entry("other", { "f:data": { "f:other": {} } }),
  ]);
});

test("without an entry of the new manager, the first entry of a former manager is used", () => {
  const entries = [entry("old", { "f:data": {} }, update), entry("old", { "f:immutable": {} })];
  expect(movedFields(entries, move)).toEqual([entry("new", { "f:data": {}, "f:immutable": {} })]);
});

test("a field that is a leaf in one entry and has children in another is a member with children", () => {
  const entries = [
    entry("new", { "f:spec": { "f:selector": {}, "f:ports": { 'k:{"port":80}': { "f:port": {} } } } }),
    entry("old", { "f:spec": { "f:selector": { "f:app": {} }, "f:ports": { 'k:{"port":80}': {} } } }),
  ];
  expect(movedFields(entries, move)).toEqual([
    entry("new", {
      "f:spec": {
        "f:selector": { ".": {}, "f:app": {} },
        "f:ports": { 'k:{"port":80}': { ".": {}, "f:port": {} } },
      },
    }),
  ]);
});

test("entries of other subresources are kept", () => {
  const entries = [
    entry("old", { "f:status": {} }, { subresource: "status" }),
    entry("old", { "f:data": {} }),
  ];
  expect(movedFields(entries, move)).toEqual([entry("new", { "f:data": {} }), entries[0]]);
  expect(movedFields(entries, { ...move, subresource: "status" })).toEqual([
    entry("new", { "f:status": {} }, { subresource: "status" }),
    entries[1],
  ]);
});

test("entries of another API version are removed without being merged", () => {
  const entries = [entry("new", { "f:data": {} }), entry("old", { "f:a": {} }, { apiVersion: "v1beta1" })];
  expect(movedFields(entries, move)).toEqual([entry("new", { "f:data": {} })]);
});

test("the Update entry of the new manager is merged into its Apply entry", () => {
  const entries = [entry("new", { "f:data": {} }), entry("new", { "f:immutable": {} }, update)];
  expect(movedFields(entries, { from: ["new"], to: "new" })).toEqual([
    entry("new", { "f:data": {}, "f:immutable": {} }),
  ]);
});

test("finalizers become unowned, so that no apply removes them", () => {
  const finalizers = { "f:finalizers": { ".": {}, 'v:"trimtab.dev/web"': {} } };
  const entries = [
    entry("new", { "f:data": {} }),
    entry("old", { "f:metadata": finalizers }, update),
    entry("older", { "f:metadata": { ...finalizers, "f:labels": { "f:a": {} } } }, update),
  ];
  expect(movedFields(entries, move)).toEqual([
    entry("new", { "f:data": {}, "f:metadata": { "f:labels": { "f:a": {} } } }),
  ]);
});

test("without entries of former managers, the result is undefined", () => {
  const entries = [entry("new", { "f:data": {} }), entry("other", { "f:data": {} }, update)];
  expect(movedFields(entries, move)).toBe(undefined);
  expect(movedFields([], move)).toBe(undefined);
});
