import { expect, test } from "vitest";
import { errorsOfSchema } from "./structural-errors.fixture.ts";

test("a status subresource allows only few keywords at the root", () => {
  expect(errorsOfSchema({ type: "array", items: { type: "string" } }, { status: true })).toEqual([
    'invalid @.type: Invalid value: "array": only "object" is allowed as the type at the root of the schema if the status subresource is enabled',
    'invalid @.type: Invalid value: "array": must be object at the root',
  ]);
  expect(
    errorsOfSchema(
      { type: "object", description: "x", required: ["spec"], properties: { spec: { type: "string" } } },
      { status: true },
    ),
  ).toEqual([]);
});
