import { expect, test } from "vitest";
import { settled, VirtualClock } from "../base/index.ts";
import { meanwhile, opened } from "./http/open-response.fixture.ts";
import { get, httpServer, reply, transportTo } from "./local-server.fixture.ts";
import { headerOf, readAll } from "./transport.ts";

test("headerOf returns the first value of a repeated header", () => {
  const headers = { one: "1", many: ["a", "b"], none: [] };
  expect(["one", "many", "none", "other"].map((name) => headerOf(headers, name))).toEqual([
    "1",
    "a",
    undefined,
    undefined,
  ]);
});

test("readAll returns the complete body", async () => {
  const server = await httpServer((_, response) => void response.end("x".repeat(200_000)));
  const body = await readAll(await transportTo(server).open(get("/")), 1_000_000);
  expect(body.toString()).toBe("x".repeat(200_000));
});

test("readAll returns at most maxBytes, and closes the response", async () => {
  const server = await httpServer((_, response) => void response.writeHead(500).write("x".repeat(5000)));
  const ours = await transportTo(server).open(get("/"));
  expect((await readAll(ours, 100)).toString()).toBe("x".repeat(100));
  await server.until(0);
});

test("readAll returns the bytes of the first ten seconds, and closes the response", async () => {
  const { ours, theirs, server } = await opened();
  theirs.write("half");
  await meanwhile(transportTo(await httpServer((_, response) => reply(response))));
  const clock = new VirtualClock();
  const read = readAll(ours, 1000, clock);
  await settled();
  await clock.advance(10_000);
  expect([(await read).toString(), clock.timers]).toEqual(["half", 0]);
  await server.until(0);
});

test("readAll rejects with the reason of the signal, and leaves no timer", async () => {
  const stop = new AbortController();
  const { ours } = await opened({ signal: stop.signal });
  const clock = new VirtualClock();
  const read = readAll(ours, 1000, clock);
  stop.abort(new Error("enough"));
  await expect(read).rejects.toBe(stop.signal.reason);
  expect(clock.timers).toBe(0);
});
