import fc from "fast-check";
import { expect, test } from "vitest";
import { fieldMatcher } from "./field-matcher.ts";

function matches(selector: string, fields: Readonly<Record<string, string>>): boolean {
  return fieldMatcher(selector).matches((field) => fields[field]);
}

test("a field selector is parsed and printed like in Kubernetes", () => {
  expect(fieldMatcher("status.phase!=Failed,metadata.name==web,")).toMatchObject({
    text: "metadata.name=web,status.phase!=Failed",
    requirements: [
      { field: "metadata.name", operator: "=", value: "web" },
      { field: "status.phase", operator: "!=", value: "Failed" },
    ],
  });
  expect(["", ",", "=", "!=,,"].map((text) => fieldMatcher(text).text)).toEqual(["", "", "", ""]);
});

test("all requirements must hold, and a missing field counts as empty", () => {
  expect(matches("a=1,b!=2", { a: "1", b: "3" })).toBe(true);
  expect(matches("a=1,b!=2", { a: "1" })).toBe(true);
  expect(matches("a=1,b!=2", { a: "1", b: "2" })).toBe(false);
  expect([matches("a=", {}), matches("a!=", {}), matches("", {})]).toEqual([true, false, true]);
});

test("white space is part of a field or value", () => {
  expect(matches("a= b", { a: " b" })).toBe(true);
  expect(matches("a= b", { a: "b" })).toBe(false);
});

test("any value can be printed and parsed", () => {
  const value = fc.string({ unit: fc.constantFrom("\\", ",", "=", "!", "a", " ", "\n") });
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom("a", "b.c", "d"), value), (fields) => {
      const printed = fieldMatcher(fields).text;
      expect(fieldMatcher(printed).text).toBe(printed);
      expect(matches(printed, fields)).toBe(true);
    }),
  );
});

test.each([
  ["a", "a field, then =, == or !=, then a value at character 1", '"a"'],
  ["a=b,c", "a field, then =, == or !=, then a value at character 5", '"c"'],
  ["a===b", String.raw`"\=" for a = in a value at character 4`, '"="'],
  [String.raw`a=b\c`, String.raw`"\\", "\," or "\=" at character 4`, String.raw`"\\c"`],
  ["a=b\\", String.raw`"\\", "\," or "\=" at character 4`, String.raw`"\\"`],
])("%j is refused with the position of the invalid character", (text, expected, got) => {
  const message = `expected ${expected} of field selector ${JSON.stringify(text)}, got ${got}`;
  expect(() => fieldMatcher(text)).toThrow(expect.objectContaining({ name: "SelectorError", message }));
});
