import { connect, type Socket } from "node:net";
import { expect, test } from "vitest";
import { seededRng, settled, VirtualClock } from "../../base/index.ts";
import { createApiServer } from "../api-server.ts";
import { listen } from "../http/listen.ts";
import { testServer } from "../requests.fixture.ts";
import type { Handler, ServerRequest } from "../types/exchange.ts";

const configMaps = "/api/v1/namespaces/default/configmaps";

function requestOf(method: string, target: string, body = ""): ServerRequest {
  const url = new URL(target, "http://localhost");
  return {
    method,
    path: url.pathname,
    query: url.searchParams,
    headers: {},
    body: Buffer.from(body),
    user: { username: "admin", groups: ["system:masters"] },
    signal: new AbortController().signal,
  };
}

/** Returns the chunks that a watch writes. */
async function chunksOf(server: Handler, target: string): Promise<Buffer[]> {
  const response = await server.handle(requestOf("GET", target));
  const chunks: Buffer[] = [];
  if (response.type !== "stream") throw new Error("expected a stream");
  const write = (chunk: Buffer): boolean => chunks.push(chunk) > 0;
  response.start({ write, onDrain: () => {}, end: () => {}, cut: () => {} });
  return chunks;
}

test("an event is encoded once: all watches of its kind and form send the same buffer", async () => {
  const server = createApiServer({ clock: new VirtualClock(), rng: seededRng(1) });
  const targets = [
    `${configMaps}?watch=1&resourceVersion=${server.storage.revision}`,
    `/api/v1/configmaps?watch=1&labelSelector=colour&resourceVersion=${server.storage.revision}`,
  ];
  const watches = await Promise.all(
    Array.from({ length: 100 }, (_, at) => chunksOf(server, targets[at % 2] ?? "")),
  );
  const made = '{"metadata":{"name":"a","labels":{"colour":"red"}}}';
  await server.handle(requestOf("POST", configMaps, made));
  await settled();
  expect(watches.map((chunks) => chunks.length)).toEqual(watches.map(() => 1));
  const [first] = watches[0] ?? [];
  expect(watches.every(([chunk]) => chunk === first)).toBe(true);
  server.close();
});

test("a watcher that never reads blocks no writer, and is ended when its next change is discarded", async () => {
  using test = testServer({ history: { minChanges: 10, maxChanges: 10 } });
  const watch = await test.watch(`${configMaps}?watch=1`);
  watch.pause();
  for (let made = 0; made < 8; made++) {
    await test.object("POST", configMaps, { metadata: { name: `a${made}` } });
  }
  await settled();
  expect(watch.ended).toBe(false);
  for (let made = 0; made < 8; made++) {
    await test.object("POST", configMaps, { metadata: { name: `b${made}` } });
  }
  await settled();
  expect(watch.ended).toBe(true);
  expect((await watch.events()).length).toBeLessThan(8);
  expect(test.clock.timers).toBe(0);
});

/** Opens a watch on a socket of its own and reads nothing. */
function silentWatch(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      socket.pause();
      socket.write(`GET ${configMaps}?watch=1 HTTP/1.1\r\nhost: x\r\n\r\n`, () => resolve(socket));
    });
    socket.on("error", reject);
  });
}

/** Returns the number of bytes until the server closes the connection. */
function restOf(socket: Socket): Promise<number> {
  return new Promise((resolve) => {
    let bytes = 0;
    let last = Buffer.alloc(0);
    socket.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      last = Buffer.concat([last, chunk]).subarray(-5);
      if (last.toString() === "0\r\n\r\n") resolve(bytes);
    });
    socket.resume();
  });
}

test("over HTTP, a watch whose client never reads does not block others and is ended", async () => {
  const server = createApiServer({ rng: seededRng(1), history: { minChanges: 10, maxChanges: 10 } });
  let opened = 0;
  const handle = async (request: ServerRequest): ReturnType<Handler["handle"]> => {
    const response = await server.handle(request);
    opened += 1;
    return response;
  };
  await using listener = await listen({ handle });
  const socket = await silentWatch(listener.url);
  while (opened === 0) await settled();
  const size = 100_000;
  const writes = 400;
  const data = JSON.stringify({ text: "x".repeat(size) });
  for (let made = 0; made < writes; made++) {
    const body = `{"metadata":{"name":"n${made}"},"data":${data}}`;
    expect((await server.handle(requestOf("POST", configMaps, body))).status).toBe(201);
    if (made % 20 === 0) await settled();
  }
  expect(await restOf(socket)).toBeLessThan((size * writes) / 2);
  socket.destroy();
  server.close();
});

test("a watch without changes gets a bookmark every minute", async () => {
  const clock = new VirtualClock();
  const server = createApiServer({ clock, rng: seededRng(1) });
  const secrets = "/api/v1/namespaces/default/secrets?watch=1&allowWatchBookmarks=1";
  const chunks = await chunksOf(server, `${secrets}&resourceVersion=${server.storage.revision}`);
  const heard = (): string[] =>
    chunks.splice(0).map((chunk) => JSON.parse(chunk.toString()).object.metadata.resourceVersion);
  const start = server.storage.revision;
  await clock.advance(60_000);
  expect(heard()).toEqual([String(start)]);
  await server.handle(requestOf("POST", configMaps, '{"metadata":{"name":"a"}}'));
  await clock.advance(60_000);
  expect(heard()).toEqual([String(start + 1)]);
  server.close();
});
