import { expect, test } from "vitest";
import { configMaps, type FaultyServer, faultyServer } from "./faulty-server.fixture.ts";

const watches = { verb: "watch", resource: "configmaps" } as const;

async function createThree(server: FaultyServer): Promise<void> {
  for (const name of ["a", "b", "c"]) await server.create(name);
}

test.each([
  { type: "close", last: ["end"] },
  { type: "break", last: ["cut"] },
  { type: "freeze", last: [] },
  { type: "expire", last: ["ERROR The resourceVersion for the provided watch is too old.", "end"] },
] as const)("$type: the fault occurs after the configured number of events", async ({ type, last }) => {
  using server = faultyServer({ on: watches, fault: { type, afterEvents: 2 } });
  const watch = await server.watch();
  await createThree(server);
  await server.create("d");
  await server.clock.advance(4_000_000); // longer than the longest watch timeout
  expect(await watch.received()).toEqual(["ADDED a", "ADDED b", ...last]);
  expect(server.clock.timers).toBe(0);
});

test.each([
  { type: "close", last: ["end"] },
  { type: "break", last: ["cut"] },
  { type: "freeze", last: [] },
  { type: "expire", last: ["ERROR The resourceVersion for the provided watch is too old.", "end"] },
] as const)("$type: the watch is accepted and the fault occurs at once", async ({ type, last }) => {
  using server = faultyServer({ on: watches, fault: { type } });
  const watch = await server.watch();
  await server.create("a");
  expect([await watch.received(), server.clock.timers]).toEqual([last, 0]);
});

test("events that arrive in one chunk are counted one by one", async () => {
  using server = faultyServer({ on: watches, fault: { type: "break", afterEvents: 3 } });
  await createThree(server);
  expect(await (await server.watch()).received()).toEqual(["ADDED a", "ADDED b", "ADDED c", "cut"]);
});

test("a watch that no rule selects continues until its client disconnects", async () => {
  using server = faultyServer({ on: watches, which: { nth: 1 }, fault: { type: "close" } });
  const first = await server.watch();
  const second = await server.watch();
  await server.create("z");
  expect([await first.received(), (await second.received()).at(-1)]).toEqual([["end"], "ADDED z"]);
  second.close();
  expect(await second.received()).toEqual(["end"]);
});

test("a watch that the server rejects is rejected as usual", async () => {
  using server = faultyServer({ on: watches, fault: { type: "freeze" } });
  expect(await server.request("GET", `${configMaps}?watch=1&resourceVersion=abc`)).toBe("500");
});
