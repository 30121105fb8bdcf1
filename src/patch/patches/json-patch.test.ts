import { deepStrictEqual } from "node:assert";
import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonObject, pointers } from "../values/json-value.fixture.ts";
import { jsonPatchCases } from "./json-patch.fixture.ts";
import { applyJsonPatch } from "./json-patch.ts";
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

test("a patch copies at most 3 MiB", () => {
  const document = { a: "x".repeat(1024 * 1024 - 2) };
  const copies = (count: number) => Array(count).fill({ op: "copy", from: "/a", path: "/b" });
  expect(outcomeOf(() => applyJsonPatch(document, copies(3)))).toEqual({
    result: { ...document, b: document.a },
  });
  expect(outcomeOf(() => applyJsonPatch(document, copies(4)))).toEqual(rejected);
});

test("a number is tested by all its digits, as a number or a bigint", () => {
  const tested = (value: unknown) => [{ op: "test", path: "/a", value }];
  const document = { a: 2 ** 53 };
  expect(outcomeOf(() => applyJsonPatch(document, tested(2n ** 53n)))).toEqual({ result: document });
  expect(outcomeOf(() => applyJsonPatch(document, tested(2n ** 53n + 1n)))).toEqual(rejected);
});

test("ten thousand operations on one object take no time", () => {
  const operations = Array.from({ length: 10_000 }, (_, index) => ({
    op: "add",
    path: `/data/k${index}`,
    value: "",
  }));
  const { data } = applyJsonPatch({ data: {} }, operations) as { data: object };
  expect(Object.keys(data)).toHaveLength(10_000);
});

test("values ten thousand levels deep are added, copied and tested", () => {
  const deep = nested(10_000);
  const operations = [
    { op: "add", path: "/a", value: deep },
    { op: "copy", from: "/a", path: "/b" },
    { op: "remove", path: `/b${"/a".repeat(10_000)}` },
    { op: "test", path: "/a", value: nested(10_000) },
    { op: "remove", path: "/b" },
  ];
  const result = applyJsonPatch({}, operations) as { a: unknown };
  expect(Object.keys(result)).toEqual(["a"]);
  expect(result.a).toBe(deep);
});

const notations: ReadonlyArray<readonly [notation: string, literal: string, equal: boolean]> = [
  ["an ampersand", '"a&b"', false],
  ["an escaped ampersand", String.raw`"a\u0026b"`, true],
  ["a letter outside ASCII", '"é"', true],
  ["a letter that is escaped needlessly", String.raw`"\u00e9"`, false],
  ["a slash that is escaped needlessly", String.raw`"\/"`, false],
  ["a line separator", '"\u2028"', false],
  ["a quote", String.raw`"\""`, true],
  ["an integer", "3", true],
  ["an integer with a fraction", "3.0", false],
  ["an integer with an exponent", "3e0", false],
  ["a fraction", "1.5", true],
  ["an element", '["x","<"]', false],
  ["a field", '{"a":{"b":"<"}}', false],
  ["a key that is escaped needlessly", String.raw`{"\u0061":1}`, true],
];

for (const [notation, literal, equal] of notations) {
  test(`${notation} in a test ${equal ? "equals" : "does not equal"} the same in the document`, () => {
    const text = `[null,{"op":"test","path":"/a&b","value":null},{"op":"test","value":${literal},"path":"/at"}]`;
    const document = { at: JSON.parse(literal) as unknown };
    const patch = [{ op: "test", path: "/none" }, ...(JSON.parse(text) as unknown[]).slice(1)];
    const outcome = outcomeOf(() => applyJsonPatch(document, patch, { text }));
    expect(outcome).toEqual(equal ? { result: document } : rejected);
  });
}

test("a number too large for JavaScript equals the same number in the document", () => {
  const at = 9_007_199_254_740_993n;
  const text = '[{"op":"test","path":"/at","value":9007199254740993},{"op":"add","path":"/b","value":"<"}]';
  const patch = [{ op: "test", path: "/at", value: at }];
  expect(applyJsonPatch({ at }, patch, { text })).toEqual({ at });
});

test("an added value may be written in any notation", () => {
  const text = String.raw`[{"op":"add","path":"/a","value":"\u0061 < b"}]`;
  expect(applyJsonPatch({}, JSON.parse(text), { text })).toEqual({ a: "a < b" });
});

test("every value tests equal to itself", () => {
  fc.assert(
    fc.property(jsonObject, (document) => {
      const operations = pointers(document).map(({ path, value }) => ({ op: "test", path, value }));
      deepStrictEqual(applyJsonPatch(document, operations), document);
    }),
  );
});

test("moving a value away and back changes nothing", () => {
  fc.assert(
    fc.property(jsonObject, (document) => {
      for (const { path } of pointers(document).filter(({ path }) => path !== "")) {
        const operations = [
          { op: "move", from: path, path: "/elsewhere" },
          { op: "move", from: "/elsewhere", path },
        ];
        deepStrictEqual(applyJsonPatch(frozen(document), operations), document);
      }
    }),
  );
});

test("a value that was added at a missing path can be removed", () => {
  fc.assert(
    fc.property(jsonObject, jsonObject, (document, value) => {
      const operations = [
        { op: "add", path: "/added", value },
        { op: "remove", path: "/added" },
      ];
      deepStrictEqual(applyJsonPatch(frozen(document), frozen(operations)), document);
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

test("operations in one patch have the same effect as one patch each", () => {
  fc.assert(
    fc.property(jsonObject, fc.array(step, { maxLength: 8 }), (document, operations) => {
      const { result, done } = oneByOne(document, operations);
      deepStrictEqual(applyJsonPatch(frozen(document), frozen(done)), result);
    }),
  );
});

/** Returns the document after every operation that applies, and those operations. */
function oneByOne(
  document: unknown,
  operations: readonly unknown[],
): { result: unknown; done: readonly unknown[] } {
  let result = document;
  const done = operations.filter((each) => {
    const outcome = outcomeOf(() => applyJsonPatch(result, [each]));
    if ("result" in outcome) result = outcome.result;
    return "result" in outcome;
  });
  return { result, done };
}

test.each([
  [
    { op: "add", path: "/a/b", value: 1 },
    'add operation does not apply: doc is missing path: "/a/b": missing value',
  ],
  [
    { op: "add", path: "/list/9", value: 1 },
    "error in add for path: '/list/9': Unable to access invalid index: 9: invalid index referenced",
  ],
  [
    { op: "remove", path: "/none" },
    "error in remove for path: '/none': Unable to remove nonexistent key: none: missing value",
  ],
  [
    { op: "replace", path: "/list/9", value: 1 },
    "replace operation does not apply: doc is missing key: /list/9: missing value",
  ],
  [
    { op: "move", from: "/none/x", path: "/a" },
    "move operation does not apply: doc is missing from path: /none/x: missing value",
  ],
  [{ op: "test", path: "/list", value: [] }, "testing value /list failed: test failed"],
  [{ op: "zap", path: "/list" }, "Unexpected kind: zap"],
])("the patch %j fails with the message of kube-apiserver", (operation, message) => {
  expect(() => applyJsonPatch({ list: [1] }, [operation])).toThrow(message);
});
