import { expect, test } from "vitest";
import { asError } from "./as-error.ts";

test("an error stays itself", () => {
  const error = new TypeError("broken");
  expect(asError(error)).toBe(error);
});

test.each([
  ["a string", "stopped", "stopped"],
  ["nothing", undefined, "undefined"],
  ["a number", 7, "7"],
  ["an object", { code: 7 }, "{ code: 7 }"],
  ["an object that cannot become a string", Object.create(null), "[Object: null prototype] {}"],
])("%s becomes an error that says it and keeps it as the cause", (_, thrown, message) => {
  const error = asError(thrown);
  expect(error.message).toBe(message);
  expect(error.cause).toBe(thrown);
});
