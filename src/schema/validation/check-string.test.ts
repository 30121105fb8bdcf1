import { expect, test } from "vitest";
import type { StructuralSchema } from "../structure/structural-schema.ts";
import { errorsOf } from "./validate.fixture.ts";

test("minLength and maxLength count characters", () => {
  const schema: StructuralSchema = { type: "string", minLength: 2, maxLength: 3 };
  expect(errorsOf("a", schema)).toEqual([
    'invalid spec.f: Invalid value: "a": spec.f in body should be at least 2 chars long',
  ]);
  expect(errorsOf("abcd", schema)).toEqual(["tooLong spec.f: Too long: may not be more than 3 bytes"]);
  expect(errorsOf("ééé", schema)).toEqual([]);
  expect(errorsOf("éééé", schema)).toEqual(["tooLong spec.f: Too long: may not be more than 3 bytes"]);
  expect(errorsOf("😀😀😀", schema)).toEqual([]);
  expect(errorsOf("😀", schema)).toEqual([
    'invalid spec.f: Invalid value: "😀": spec.f in body should be at least 2 chars long',
  ]);
});

test("a limit of one byte is printed in the singular", () => {
  const schema: StructuralSchema = { type: "string", maxLength: 1 };
  expect(errorsOf("ab", schema)).toEqual(["tooLong spec.f: Too long: may not be more than 1 byte"]);
});

test("a pattern matches anywhere in the string", () => {
  const schema: StructuralSchema = { type: "string", pattern: "^a+$" };
  expect(errorsOf("b", schema)).toEqual([
    "invalid spec.f: Invalid value: \"b\": spec.f in body should match '^a+$'",
  ]);
  expect(errorsOf("aaa", schema)).toEqual([]);
  expect(errorsOf("", schema)).toEqual([
    "invalid spec.f: Invalid value: \"\": spec.f in body should match '^a+$'",
  ]);
});

test("only the first violated bound is reported", () => {
  const schema: StructuralSchema = { type: "string", pattern: "^a+$", maxLength: 2 };
  expect(errorsOf("bbb", schema)).toEqual(["tooLong spec.f: Too long: may not be more than 2 bytes"]);
});

test("values are quoted like in Go", () => {
  const schema: StructuralSchema = { type: "string", pattern: "^'\"x\\d$" };
  expect(errorsOf("a'\"\n\u0001é​<>&", schema)).toEqual([
    "invalid spec.f: Invalid value: \"a'\\\"\\n\\x01é\\u200b<>&\": spec.f in body should match '^'\"x\\d$'",
  ]);
});
