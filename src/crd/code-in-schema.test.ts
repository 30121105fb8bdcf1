import { expect, test } from "vitest";
import { z } from "zod";
import { fieldSchema, problemsOf } from "./declared.fixture.ts";

const change = "no API server runs it: declare the stored type, and change objects in an admission webhook";
const rule = "no API server runs it: declare a validation rule with rule(), or use an admission webhook";
const transform = `the schema has code (transform, preprocess or codec), but ${change}`;
const overwrite = `the schema has code (trim, toLowerCase or overwrite), but ${change}`;
const refine = `the schema has code (refine, superRefine or check), but ${rule}`;

test.each<[string, z.ZodType, string]>([
  ["a transform", z.string().transform(Number), transform],
  ["a transform into a schema", z.string().transform(Number).pipe(z.number()), transform],
  ["a transform without a schema", z.transform(String), transform],
  ["preprocessing", z.preprocess(String, z.string()), transform],
  ["a codec", z.stringbool(), transform],
  ["a trimmed string", z.string().trim(), overwrite],
  ["a string in lower case", z.string().toLowerCase(), overwrite],
  ["a refinement", z.string().refine((text) => text !== "a"), refine],
  [
    "a refinement of an optional value",
    z
      .string()
      .refine((text) => text !== "a")
      .optional(),
    refine,
  ],
  [
    "a refinement with metadata",
    z
      .string()
      .refine((text) => text !== "a")
      .describe("not a"),
    refine,
  ],
  ["a refinement of any value", z.unknown().refine((value) => value !== 1), refine],
  ["a super refinement", z.int32().superRefine(() => {}), refine],
  ["a check", z.object({ a: z.string() }).check(() => {}), refine],
  [
    "a check of a property",
    z.string().check(z.property("length", z.literal(3))),
    `the schema has a check of a property, but ${rule}`,
  ],
  [
    "a format in code",
    z.stringFormat("even", (text) => text.length % 2 === 0),
    `the schema has code (stringFormat), but ${rule}`,
  ],
  [
    "a value for invalid input",
    z.string().catch("a"),
    "the schema has code (catch), but an API server refuses an invalid value: use default for a missing one",
  ],
  [
    "coercion",
    z.coerce.string(),
    "the schema converts its input (coerce), but an API server does not: remove coerce",
  ],
  [
    "a check in code instead of a schema",
    z.instanceof(Uint8Array),
    "expected a schema that JSON Schema can express, got a check in code (custom or instanceof): " +
      "declare the stored type, or set its JSON Schema with meta",
  ],
])("%s is refused, because no API server runs code", (_, field, reason) => {
  expect(problemsOf(field)).toEqual([{ field: "spec.it", reason }]);
});

test("all code of a schema is reported, at every level", () => {
  const inner = z.string().refine((text) => text !== "a");
  const field = z.object({ list: z.array(inner), map: z.record(z.string(), inner) }).refine(() => true);
  expect(problemsOf(field)).toEqual([
    { field: "spec.it", reason: refine },
    { field: "spec.it.list[*]", reason: refine },
    { field: "spec.it.map[*]", reason: refine },
  ]);
});

test("a custom type with a JSON Schema as its metadata is accepted", () => {
  const field = z.custom<"a">().meta({ type: "string", enum: ["a"] });
  expect(fieldSchema(field)).toEqual({ type: "string", enum: ["a"] });
});
