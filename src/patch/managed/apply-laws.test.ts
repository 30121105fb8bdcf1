import fc from "fast-check";
import { expect, test } from "vitest";
import { runAtOnce } from "../../base/index.ts";
import { fieldOf, isObject, type JsonObject } from "../../schema/index.ts";
import { type ApplyWrite, apply } from "./apply.ts";
import { compareTyped } from "./compare-typed.ts";
import { parseFields, printFields } from "./fields-v1.ts";
import { managedFieldsOf } from "./managed-object.ts";
import { mergeTyped } from "./merge-typed.ts";
import { specNode, thing, thingNode } from "./thing.fixture.ts";
import { specs } from "./things.fixture.ts";
import { trackUpdate } from "./track-update.ts";

const first = "2026-01-01T00:00:00Z";
const later = "2026-01-01T00:00:09Z";

test("applying the same configuration again changes nothing, regardless of earlier writes", () => {
  fc.assert(
    fc.property(specs, specs, specs, (mine, theirs, next) => {
      const before = applied("b", theirs, applied("a", mine));
      const once = applied("a", next, before);
      expect(applied("a", next, once, later)).toEqual(once);
    }),
  );
});

test("after a forced apply the object has every value of the configuration", () => {
  fc.assert(
    fc.property(specs, specs, specs, (mine, theirs, config) => {
      const object = applied("a", config, applied("b", theirs, applied("a", mine)));
      expect(differences(object.spec, mergeTyped(object.spec, config, specNode))).toEqual([{}, {}, {}]);
    }),
  );
});

test("managers that apply different fields have all of them in the object without conflict", () => {
  fc.assert(
    fc.property(specs, fc.func(fc.boolean()), (spec, isMine) => {
      const mine = Object.fromEntries(Object.entries(spec).filter(([field]) => isMine(field)));
      const theirs = Object.fromEntries(Object.entries(spec).filter(([field]) => !isMine(field)));
      const live = applied("a", mine);
      const result = runAtOnce(apply({ ...write("b", theirs, live), force: false }));
      expect(result.type === "applied" && result.object.spec).toEqual(spec);
    }),
  );
});

test("a manager that applies an empty configuration leaves exactly what the others apply", () => {
  fc.assert(
    fc.property(specs, specs, (mine, theirs) => {
      const both = applied("b", theirs, applied("a", mine));
      const { spec: _, ...bare } = thing({});
      const result = runAtOnce(apply({ ...write("a", {}, both), config: bare }));
      const left = result.type === "applied" ? result.object : {};
      expect(differences(left.spec, theirs)).toEqual([{}, {}, {}]);
      expect(managersIn(left)).toEqual(["b"]);
    }),
  );
});

test("without conflict no other manager loses a field, and with force only those in conflict", () => {
  fc.assert(
    fc.property(specs, specs, (theirs, config) => {
      const live = applied("b", theirs);
      const gentle = runAtOnce(apply({ ...write("a", config, live), force: false }));
      const lost = ownedBy(live, "b").difference(ownedBy(applied("a", config, live), "b"));
      expect(lost.isEmpty).toBe(gentle.type === "applied");
    }),
  );
});

test("an update makes its manager the only owner of the fields it set", () => {
  fc.assert(
    fc.property(specs, specs, (theirs, next) => {
      const live = applied("b", theirs);
      const updated = runAtOnce(trackUpdate({ ...write("a", next, live), next: thing(next) }));
      const { added, modified } = compareTyped(live, thing(next), thingNode);
      const mine = ownedBy(updated, "a");
      expect(printFields(mine)).toEqual(printFields(added.union(modified)));
      expect(printFields(ownedBy(updated, "b").intersection(mine))).toEqual({});
    }),
  );
});

function write(manager: string, spec: JsonObject, live?: JsonObject): ApplyWrite {
  return { node: thingNode, apiVersion: "example.dev/v1", time: first, manager, config: thing(spec), live };
}

/** Forces the apply, so that it always succeeds. */
function applied(
  manager: string,
  ...[spec, live, time = first]: [JsonObject, JsonObject?, string?]
): JsonObject {
  const result = runAtOnce(apply({ ...write(manager, spec, live), time, force: true }));
  if (result.type === "conflict") throw new Error(result.message);
  return result.object;
}

function differences(one: unknown, other: unknown): object[] {
  const { added, modified, removed } = compareTyped(one, other, specNode);
  return [added, modified, removed].map(printFields);
}

function managersIn(object: JsonObject): unknown[] {
  return entriesOf(object).map((entry) => fieldOf(entry, "manager"));
}

function ownedBy(object: JsonObject, manager: string): ReturnType<typeof parseFields> {
  const entry = entriesOf(object).find((each) => fieldOf(each, "manager") === manager);
  return parseFields(entry?.fieldsV1 ?? {});
}

function entriesOf(object: JsonObject): JsonObject[] {
  const entries = managedFieldsOf(object);
  return Array.isArray(entries) ? entries.filter(isObject) : [];
}
