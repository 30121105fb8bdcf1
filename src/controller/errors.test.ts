import { expect, test } from "vitest";
import { isTerminal, RetryAfterError, retryAfterMs, TerminalError } from "./errors.ts";

test("an error with a terminal cause is terminal", () => {
  const terminal = new TerminalError("no");
  expect([
    isTerminal(terminal),
    isTerminal(new Error("why", { cause: terminal })),
    isTerminal(new Error("no")),
  ]).toEqual([true, true, false]);
  expect([isTerminal("text"), isTerminal(undefined)]).toEqual([false, false]);
});

test("the delay of a RetryAfterError is found also if it is the cause of another error", () => {
  const later = new RetryAfterError("busy", { afterMs: 5000 });
  expect([
    retryAfterMs(later),
    retryAfterMs(new Error("why", { cause: later })),
    retryAfterMs(new Error()),
  ]).toEqual([5000, 5000, undefined]);
});

test("circular causes end", () => {
  const one = new Error("one");
  one.cause = new Error("two", { cause: one });
  expect(isTerminal(one)).toBe(false);
});
