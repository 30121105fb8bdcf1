import { expect, test } from "vitest";
import { asError, causesOf } from "./as-error.ts";

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

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable(new Error("inner"), {});
  revoke();
  return proxy;
}

const thrower = {
  get() {
    throw new Error("thrown by a getter");
  },
};

test.each([
  ["a revoked proxy", revoked(), "<Revoked Proxy>"],
  [
    "an error whose message throws",
    Object.defineProperty(new Error("inner"), "message", thrower),
    expect.any(String),
  ],
  ["an error with a cause whose name throws", new Error("outer", { cause: hostile() }), expect.any(String)],
  [
    "an object that throws when it is printed",
    {
      [Symbol.for("nodejs.util.inspect.custom")]() {
        throw new Error("thrown");
      },
    },
    "a value of type object that throws when it is printed",
  ],
])("%s becomes an error that can be read, without it", (_, thrown, message) => {
  const { name, message: text, cause } = asError(thrown);
  expect([name, text, cause]).toEqual(["Error", message, undefined]);
});

function hostile(): Error {
  return Object.defineProperty(new Error("inner"), "name", thrower);
}

test("causes are returned from the outermost, each once and at most ten", () => {
  const ring = new Error("ring");
  ring.cause = ring;
  const outer = new Error("outer", { cause: ring });
  let deep = new Error("deepest");
  for (let depth = 0; depth < 20; depth++) deep = new Error("deep", { cause: deep });
  expect([causesOf(outer), causesOf(deep).length, causesOf("text")]).toEqual([[outer, ring], 10, ["text"]]);
});
