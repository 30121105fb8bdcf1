import { expect, test } from "vitest";
import type { StructuralSchema } from "../structure/structural-schema.ts";
import { errorsOf } from "./validate.fixture.ts";

test("minItems and maxItems bound the length of a list", () => {
  const schema: StructuralSchema = { type: "array", items: { type: "string" }, minItems: 1, maxItems: 2 };
  expect(errorsOf([], schema)).toEqual([
    "invalid spec.f: Invalid value: 0: spec.f in body should have at least 1 items",
  ]);
  expect(errorsOf(["a", "b", "c"], schema)).toEqual([
    "tooMany spec.f: Too many: 3: must have at most 2 items",
  ]);
});

test("a limit of one item is printed in the singular", () => {
  const schema: StructuralSchema = { type: "array", items: { type: "string" }, maxItems: 1 };
  expect(errorsOf(["a", "b", "c"], schema)).toEqual([
    "tooMany spec.f: Too many: 3: must have at most 1 item",
  ]);
});
