import fc from "fast-check";
import { expect, test } from "vitest";
import { type Labels, labelMatcher } from "./label-matcher.ts";

test.each<[string, string, { yes: Labels[]; no: Labels[] }]>([
  ["", "", { yes: [{}, { a: "1" }], no: [] }],
  ["a=b", "a=b", { yes: [{ a: "b", c: "d" }], no: [{}, { a: "c" }] }],
  ["a == b", "a=b", { yes: [{ a: "b" }], no: [{}, { a: "" }] }],
  ["a=", "a=", { yes: [{ a: "" }], no: [{}, { a: "b" }] }],
  ["a!=b", "a!=b", { yes: [{}, { a: "c" }], no: [{ a: "b" }] }],
  ["a in (x, y)", "a in (x,y)", { yes: [{ a: "x" }, { a: "y" }], no: [{}, { a: "z" }] }],
  ["a in (y,x,y)", "a in (x,y)", { yes: [{ a: "x" }], no: [{ a: "" }] }],
  ["a in ()", "a in ()", { yes: [{ a: "" }], no: [{}, { a: "x" }] }],
  ["a in (,x)", "a in (,x)", { yes: [{ a: "" }, { a: "x" }], no: [{}] }],
  ["a notin (x,y)", "a notin (x,y)", { yes: [{}, { a: "z" }], no: [{ a: "x" }, { a: "y" }] }],
  ["a", "a", { yes: [{ a: "" }, { a: "x" }], no: [{ b: "x" }] }],
  ["!a", "!a", { yes: [{}, { b: "x" }], no: [{ a: "" }] }],
  ["a>41", "a>41", { yes: [{ a: "42" }, { a: "0042" }], no: [{}, { a: "41" }, { a: "x" }, { a: "4.2" }] }],
  ["a<42", "a<42", { yes: [{ a: "41" }], no: [{}, { a: "42" }, { a: "" }] }],
  ["a>1", "a>1", { yes: [{ a: "9223372036854775807" }], no: [{ a: "9223372036854775808" }] }],
  [
    "tier in (web, api), !canary",
    "!canary,tier in (api,web)",
    { yes: [{ tier: "api" }], no: [{ tier: "api", canary: "" }] },
  ],
  ["\tb = 1 ,\r\n a = 2 ", "a=2,b=1", { yes: [{ a: "2", b: "1" }], no: [{ a: "2" }] }],
  ["in in (in), notin notin (notin)", "in in (in),notin notin (notin)", { yes: [{ in: "in" }], no: [{}] }],
  ["a!=x,a", "a!=x,a", { yes: [{ a: "y" }], no: [{}, { a: "x" }] }],
  ["example.dev/a=b", "example.dev/a=b", { yes: [{ "example.dev/a": "b" }], no: [{ a: "b" }] }],
])("%j prints as %j, and matches like in Kubernetes", (text, printed, { yes, no }) => {
  const matcher = labelMatcher(text);
  expect(matcher.text).toBe(printed);
  expect(yes.map((labels) => matcher.matches(labels))).toEqual(yes.map(() => true));
  expect(no.map((labels) => matcher.matches(labels))).toEqual(no.map(() => false));
});

test.each([
  ["a=b,", "a label key at character 5", "the end"],
  [",a=b", "a label key at character 1", '","'],
  ["a=b c", '"," or the end at character 5', '"c"'],
  ["a b", 'an operator (=, !=, in, notin, >, <) after key "a" at character 3', '"b"'],
  ["a in x", '"(" before the values at character 6', '"x"'],
  ["a in (x", '"," or ")" after a value at character 8', "the end"],
  ["a in (x y)", '"," or ")" after a value at character 9', '"y"'],
  ["a=(", "a label value at character 3", '"("'],
  ["!a=b", '"," or the end at character 3', '"="'],
  ["a>b", "an integer below 2^63 to compare with at character 3", '"b"'],
  ["a>", "an integer below 2^63 to compare with at character 3", "nothing"],
  ["a<9223372036854775808", "an integer below 2^63 to compare with at character 3", '"9223372036854775808"'],
  ["a=b,-c=d", "a letter or digit at the start and end of a label key at character 5", '"-"'],
  ["a=b/c", 'a letter, digit, "-", "_" or "." in a label value at character 4', '"/"'],
  ["=", "a label key at character 1", '"="'],
])("%j is refused with the position of the invalid character", (text, expected, got) => {
  const message = `expected ${expected} of label selector ${JSON.stringify(text)}, got ${got}`;
  expect(() => labelMatcher(text)).toThrow(expect.objectContaining({ name: "SelectorError", message }));
});

test("all pairs must be present", () => {
  const matcher = labelMatcher({ b: "2", a: "1" });
  expect(matcher.text).toBe("a=1,b=2");
  expect([{ a: "1", b: "2", c: "3" }, { a: "1" }, {}].map(matcher.matches)).toEqual([true, false, false]);
});

test("missing labels count as empty", () => {
  const matched = ["", "a=b", "a", "!a", "a!=b", "a notin (b)", "a in ()"].filter((text) =>
    labelMatcher(text).matches(undefined),
  );
  expect(matched).toEqual(["", "!a", "a!=b", "a notin (b)"]);
});

test("inherited properties are not labels", () => {
  const matched = [
    "constructor",
    "toString",
    "toString!=a",
    "!toString",
    "toString in ()",
    "valueOf>1",
  ].filter((text) => labelMatcher(text).matches({}));
  expect(matched).toEqual(["toString!=a", "!toString"]);
});

test("a printed selector can be parsed, in any order of its requirements", () => {
  const word = fc.stringMatching(/^[a-z]([a-z.]{0,3}[a-z])?$/);
  const part = fc.oneof(
    word,
    word.map((key) => `!${key}`),
    fc.tuple(word, fc.constantFrom("=", "==", "!="), word).map((parts) => parts.join("")),
    fc.tuple(word, fc.constantFrom(">", "<"), fc.nat()).map((parts) => parts.join("")),
    fc
      .tuple(word, fc.constantFrom("in", "notin"), fc.array(word))
      .map(([k, op, set]) => `${k} ${op} (${set.join()})`),
  );
  fc.assert(
    fc.property(fc.array(part), fc.dictionary(word, word), (parts, labels) => {
      const matcher = labelMatcher(parts.join(" , "));
      expect(labelMatcher(matcher.text)).toMatchObject({
        text: matcher.text,
        requirements: matcher.requirements,
      });
      expect(labelMatcher(matcher.text).matches(labels)).toBe(matcher.matches(labels));
      expect(matcher.matches(labels)).toBe(parts.every((one) => labelMatcher(one).matches(labels)));
    }),
  );
});
