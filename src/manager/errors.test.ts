import { inspect } from "node:util";
import { expect, test } from "vitest";
import { ConfigError } from "../client/index.ts";
import { LeadershipLostError } from "../election/index.ts";
import { isAbortedBy, userFacingError } from "./errors.ts";
import { Managed, reconciling } from "./managed.fixture.ts";

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

test("a configuration error has no stack and no causes", async () => {
  await using world = await Managed.start();
  const mistake = new ConfigError("expected plugin bake to be a program", { cause: new Error("ENOENT") });
  const client = world.cluster.client.through((below) => ({ ...below, send: () => Promise.reject(mistake) }));
  const over = world.manager([reconciling(async () => {})], { client }).run({ signal: world.ended.signal });
  const printed = over.catch((error: unknown) => inspect(error));
  await world.settle();
  expect(await printed).toBe("[ConfigError: expected plugin bake to be a program]");
});

test("a lost lease has a one-line error of the same class", () => {
  const error = userFacingError(
    new LeadershipLostError("expected to renew", { cause: new Error("refused") }),
  );
  expect(error).toBeInstanceOf(LeadershipLostError);
  expect(inspect(error)).toBe("[LeadershipLostError: expected to renew]");
});

test("errors of user code keep their stack and cause", () => {
  const bug = new TypeError("x is not a function", { cause: "why" });
  expect(userFacingError(bug)).toBe(bug);
});
