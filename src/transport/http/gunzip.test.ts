import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { gate, get, httpServer, reply, transportTo } from "../local-server.fixture.ts";
import type { ApiRequest, BodyReader } from "../transport.ts";
import { isReset } from "./connection-error.ts";
import { meanwhile, Notes } from "./open-response.fixture.ts";
import { connectProxy } from "./proxies.fixture.ts";

const list: ApiRequest = get("/api/v1/pods?limit=500", { compressible: true });
/** Compresses to one percent, and is larger than any buffer in between. */
const text = Array.from({ length: 100_000 }, (_, index) => `{"name":"pod-${index}"}`).join(",");
const zipped = gzipSync(text);
const inGzip = { "content-encoding": "gzip" };

/** Responds with a gzip body, in chunks of `pieceBytes`. */
function respond(body: Buffer, pieceBytes = 1000): (_: IncomingMessage, response: ServerResponse) => void {
  return (_, response) => {
    response.writeHead(200, inGzip);
    for (let at = 0; at < body.length; at += pieceBytes) response.write(body.subarray(at, at + pieceBytes));
    response.end();
  };
}

/** Collects the bytes that a list reader would receive. */
class Collected implements BodyReader {
  text = "";

  push(chunk: Buffer): void {
    this.text += chunk.toString();
  }
}

test("gzip is requested for compressible responses, except from servers on loopback", async () => {
  const encodings: unknown[] = [];
  const server = await httpServer((request, response) => {
    encodings.push(request.headers["accept-encoding"]);
    response.end("plain");
  });
  const { host: proxy } = await connectProxy();
  const remote = { host: "kubernetes.example", proxyUrl: `http://${proxy}` };
  const transports = [
    transportTo(server, remote),
    transportTo(server, { ...remote, disableCompression: true }),
    transportTo(server, { ...remote, gzip: false }),
    transportTo(server),
    transportTo(server, { gzip: true }),
  ];
  for (const transport of transports) {
    await transport.send(list);
    (await transport.open(list)).close();
  }
  const [transport = transportTo(server)] = transports;
  await transport.send(get("/api/v1/pods/one"));
  (await transport.open(get("/api/v1/pods?watch=true"))).close();
  const both = (encoding: string | undefined) => [encoding, encoding];
  expect(encodings).toEqual(
    ["gzip", undefined, undefined, undefined, "gzip", undefined].flatMap((encoding) => both(encoding)),
  );
});

test("a gzip body is decompressed, buffered or with a reader, and its connection is reused", async () => {
  const server = await httpServer(respond(zipped));
  const transport = transportTo(server, { gzip: true, connections: 1 });
  const whole = await transport.send(list);
  const collected = new Collected();
  const read = await transport.send({ ...list, reader: () => collected });
  expect([whole.body.toString() === text, collected.text === text, read.body.length]).toEqual([
    true,
    true,
    0,
  ]);
  expect([whole.bodyBytes, read.bodyBytes]).toEqual([text.length, text.length]);
  expect([whole.headers["content-encoding"], server.accepted]).toEqual([undefined, 1]);
});

test("an opened gzip body is decompressed as it arrives", async () => {
  const server = await httpServer(respond(zipped));
  const opened = await transportTo(server, { gzip: true }).open(list);
  const notes = new Notes();
  opened.receive(notes);
  await notes.over;
  expect([notes.text === text, notes.received.at(-1), opened.headers["content-encoding"]]).toEqual([
    true,
    ["end"],
    undefined,
  ]);
});

test("received bytes are decompressed before the rest arrives", async () => {
  const requested = gate<ServerResponse>();
  const server = await httpServer((_, response) => requested.pass(response));
  const opening = transportTo(server, { gzip: true }).open(list);
  const theirs = await requested.passed;
  theirs.writeHead(200, inGzip).write(zipped.subarray(0, zipped.length / 2));
  const notes = new Notes();
  (await opening).receive(notes);
  await notes.until(text.length / 4);
  theirs.end(zipped.subarray(zipped.length / 2));
  await notes.over;
  expect(notes.text === text).toBe(true);
});

test("a body without gzip is read unchanged", async () => {
  const server = await httpServer((_, response) => response.end(text));
  const transport = transportTo(server, { gzip: true });
  const notes = new Notes();
  (await transport.open(list)).receive(notes);
  await notes.over;
  expect([(await transport.send(list)).body.toString() === text, notes.text === text]).toEqual([true, true]);
});

test("a request with its own accept-encoding gets the body as it was sent", async () => {
  const server = await httpServer(respond(zipped));
  const request = { ...list, headers: { "accept-encoding": "gzip" } };
  const { body, headers } = await transportTo(server, { gzip: true }).send(request);
  expect([body.equals(zipped), headers["content-encoding"]]).toEqual([true, "gzip"]);
});

const corrupt = Buffer.concat([zipped.subarray(0, 500), Buffer.alloc(500, 7), zipped.subarray(1000)]);

test.each([
  {
    what: "corrupt",
    body: corrupt,
    message: /got Z_DATA_ERROR \(.*\): the gzip body is corrupt; .* Set http\.gzip to false/,
    reset: false,
  },
  {
    what: "no gzip at all",
    body: Buffer.from(text.slice(0, 5000)),
    message: /got Z_DATA_ERROR \(incorrect header check\): the gzip body is corrupt/,
    reset: false,
  },
  {
    what: "truncated",
    body: zipped.subarray(0, zipped.length - 100),
    message: /got Z_BUF_ERROR \(unexpected end of file\): the response is incomplete/,
    reset: true,
  },
])("a body that is $what is an error that names the request", async ({ body, message, reset }) => {
  const server = await httpServer(respond(body));
  const transport = transportTo(server, { gzip: true });
  const notes = new Notes();
  (await transport.open(list)).receive(notes);
  const sent = await transport
    .send({ ...list, reader: () => new Collected() })
    .catch((error: unknown) => error);
  await notes.over;
  for (const error of [sent, notes.received.at(-1)]) {
    expect(String(error)).toMatch(message);
    expect(String(error)).toContain(
      "expected a response to GET /api/v1/pods?limit=500 from http://127.0.0.1",
    );
    expect(isReset(error)).toBe(reset);
  }
});

test("a connection that breaks in the middle of gzip is a reset", async () => {
  const server = await httpServer((_, response) => {
    const { socket } = response;
    response.writeHead(200, inGzip).write(zipped.subarray(0, 1000), () => socket?.destroySoon());
  });
  const transport = transportTo(server, { gzip: true });
  const notes = new Notes();
  (await transport.open(list)).receive(notes);
  await notes.over;
  const sent = await transport.send(list).catch((error: unknown) => error);
  expect([isReset(notes.received.at(-1)), isReset(sent)]).toEqual([true, true]);
});

test("the decompressed body of a request is limited", async () => {
  const server = await httpServer(respond(zipped));
  const transport = transportTo(server, { gzip: true, maxBodyBytes: text.length - 1 });
  await expect(transport.send(list)).rejects.toThrow(
    `BODY_TOO_LARGE (a body of more than ${text.length - 1} bytes`,
  );
  const enough = transportTo(server, { gzip: true, maxBodyBytes: text.length });
  expect((await enough.send(list)).body.length).toBe(text.length);
});

test("a paused receiver gets nothing until it resumes, and the server is slowed down", async () => {
  /** Does not compress, so that the network has to pause as well. */
  const noise = Buffer.from(Array.from({ length: 8 * 1024 * 1024 }, (_, index) => (index * index * 31) >> 7));
  const sent = gzipSync(noise, { level: 0 });
  const requested = gate<ServerResponse>();
  const server = await httpServer((request, response) =>
    request.url === "/meanwhile" ? reply(response) : requested.pass(response),
  );
  const transport = transportTo(server, { gzip: true });
  const opening = transport.open(list);
  const theirs = await requested.passed;
  theirs.writeHead(200, inGzip).flushHeaders();
  const opened = await opening;
  let bytes = 0;
  const paused = gate<number>();
  const over = gate();
  opened.receive({
    onChunk(chunk) {
      bytes += chunk.length;
      if (bytes < 1024 * 1024 || bytes - chunk.length >= 1024 * 1024) return;
      opened.pause();
      paused.pass(bytes);
    },
    onEnd: () => over.pass(),
    onError: () => over.pass(),
  });
  const flushed = new Promise<void>((resolve) => theirs.end(sent, () => resolve()));
  const pausedAt = await paused.passed;
  const held = meanwhile(transport).then(() => "held");
  const race = await Promise.race([flushed.then(() => "flushed"), held]);
  expect([race, bytes]).toEqual(["held", pausedAt]);
  opened.resume();
  await over.passed;
  expect(bytes).toBe(noise.length);
});

test("an aborted request and a closed response deliver nothing more", async () => {
  const served = gate<ServerResponse>();
  const closed = gate();
  const server = await httpServer((request, response) => {
    response.writeHead(200, inGzip).write(zipped.subarray(0, 5000));
    if (request.headers.connection === "close") request.socket.once("close", () => closed.pass());
    else served.pass(response);
  });
  const transport = transportTo(server, { gzip: true });
  const stop = new AbortController();
  const collected = new Collected();
  const sending = transport.send({ ...list, signal: stop.signal, reader: () => collected });
  await served.passed;
  stop.abort(new Error("enough"));
  await expect(sending).rejects.toThrow("enough");
  const opened = await transport.open(list);
  const notes = new Notes();
  opened.receive(notes);
  await notes.until(1);
  opened.close();
  const received = notes.received.length;
  await closed.passed; // the connection of the opened response
  expect(notes.received).toHaveLength(received);
});

test("an error of a receiver ends the response, and is delivered to it", async () => {
  const server = await httpServer(respond(zipped));
  const opened = await transportTo(server, { gzip: true }).open(list);
  const failed = gate<Error>();
  opened.receive({
    onChunk() {
      opened.pause();
      throw new Error("no more");
    },
    onEnd() {},
    onError: (error) => failed.pass(error),
  });
  expect(String(await failed.passed)).toBe("Error: no more");
});
