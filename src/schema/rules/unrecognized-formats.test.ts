import { expect, test } from "vitest";
import { unrecognizedFormats } from "./unrecognized-formats.ts";

test("unrecognized formats are found at every depth, each once", () => {
  const schema = {
    type: "object",
    format: "date",
    properties: {
      a: { type: "string", format: "foo" },
      b: { type: "array", items: { type: "integer", format: "uint8" } },
      c: { type: "object", additionalProperties: { type: "string", format: "foo" } },
      d: { type: "string", anyOf: [{ format: "bar" }, { format: "date-time" }] },
      e: { type: "integer", format: "int64" },
    },
  };
  expect(unrecognizedFormats(schema)).toEqual(["date", "foo", "uint8", "bar"]);
});
