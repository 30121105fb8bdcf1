import { inspect } from "node:util";
import { expect, test } from "vitest";
import { ConfigError } from "./config-error.ts";

test("a ConfigError is printed once, as its message without a stack", () => {
  const error = new ConfigError("expected a file, got none");
  expect(inspect(error)).toBe("[ConfigError: expected a file, got none]");
  expect([error.stack, error.problems]).toEqual([
    "ConfigError: expected a file, got none",
    ["expected a file, got none"],
  ]);
});

test("several problems are one message with a line for each", () => {
  const error = new ConfigError(["expected a server, got none", "expected a user, got none"]);
  expect(inspect(error)).toBe(
    "[ConfigError: expected a usable configuration, got 2 problems:\n" +
      "- expected a server, got none\n" +
      "- expected a user, got none]",
  );
});
