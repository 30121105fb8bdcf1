import { expect, test } from "vitest";
import { type LabelProblem, labelKeyProblem, labelValueProblem } from "./label.ts";

const long = "a".repeat(63);

test.each(["a", "A.b_c-9", long, "example.dev/role", "a-b.c/x", `${"a.".repeat(126)}a/x`])(
  "%j is a label key",
  (key) => {
    expect(labelKeyProblem(key)).toBeUndefined();
  },
);

test.each<[string, LabelProblem]>([
  ["", { expected: "a label key", got: "nothing", at: 0 }],
  ["a b", { expected: `a letter, digit, "-", "_" or "." in a label key`, got: '" "', at: 1 }],
  ["-a", { expected: "a letter or digit at the start and end of a label key", got: '"-"', at: 0 }],
  ["ab.", { expected: "a letter or digit at the start and end of a label key", got: '"."', at: 2 }],
  [`${long}a`, { expected: "a label key of at most 63 characters", got: "64", at: 63 }],
  ["/x", { expected: "a DNS subdomain before the / of a label key", got: "nothing", at: 0 }],
  ["x.y/", { expected: "a label key after its prefix", got: "nothing", at: 4 }],
  [
    "x/y/z",
    { expected: `a letter, digit, "-", "_" or "." in a label key after its prefix`, got: '"/"', at: 3 },
  ],
])("%j is not a label key", (key, problem) => {
  expect(labelKeyProblem(key)).toEqual(problem);
});

test.each([
  ["Example.dev/x", 0],
  ["example.Dev/x", 8],
  ["example..dev/x", 8],
  ["example.dev./x", 12],
  ["-example/x", 0],
  ["example-.dev/x", 7],
  ["ex_ample/x", 2],
])("the prefix of %j is invalid at character %i", (key, at) => {
  const expected = "lower case letters, digits and inner - between the dots of the prefix of a label key";
  expect(labelKeyProblem(key)).toMatchObject({ at, expected });
});

test("a prefix has at most 253 characters", () => {
  expect(labelKeyProblem(`${"a".repeat(254)}/x`)).toMatchObject({ got: "254", at: 253 });
});

test("a label value is empty or has the form of a name", () => {
  expect(["", "a", "1.0_b-C", long].map(labelValueProblem)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(labelValueProblem("a/b")).toEqual({
    expected: `a letter, digit, "-", "_" or "." in a label value`,
    got: '"/"',
    at: 1,
  });
  expect(labelValueProblem(`${long}b`)).toMatchObject({ at: 63 });
});
