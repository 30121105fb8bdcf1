import { expect, test } from "vitest";
import { mergeDifference } from "./merge-difference.ts";

test.each<{ what: string; before: object; after: object; patch: object | undefined }>([
  {
    what: "nothing",
    before: { a: { b: [1, { c: 2 }] } },
    after: { a: { b: [1, { c: 2 }] } },
    patch: undefined,
  },
  {
    what: "the order of fields",
    before: { a: 1, b: { c: 1, d: 2 } },
    after: { b: { d: 2, c: 1 }, a: 1 },
    patch: undefined,
  },
  {
    what: "what is not there in another way",
    before: { a: 1 },
    after: { a: 1, b: undefined, c: null },
    patch: undefined,
  },
  { what: "a value", before: { a: 1, b: 2 }, after: { a: 1, b: 3 }, patch: { b: 3 } },
  { what: "a field that came", before: {}, after: { a: { b: {} } }, patch: { a: { b: {} } } },
  {
    what: "a field that went",
    before: { a: { b: 1, c: 1 } },
    after: { a: { c: 1 } },
    patch: { a: { b: null } },
  },
  { what: "a list, whole", before: { a: [1, 2] }, after: { a: [1] }, patch: { a: [1] } },
  { what: "the order of a list", before: { a: [1, 2] }, after: { a: [2, 1] }, patch: { a: [2, 1] } },
  { what: "deep in a list", before: { a: [{ b: 1 }] }, after: { a: [{ b: 2 }] }, patch: { a: [{ b: 2 }] } },
  { what: "another shape", before: { a: [1] }, after: { a: { b: 1 } }, patch: { a: { b: 1 } } },
  { what: "empty where there was none", before: {}, after: { a: [] }, patch: { a: [] } },
  {
    what: "a field named as every object has one",
    before: {},
    after: { toString: "x" },
    patch: { toString: "x" },
  },
])("merge patch for $what", ({ before, after, patch }) => {
  expect(mergeDifference(before, after)).toEqual(patch);
});
