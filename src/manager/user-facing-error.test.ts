import { inspect } from "node:util";
import { expect, test } from "vitest";
import { ConfigError } from "../client/index.ts";
import { LeadershipLostError } from "../election/index.ts";
import { Managed, reconciling } from "./managed.fixture.ts";
import { userFacingError } from "./user-facing-error.ts";

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
