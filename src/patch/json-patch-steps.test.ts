import { expect, test } from "vitest";
import { applyJsonPatch } from "./json-patch.ts";
import { unknownStepMembers } from "./json-patch-steps.ts";
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
])("%j is refused in other words where fields are not validated", (patch, outcome) => {
  expect(outcomeOf(() => applyJsonPatch({}, patch, { fieldValidation: "Ignore" }))).toEqual(outcome);
});

test("a patch has ten thousand steps at most", () => {
  const steps = (count: number) => Array(count).fill({ op: "test", path: "/a", value: 1 });
  expect(outcomeOf(() => applyJsonPatch({ a: 1 }, steps(10_000)))).toEqual({ result: { a: 1 } });
  expect(outcomeOf(() => applyJsonPatch({ a: 1 }, steps(10_001)))).toEqual({
    failure: "tooLarge",
    message: "Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001",
  });
});

test("members that no step has are told by their paths, in their order", () => {
  const patch = [
    { op: "add", path: "/a", value: { unknown: 1 }, foo: 1, bar: 2 },
    null,
    { OP: "test", from: "" },
  ];
  expect(unknownStepMembers(patch)).toEqual(["[0].foo", "[0].bar", "[2].OP"]);
  expect(unknownStepMembers(null)).toEqual([]);
});

test("a step is done whatever unknown members it has", () => {
  expect(applyJsonPatch({}, [{ op: "add", path: "/a", value: 1, foo: 1 }])).toEqual({ a: 1 });
});
