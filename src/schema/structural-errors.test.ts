import { expect, test } from "vitest";
import { refusals } from "./structural-errors.fixture.ts";

test("with a status subresource, little may be said at the root", () => {
  expect(refusals({ type: "array", items: { type: "string" } }, { status: true })).toEqual([
    'invalid @.type: Invalid value: "array": only "object" is allowed as the type at the root of the schema if the status subresource is enabled',
    'invalid @.type: Invalid value: "array": must be object at the root',
  ]);
  expect(
    refusals(
      { type: "object", description: "x", required: ["spec"], properties: { spec: { type: "string" } } },
      { status: true },
    ),
  ).toEqual([]);
});
