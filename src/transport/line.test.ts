import { Socket } from "node:net";
import { expect, test } from "vitest";
import { Line } from "./line.ts";
import { get, httpServer, transportTo } from "./local-server.fixture.ts";
import { Notes, opened } from "./open-response.fixture.ts";

test("chunks come in the same memory, one after the other", {
  skip: process.platform === "win32",
}, async () => {
  const { ours, theirs } = await opened();
  const memory = new Set<ArrayBufferLike>();
  const notes = new (class extends Notes {
    override onChunk(chunk: Buffer): void {
      memory.add(chunk.buffer);
      super.onChunk(chunk);
    }
  })();
  ours.receive(notes);
  for (const text of ["one", "two", "three"]) {
    theirs.write(text);
    await notes.until(notes.text.length + text.length);
  }
  expect([notes.told, memory.size]).toEqual([["one", "two", "three"], 1]);
});

test("a body that is paused at every chunk and read over and over into the same memory comes whole", async () => {
  const text = Array.from({ length: 60_000 }, (_, at) => `${at} `).join("");
  const server = await httpServer((_, response) => void response.end(text));
  const ours = await transportTo(server).open(get("/"));
  const notes = new (class extends Notes {
    override onChunk(chunk: Buffer): void {
      super.onChunk(chunk);
      ours.pause();
      setImmediate(() => ours.resume());
    }
  })();
  ours.receive(notes);
  await notes.over;
  expect([notes.text === text, notes.told.at(-1)]).toEqual([true, ["end"]]);
});

test("what is on offer and nobody reads at once is there for a later read", () => {
  const socket = new Socket();
  const line = new Line();
  line.fit(socket);
  line.lend(true);
  const memory = Buffer.from("one");
  line.take(socket, memory);
  memory.fill("?");
  expect(String(socket.read())).toBe("one");
  socket.destroy();
});
