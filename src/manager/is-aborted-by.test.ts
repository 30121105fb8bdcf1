import { expect, test } from "vitest";
import { isAbortedBy } from "./is-aborted-by.ts";

const reason = new Error("received SIGTERM");
const circle = new Error("round");
circle.cause = circle;

test.each<[string, unknown, boolean]>([
  ["the reason itself", reason, true],
  ["what has the reason for its cause", new Error("broken off", { cause: reason }), true],
  ["one further down", new Error("a", { cause: new Error("b", { cause: reason }) }), true],
  ["an error of the platform for it", new DOMException("This operation was aborted", "AbortError"), true],
  ["another that says the same", new Error("received SIGTERM"), false],
  ["something else", new Error("the disk is full"), false],
  ["what is no error", "received SIGTERM", false],
  ["causes that go round", circle, false],
])("%s", (_, error, expected) => {
  expect(isAbortedBy(error, AbortSignal.abort(reason))).toBe(expected);
});

test("before the abort, no error counts as aborted", () => {
  expect(isAbortedBy(reason, new AbortController().signal)).toBe(false);
});
