import { Socket } from "node:net";
import { expect, test } from "vitest";
import { settled } from "../base/index.ts";
import { ConnectionTap } from "./connection-tap.ts";
import { get, httpServer, tcpServer, transportTo } from "./local-server.fixture.ts";
import { Notes, opened } from "./open-response.fixture.ts";
import { connectProxy } from "./proxies.fixture.ts";
import type { Transport } from "./transport.ts";

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
  const line = new ConnectionTap();
  line.attach(socket);
  line.reuseReadBuffer(true);
  const memory = Buffer.from("one");
  line.onRead(socket, memory);
  memory.fill("?");
  expect(String(socket.read())).toBe("one");
  socket.destroy();
});

/** Answers the only request with `pieces`, each sent when the one before has left. */
async function answering(...pieces: readonly string[]): Promise<Transport> {
  const server = await tcpServer((socket) => {
    socket.setNoDelay(true);
    socket.once("data", () => void writeEach(socket, pieces));
  });
  return transportTo(server);
}

async function writeEach(socket: Socket, pieces: readonly string[]): Promise<void> {
  for (const piece of pieces) {
    await new Promise((resolve) => socket.write(piece, resolve));
    await settled();
  }
}

async function toldOf(transport: Transport): Promise<readonly unknown[]> {
  const notes = new Notes();
  (await transport.open(get("/"))).receive(notes);
  await notes.over;
  return [notes.text, notes.told.at(-1)];
}

const head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

test("a body in chunks comes whole, wherever its head is cut and whatever stands before and behind", async () => {
  const text = `HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n${head}3\r\none\r\n3;x=y\r\ntwo\r\n0\r\nX-Trailer: 1\r\n\r\n`;
  for (let at = 1; at < text.length; at += 3) {
    const transport = await answering(text.slice(0, at), text.slice(at));
    expect(await toldOf(transport), `cut at ${at}`).toEqual(["onetwo", ["end"]]);
  }
});

test("chunks that are none are an error that says so, after what came before them", async () => {
  const transport = await answering(`${head}3\r\none\r\n`, "what?");
  expect(await toldOf(transport)).toEqual([
    "one",
    expect.objectContaining({
      name: "ConnectionError",
      code: "HPE_INVALID_CHUNK_SIZE",
      message: expect.stringContaining('expected the size of a chunk in a chunked body, got "w"'),
    }),
  ]);
});

test("a body in chunks through a proxy comes whole too", async () => {
  const text = Array.from({ length: 20_000 }, (_, at) => `line ${at}\n`);
  const server = await httpServer((_, response) => {
    for (const line of text) response.write(line);
    response.end();
  });
  const proxy = await connectProxy();
  const told = await toldOf(transportTo(server, { proxyUrl: `http://${proxy.host}` }));
  expect([told[0] === text.join(""), told[1]]).toEqual([true, ["end"]]);
});
