import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { settled } from "../../base/index.ts";
import { gate, get, httpServer, reply, transportTo } from "../local-server.fixture.ts";
import { isReset } from "./connection-error.ts";
import { framings, meanwhile, much, Notes, opened } from "./open-response.fixture.ts";

test("pause makes the sender wait, and resume delivers the rest", async () => {
  const requested = gate<ServerResponse>();
  const server = await httpServer((request, response) =>
    request.url === "/" ? requested.pass(response) : reply(response),
  );
  const transport = transportTo(server);
  const [theirs, ours] = await Promise.all([
    requested.passed.then((response) => response.writeHead(200).flushHeaders() ?? response),
    transport.open(get("/")),
  ]);
  const megabyte = Buffer.alloc(1024 * 1024, "x");
  const total = 48;
  let bytes = 0;
  const ended = gate();
  ours.receive({
    onChunk(chunk) {
      if (bytes === 0) ours.pause();
      bytes += chunk.length;
    },
    onEnd: () => ended.pass(),
    onError: (error) => expect.fail(String(error)),
  });
  for (let sent = 0; sent < total; sent++) theirs.write(megabyte);
  theirs.end();
  await meanwhile(transport);
  const atPause = bytes;
  expect(atPause).toBeLessThan(megabyte.length);
  expect(theirs.socket?.writableLength).toBeGreaterThan((total / 2) * megabyte.length);
  await meanwhile(transport);
  expect(bytes).toBe(atPause);
  ours.resume();
  await ended.passed;
  expect(bytes).toBe(total * megabyte.length);
});

test("a response that is paused before receive delivers nothing until it is resumed", async () => {
  const { ours, theirs } = await opened();
  const notes = new Notes();
  ours.pause();
  ours.receive(notes);
  theirs.end("late");
  await once(theirs, "finish");
  await settled();
  expect(notes.received).toEqual([]);
  ours.resume();
  await notes.over;
  expect(notes.received).toEqual(["late", ["end"]]);
});

test.each(framings)(
  "after a pause within a chunk of $name, nothing is delivered until it is resumed",
  async ({ head }) => {
    const { ours, theirs } = await opened({ head: head(2 * much) });
    const notes = new Notes();
    ours.receive({
      onChunk(chunk) {
        ours.pause();
        notes.onChunk(chunk);
      },
      onEnd: () => notes.onEnd(),
      onError: (error) => notes.onError(error),
    });
    for (const letter of ["a", "b"]) theirs.write(letter.repeat(much));
    theirs.end();
    await notes.until(1);
    while (notes.text.length < 2 * much) {
      const received = notes.received.length;
      await settled();
      expect(notes.received.length).toBe(received);
      const more = notes.until(notes.text.length + 1);
      ours.resume();
      await more;
    }
    ours.resume();
    await notes.over;
    expect(notes.text === "a".repeat(much) + "b".repeat(much)).toBe(true);
  },
);

test("pause and resume within a chunk lose nothing", async () => {
  const { ours, theirs } = await opened();
  const notes = new Notes();
  ours.receive({
    onChunk(chunk) {
      ours.pause();
      notes.onChunk(chunk);
      ours.resume();
    },
    onEnd: () => notes.onEnd(),
    onError: (error) => notes.onError(error),
  });
  const text = Array.from({ length: 2000 }, (_, index) => `line ${index}\n`);
  for (const line of text) theirs.write(line);
  theirs.end();
  await notes.over;
  expect([notes.text === text.join(""), notes.received.at(-1)]).toEqual([true, ["end"]]);
});

test.each([
  { how: "end", connection: "close" },
  { how: "end", connection: "keep-alive" },
  { how: "break", connection: "close" },
  { how: "break", connection: "keep-alive" },
  { how: "reset", connection: "close" },
  { how: "reset", connection: "keep-alive" },
])("a paused body survives the $how of a connection with $connection", async ({ how, connection }) => {
  const { ours, theirs, server } = await opened({ head: { connection } });
  const notes = new Notes();
  ours.receive(notes);
  theirs.write("half");
  await notes.until(4);
  ours.pause();
  if (how === "end") theirs.end();
  if (how === "break") theirs.destroy();
  if (how === "reset") theirs.socket?.resetAndDestroy();
  if (how !== "end") await server.until(0);
  await settled();
  expect(notes.received).toEqual(["half"]);
  ours.resume();
  await notes.over;
  const [, last] = notes.received;
  expect(isReset(last) ? "reset" : last, String(last)).toEqual(how === "end" ? ["end"] : "reset");
});
