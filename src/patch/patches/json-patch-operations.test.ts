import { expect, test } from "vitest";
import { applyJsonPatch } from "./json-patch.ts";
import { unknownOperationMembers } from "./json-patch-operations.ts";
import { outcomeOf, rejected } from "./patch-case.fixture.ts";

const decoding = (text: string) => ({
  failure: "malformed",
  message: `error decoding patch: json: cannot unmarshal ${text}`,
});
const bare = (text: string) => ({ failure: "malformed", message: `json: cannot unmarshal ${text}` });

test.each([
  [{}, decoding("object into Go value of type []handlers.jsonPatchOp")],
  ["x", decoding("string into Go value of type []handlers.jsonPatchOp")],
  [1, decoding("number into Go value of type []handlers.jsonPatchOp")],
  [true, decoding("bool into Go value of type []handlers.jsonPatchOp")],
  [[1], decoding("number into Go value of type handlers.jsonPatchOp")],
  [[[]], decoding("array into Go value of type handlers.jsonPatchOp")],
  [[{ op: 1 }], decoding("number into Go struct field jsonPatchOp.op of type string")],
  [[{ op: "add", path: {} }], decoding("object into Go struct field jsonPatchOp.path of type string")],
  [
    [{ op: "move", from: [], path: 1 }],
    decoding("array into Go struct field jsonPatchOp.from of type string"),
  ],
  [[{ op: "remove", path: null }], rejected],
])("%j is refused by its type", (patch, outcome) => {
  expect(outcomeOf(() => applyJsonPatch({}, patch))).toEqual(outcome);
});

test.each([
  [{}, bare("object into Go value of type jsonpatch.Patch")],
  [[1], bare("number into Go value of type jsonpatch.Operation")],
  [[{ op: 1, path: "/a" }], rejected],
  [[{ op: "remove", path: 1 }], rejected],
])("%j is refused with another message if fields are not validated", (patch, outcome) => {
  expect(outcomeOf(() => applyJsonPatch({}, patch, { fieldValidation: "Ignore" }))).toEqual(outcome);
});

test("a patch has at most ten thousand operations", () => {
  const operations = (count: number) => Array(count).fill({ op: "test", path: "/a", value: 1 });
  expect(outcomeOf(() => applyJsonPatch({ a: 1 }, operations(10_000)))).toEqual({ result: { a: 1 } });
  expect(outcomeOf(() => applyJsonPatch({ a: 1 }, operations(10_001)))).toEqual({
    failure: "tooLarge",
    message: "Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001",
  });
});

test("unknown members of operations are reported by their paths, in order", () => {
  const patch = [
    { op: "add", path: "/a", value: { unknown: 1 }, foo: 1, bar: 2 },
    null,
    { OP: "test", from: "" },
  ];
  expect(unknownOperationMembers(patch)).toEqual(["[0].foo", "[0].bar", "[2].OP"]);
  expect(unknownOperationMembers(null)).toEqual([]);
});

test("an operation with unknown members is applied", () => {
  expect(applyJsonPatch({}, [{ op: "add", path: "/a", value: 1, foo: 1 }])).toEqual({ a: 1 });
});
