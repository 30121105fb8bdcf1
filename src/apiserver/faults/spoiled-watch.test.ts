import { expect, test } from "vitest";
import { configMaps, type FaultyServer, faultyServer } from "./faulty-server.fixture.ts";

const watches = { verb: "watch", resource: "configmaps" } as const;

async function makeThree(server: FaultyServer): Promise<void> {
  for (const name of ["a", "b", "c"]) await server.make(name);
}

test.each([
  { type: "close", last: ["end"] },
  { type: "break", last: ["cut"] },
  { type: "freeze", last: [] },
  { type: "expire", last: ["ERROR The resourceVersion for the provided watch is too old.", "end"] },
] as const)("$type: a watch goes so after as many events as the rule says", async ({ type, last }) => {
  using server = faultyServer({ on: watches, fault: { type, afterEvents: 2 } });
  const story = await server.watch();
  await makeThree(server);
  await server.make("d");
  await server.clock.advance(4_000_000); // longer than any watch lasts
  expect(await story.heard()).toEqual(["ADDED a", "ADDED b", ...last]);
  expect(server.clock.timers).toBe(0);
});

test.each([
  { type: "close", last: ["end"] },
  { type: "break", last: ["cut"] },
  { type: "freeze", last: [] },
  { type: "expire", last: ["ERROR The resourceVersion for the provided watch is too old.", "end"] },
] as const)("$type: a watch is accepted and begins so", async ({ type, last }) => {
  using server = faultyServer({ on: watches, fault: { type } });
  const story = await server.watch();
  await server.make("a");
  expect([await story.heard(), server.clock.timers]).toEqual([last, 0]);
});

test("events that come in one piece are counted one by one", async () => {
  using server = faultyServer({ on: watches, fault: { type: "break", afterEvents: 3 } });
  await makeThree(server);
  expect(await (await server.watch()).heard()).toEqual(["ADDED a", "ADDED b", "ADDED c", "cut"]);
});

test("a watch that no rule is about goes on, and ends with its client", async () => {
  using server = faultyServer({ on: watches, which: { nth: 1 }, fault: { type: "close" } });
  const first = await server.watch();
  const second = await server.watch();
  await server.make("z");
  expect([await first.heard(), (await second.heard()).at(-1)]).toEqual([["end"], "ADDED z"]);
  second.leave();
  expect(await second.heard()).toEqual(["end"]);
});

test("a watch that the server refuses is refused as always", async () => {
  using server = faultyServer({ on: watches, fault: { type: "freeze" } });
  expect(await server.ask("GET", `${configMaps}?watch=1&resourceVersion=abc`)).toBe("500");
});
