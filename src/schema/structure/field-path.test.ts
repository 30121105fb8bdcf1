import { expect, test } from "vitest";
import type { CrdSchema } from "./crd-schema.ts";
import { resolveFieldPath } from "./field-path.ts";

const text: CrdSchema = { type: "string" };
const names: CrdSchema = { type: "object", additionalProperties: text };
const schema: CrdSchema = {
  type: "object",
  properties: { a: text, "b-c": text, names, l: { type: "array", items: text } },
};

test("a path resolves through fields and keys to a schema", () => {
  expect(resolveFieldPath(".a", schema)).toEqual({ path: "a", root: "a", schema: text });
  expect(resolveFieldPath("['b-c']", schema)).toEqual({ path: "b-c", root: "b-c", schema: text });
  expect(resolveFieldPath(".names['x.y\\'z']", schema)).toEqual({
    path: "names[x.y'z]",
    root: "names",
    schema: text,
  });
});

const refused: ReadonlyArray<readonly [string, string]> = [
  ["a", "expected [ or . but got: a"],
  [".", "unexpected end of JSON path"],
  [".x", "does not refer to a valid field"],
  [".a.b", "does not refer to a valid field"],
  [".toString", "does not refer to a valid field"],
  [".l[0]", "expected single quoted string but got 0"],
  ["['a'", "unexpected end of JSON path"],
  ["['a'.", "expected ] but got ."],
];

test.each(refused)("%s does not resolve", (path, message) => {
  expect(() => resolveFieldPath(path, schema)).toThrow(message);
});

test("brackets may be forbidden", () => {
  expect(() => resolveFieldPath("['a']", schema, { brackets: false })).toThrow(
    "array notation is not allowed",
  );
});
