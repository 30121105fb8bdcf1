import { deepStrictEqual } from "node:assert";
import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonPatchCases } from "./json-patch.fixture.ts";
import { applyJsonPatch } from "./json-patch.ts";
import { jsonObject, pointers } from "./json-value.fixture.ts";
import { frozen, nested, outcomeOf, rejected } from "./patch-case.fixture.ts";

for (const { title, document, patch, outcome } of jsonPatchCases) {
  test(title, () => {
    const given = frozen({ document, patch });
    deepStrictEqual(
      outcomeOf(() => applyJsonPatch(given.document, given.patch)),
      outcome,
    );
  });
}

test("copies of a patch are 3 MiB together at most", () => {
  const document = { a: "x".repeat(1024 * 1024 - 2) };
  const copies = (count: number) => Array(count).fill({ op: "copy", from: "/a", path: "/b" });
  expect(outcomeOf(() => applyJsonPatch(document, copies(3)))).toEqual({
    result: { ...document, b: document.a },
  });
  expect(outcomeOf(() => applyJsonPatch(document, copies(4)))).toEqual(rejected);
});

test("a number is tested against all its digits, however it is held", () => {
  const tested = (value: unknown) => [{ op: "test", path: "/a", value }];
  const document = { a: 2 ** 53 };
  expect(outcomeOf(() => applyJsonPatch(document, tested(2n ** 53n)))).toEqual({ result: document });
  expect(outcomeOf(() => applyJsonPatch(document, tested(2n ** 53n + 1n)))).toEqual(rejected);
});

test("ten thousand steps into one object take no time to speak of", () => {
  const steps = Array.from({ length: 10_000 }, (_, index) => ({
    op: "add",
    path: `/data/k${index}`,
    value: "",
  }));
  const { data } = applyJsonPatch({ data: {} }, steps) as { data: object };
  expect(Object.keys(data)).toHaveLength(10_000);
});

test("values ten thousand levels deep are added, copied and tested", () => {
  const deep = nested(10_000);
  const steps = [
    { op: "add", path: "/a", value: deep },
    { op: "copy", from: "/a", path: "/b" },
    { op: "remove", path: `/b${"/a".repeat(10_000)}` },
    { op: "test", path: "/a", value: nested(10_000) },
    { op: "remove", path: "/b" },
  ];
  const result = applyJsonPatch({}, steps) as { a: unknown };
  expect(Object.keys(result)).toEqual(["a"]);
  expect(result.a).toBe(deep);
});

const writings: ReadonlyArray<readonly [how: string, literal: string, equal: boolean]> = [
  ["an ampersand", '"a&b"', false],
  ["an ampersand that is escaped", String.raw`"a\u0026b"`, true],
  ["a letter beyond ASCII", '"é"', true],
  ["a letter that need not be escaped", String.raw`"\u00e9"`, false],
  ["a slash that need not be escaped", String.raw`"\/"`, false],
  ["a line separator", '"\u2028"', false],
  ["a quote", String.raw`"\""`, true],
  ["a whole number", "3", true],
  ["a whole number with a fraction", "3.0", false],
  ["a whole number with an exponent", "3e0", false],
  ["a fraction", "1.5", true],
  ["an element", '["x","<"]', false],
  ["a field", '{"a":{"b":"<"}}', false],
  ["a key that need not be escaped", String.raw`{"\u0061":1}`, true],
];

for (const [how, literal, equal] of writings) {
  test(`${how} in a test ${equal ? "equals" : "does not equal"} the same in the document`, () => {
    const text = `[null,{"op":"test","path":"/a&b","value":null},{"op":"test","value":${literal},"path":"/at"}]`;
    const document = { at: JSON.parse(literal) as unknown };
    const patch = [{ op: "test", path: "/none" }, ...(JSON.parse(text) as unknown[]).slice(1)];
    const outcome = outcomeOf(() => applyJsonPatch(document, patch, { text }));
    expect(outcome).toEqual(equal ? { result: document } : rejected);
  });
}

test("a number too big for JavaScript equals the same in the document", () => {
  const at = 9_007_199_254_740_993n;
  const text = '[{"op":"test","path":"/at","value":9007199254740993},{"op":"add","path":"/b","value":"<"}]';
  const patch = [{ op: "test", path: "/at", value: at }];
  expect(applyJsonPatch({ at }, patch, { text })).toEqual({ at });
});

test("what is added may be written in any way", () => {
  const text = String.raw`[{"op":"add","path":"/a","value":"\u0061 < b"}]`;
  expect(applyJsonPatch({}, JSON.parse(text), { text })).toEqual({ a: "a < b" });
});

test("everything that is there tests equal to itself", () => {
  fc.assert(
    fc.property(jsonObject, (document) => {
      const steps = pointers(document).map(({ path, value }) => ({ op: "test", path, value }));
      deepStrictEqual(applyJsonPatch(document, steps), document);
    }),
  );
});

test("what is moved away and back is where it was", () => {
  fc.assert(
    fc.property(jsonObject, (document) => {
      for (const { path } of pointers(document).filter(({ path }) => path !== "")) {
        const steps = [
          { op: "move", from: path, path: "/elsewhere" },
          { op: "move", from: "/elsewhere", path },
        ];
        deepStrictEqual(applyJsonPatch(frozen(document), steps), document);
      }
    }),
  );
});

test("what is added in place of something missing can be removed again", () => {
  fc.assert(
    fc.property(jsonObject, jsonObject, (document, value) => {
      const steps = [
        { op: "add", path: "/added", value },
        { op: "remove", path: "/added" },
      ];
      deepStrictEqual(applyJsonPatch(frozen(document), frozen(steps)), document);
    }),
  );
});

const path = fc
  .array(fc.constantFrom("a", "b", "0", "-1"), { minLength: 1, maxLength: 3 })
  .map((keys) => `/${keys.join("/")}`);
const step = fc.record({
  op: fc.constantFrom("add", "replace", "remove", "copy", "copy", "move"),
  path,
  from: path,
  value: jsonObject,
});

test("steps in one patch do what they do in a patch each", () => {
  fc.assert(
    fc.property(jsonObject, fc.array(step, { maxLength: 8 }), (document, steps) => {
      const { result, done } = oneByOne(document, steps);
      deepStrictEqual(applyJsonPatch(frozen(document), frozen(done)), result);
    }),
  );
});

/** The document after every step that fits what the ones before have left, and those steps. */
function oneByOne(
  document: unknown,
  steps: readonly unknown[],
): { result: unknown; done: readonly unknown[] } {
  let result = document;
  const done = steps.filter((each) => {
    const outcome = outcomeOf(() => applyJsonPatch(result, [each]));
    if ("result" in outcome) result = outcome.result;
    return "result" in outcome;
  });
  return { result, done };
}
