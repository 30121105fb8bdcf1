import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { isReset } from "./connection-error.ts";
import { gate, get, httpServer, reply, transportTo } from "./local-server.fixture.ts";
import { meanwhile, Notes } from "./open-response.fixture.ts";
import { connectProxy } from "./proxies.fixture.ts";
import type { ApiRequest, BodyReader } from "./transport.ts";

const list: ApiRequest = get("/api/v1/pods?limit=500", { compressible: true });
/** Compresses to a hundredth, and is more than any buffer on the way. */
const text = Array.from({ length: 100_000 }, (_, index) => `{"name":"pod-${index}"}`).join(",");
const zipped = gzipSync(text);
const inGzip = { "content-encoding": "gzip" };

/** Responds with `body` in gzip, in pieces of `pieceBytes`. */
function respond(body: Buffer, pieceBytes = 1000): (_: IncomingMessage, response: ServerResponse) => void {
  return (_, response) => {
    response.writeHead(200, inGzip);
    for (let at = 0; at < body.length; at += pieceBytes) response.write(body.subarray(at, at + pieceBytes));
    response.end();
  };
}

/** Collects what a list reader would be given. */
class Collected implements BodyReader {
  text = "";

  push(chunk: Buffer): void {
    this.text += chunk.toString();
  }
}

test("gzip is requested for compressible responses of servers that are not on loopback", async () => {
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

test("a body in gzip is decoded, whole or as it arrives, and its connection is used again", async () => {
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

test("an opened body in gzip is decoded as it arrives", async () => {
  const server = await httpServer(respond(zipped));
  const opened = await transportTo(server, { gzip: true }).open(list);
  const notes = new Notes();
  opened.receive(notes);
  await notes.over;
  expect([notes.text === text, notes.told.at(-1), opened.headers["content-encoding"]]).toEqual([
    true,
    ["end"],
    undefined,
  ]);
});

test("what the server sent so far is decoded before the rest arrives", async () => {
  const asked = gate<ServerResponse>();
  const server = await httpServer((_, response) => asked.pass(response));
  const opening = transportTo(server, { gzip: true }).open(list);
  const theirs = await asked.passed;
  theirs.writeHead(200, inGzip).write(zipped.subarray(0, zipped.length / 2));
  const notes = new Notes();
  (await opening).receive(notes);
  await notes.until(text.length / 4);
  theirs.end(zipped.subarray(zipped.length / 2));
  await notes.over;
  expect(notes.text === text).toBe(true);
});

test("a server that ignores gzip is read as it is", async () => {
  const server = await httpServer((_, response) => response.end(text));
  const transport = transportTo(server, { gzip: true });
  const notes = new Notes();
  (await transport.open(list)).receive(notes);
  await notes.over;
  expect([(await transport.send(list)).body.toString() === text, notes.text === text]).toEqual([true, true]);
});

test("a caller that names encodings itself gets the body as it was sent", async () => {
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
    message: /got Z_DATA_ERROR \(.*\): the gzip of the answer is corrupt; .* Set http\.gzip to false/,
    reset: false,
  },
  {
    what: "no gzip at all",
    body: Buffer.from(text.slice(0, 5000)),
    message: /got Z_DATA_ERROR \(incorrect header check\): the gzip of the answer is corrupt/,
    reset: false,
  },
  {
    what: "truncated",
    body: zipped.subarray(0, zipped.length - 100),
    message: /got Z_BUF_ERROR \(unexpected end of file\): the answer broke off/,
    reset: true,
  },
])("a body that is $what is one error that names the request", async ({ body, message, reset }) => {
  const server = await httpServer(respond(body));
  const transport = transportTo(server, { gzip: true });
  const notes = new Notes();
  (await transport.open(list)).receive(notes);
  const sent = await transport
    .send({ ...list, reader: () => new Collected() })
    .catch((error: unknown) => error);
  await notes.over;
  for (const error of [sent, notes.told.at(-1)]) {
    expect(String(error)).toMatch(message);
    expect(String(error)).toContain("expected an answer to GET /api/v1/pods?limit=500 from http://127.0.0.1");
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
  expect([isReset(notes.told.at(-1)), isReset(sent)]).toEqual([true, true]);
});

test("the decoded body of a request is bounded", async () => {
  const server = await httpServer(respond(zipped));
  const transport = transportTo(server, { gzip: true, maxBodyBytes: text.length - 1 });
  await expect(transport.send(list)).rejects.toThrow(
    `BODY_TOO_LARGE (a body of more than ${text.length - 1} bytes`,
  );
  const enough = transportTo(server, { gzip: true, maxBodyBytes: text.length });
  expect((await enough.send(list)).body.length).toBe(text.length);
});

test("a reader that pauses gets nothing until it resumes, and the server is slowed down", async () => {
  /** Does not compress, so that the network has to stop as well. */
  const noise = Buffer.from(Array.from({ length: 8 * 1024 * 1024 }, (_, index) => (index * index * 31) >> 7));
  const sent = gzipSync(noise, { level: 0 });
  const asked = gate<ServerResponse>();
  const server = await httpServer((request, response) =>
    request.url === "/meanwhile" ? reply(response) : asked.pass(response),
  );
  const transport = transportTo(server, { gzip: true });
  const opening = transport.open(list);
  const theirs = await asked.passed;
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

test("an aborted request and a closed response end without a word more", async () => {
  const served = gate<ServerResponse>();
  const server = await httpServer((_, response) => {
    response.writeHead(200, inGzip).write(zipped.subarray(0, 5000));
    served.pass(response);
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
  const told = notes.told.length;
  await server.until(0);
  expect(notes.told).toHaveLength(told);
});

test("what a reader throws ends the response, and is the error it gets", async () => {
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
