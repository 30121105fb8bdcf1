import fc from "fast-check";
import { expect, test } from "vitest";
import { printPath } from "../values/field-element.ts";
import { FieldSet } from "./field-set.ts";
import { parseFields } from "./fields-v1.ts";
import { path } from "./thing.fixture.ts";
import { fieldSets } from "./things.fixture.ts";

test("a set has exactly its paths, not those above or below them", () => {
  const set = FieldSet.of(path("spec", "template", "spec"), path("metadata"));
  expect(set.has(path("spec", "template", "spec"))).toBe(true);
  expect(set.has(path("metadata"))).toBe(true);
  expect(set.has(path("spec"))).toBe(false);
  expect(set.has(path("spec", "template", "spec", "containers"))).toBe(false);
  expect(set.has(path("status"))).toBe(false);
});

test("only the empty set is empty", () => {
  expect(FieldSet.of().isEmpty).toBe(true);
  expect(FieldSet.of(path("spec")).isEmpty).toBe(false);
  expect(FieldSet.of(path("spec")).difference(FieldSet.of(path("spec"))).isEmpty).toBe(true);
});

test("removing a path keeps the paths below it", () => {
  const set = FieldSet.of(path("spec"), path("spec", "replicas"), path("status"));
  const spec = FieldSet.of(path("spec"));
  expect(pathsOf(set.difference(spec))).toEqual([".status", ".spec.replicas"]);
  expect(pathsOf(set.outside(spec))).toEqual([".status"]);
});

test("leaves are the paths without paths below them", () => {
  const set = FieldSet.of(path("spec"), path("spec", "replicas"), path("data"));
  expect(pathsOf(set.leaves())).toEqual([".data", ".spec.replicas"]);
});

test("paths are listed level by level in the server's order", () => {
  const set = parseFields({
    "f:binaryData": { "f:q": {} },
    "f:data": { "f:b": {}, "f:a": {} },
    "f:immutable": {},
    "f:metadata": { "f:labels": { "f:z": {} }, "f:annotations": { "f:y": {} } },
  });
  expect(pathsOf(set)).toEqual([
    ".immutable",
    ".binaryData.q",
    ".data.a",
    ".data.b",
    ".metadata.annotations.y",
    ".metadata.labels.z",
  ]);
});

test("an operation that changes nothing returns the same set", () => {
  const set = FieldSet.of(path("spec", "replicas"), path("spec", "paused"));
  const other = FieldSet.of(path("spec", "strategy"), path("status"));
  expect(set.difference(other)).toBe(set);
  expect(set.outside(other)).toBe(set);
  expect(set.union(FieldSet.empty)).toBe(set);
  expect(FieldSet.empty.union(set)).toBe(set);
});

test("union, intersection and difference follow the laws of sets", () => {
  fc.assert(
    fc.property(fieldSets, fieldSets, fieldSets, (a, b, c) => {
      expectSame(a.union(b), b.union(a));
      expectSame(a.union(b).union(c), a.union(b.union(c)));
      expectSame(a.union(a), a);
      expectSame(a.intersection(b), b.intersection(a));
      expectSame(a.intersection(b.union(c)), a.intersection(b).union(a.intersection(c)));
      expectSame(a.difference(b).union(a.intersection(b)), a);
      expectSame(a.difference(b.union(c)), a.difference(b).difference(c));
      expectSame(a.difference(b).intersection(b), FieldSet.empty);
      expectSame(a.difference(a), FieldSet.empty);
    }),
  );
});

test("an operation holds for each path", () => {
  fc.assert(
    fc.property(fieldSets, fieldSets, (a, b) => {
      for (const place of a.union(b).paths()) {
        expect(a.difference(b).has(place)).toBe(a.has(place) && !b.has(place));
        expect(a.intersection(b).has(place)).toBe(a.has(place) && b.has(place));
        const covered = place.some((_, index) => b.has(place.slice(0, index + 1)));
        expect(a.outside(b).has(place)).toBe(a.has(place) && !covered);
      }
    }),
  );
});

test("the paths of a set build the same set, and its leaves are among them", () => {
  fc.assert(
    fc.property(fieldSets, (set) => {
      expectSame(FieldSet.of(...set.paths()), set);
      expectSame(set.leaves().difference(set), FieldSet.empty);
    }),
  );
});

function pathsOf(set: FieldSet): string[] {
  return Array.from(set.paths(), printPath);
}

function expectSame(one: FieldSet, other: FieldSet): void {
  expect(one.equals(other), `${pathsOf(one)} and ${pathsOf(other)} are the same`).toBe(true);
}
