import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { settled } from "../../base/index.ts";
import { gate, get, httpServer, reply, transportTo } from "../local-server.fixture.ts";
import { readAll } from "../transport.ts";
import { isReset } from "./connection-error.ts";
import { framings, meanwhile, much, Notes, opened } from "./open-response.fixture.ts";

test("chunks are delivered as they arrive, then the end", async () => {
  const { ours, theirs } = await opened();
  const notes = new Notes();
  ours.receive(notes);
  for (const text of ["one", "two", "three"]) {
    theirs.write(text);
    await notes.until(notes.text.length + text.length);
  }
  theirs.end();
  await notes.over;
  expect(notes.received).toEqual(["one", "two", "three", ["end"]]);
});

test("open resolves before the body arrives", async () => {
  const { ours } = await opened({ head: { "x-one": "1" } });
  expect([ours.status, ours.headers["x-one"]]).toEqual([200, "1"]);
});

test("the body that arrives between open and receive is delivered", async () => {
  const text = "0123456789".repeat(50_000);
  const server = await httpServer((_, response) => void response.end(text));
  const transport = transportTo(server);
  const ours = await transport.open(get("/"));
  await transport.send(get("/")); // time for all bytes in transit
  const notes = new Notes();
  ours.receive(notes);
  expect(notes.received).toEqual([]);
  await notes.over;
  expect([notes.text === text, notes.received.at(-1)]).toEqual([true, ["end"]]);
});

test("a body that arrives with its head waits for a later receive", async () => {
  const server = await httpServer((_, response) => reply(response, { small: true }, 403));
  const transport = transportTo(server);
  const late = await transport.open(get("/"));
  await settled();
  const next = await transport.open(get("/"));
  expect([late.status, (await readAll(late, 1000)).toString()]).toEqual([403, '{"small":true}']);
  expect([next.status, (await readAll(next, 1000)).toString()]).toEqual([403, '{"small":true}']);
});

test("each streaming response has its own connection, which ends with it", async () => {
  const theirs: ServerResponse[] = [];
  const server = await httpServer((_, response) => {
    response.flushHeaders();
    theirs.push(response);
  });
  const transport = transportTo(server, { connections: 1 });
  const all = await Promise.all(Array.from({ length: 5 }, () => transport.open(get("/"))));
  expect(server.connections).toBe(5);
  const notes = all.map((ours) => {
    const taken = new Notes();
    ours.receive(taken);
    return taken;
  });
  for (const response of theirs) response.end();
  await Promise.all(notes.map((taken) => taken.over));
  await server.until(0);
});

test("a response can be received, resumed and closed within onChunk of another", async () => {
  const { ours: first, theirs: firstTheirs } = await opened();
  const { ours: second, theirs: secondTheirs } = await opened();
  const { ours: third, server } = await opened();
  const [notes, other] = [new Notes(), new Notes()];
  second.pause();
  second.receive(notes);
  secondTheirs.write("held");
  first.receive({
    onChunk(chunk) {
      second.resume();
      third.close();
      other.onChunk(chunk);
    },
    onEnd: () => {},
    onError: (error) => other.onError(error),
  });
  firstTheirs.write("go");
  await notes.until(4);
  await server.until(0);
  expect([other.received, notes.received]).toEqual([["go"], ["held"]]);
});

test("a truncated body is a reset", async () => {
  const endings: ((theirs: ServerResponse) => unknown)[] = [
    (theirs) => theirs.destroy(),
    (theirs) => theirs.socket?.resetAndDestroy(),
  ];
  const heads = [
    {},
    { connection: "close" },
    { "content-length": "100" },
    { "content-length": "100", connection: "close" },
  ];
  for (const cut of endings) {
    for (const head of heads) {
      const { ours, theirs } = await opened({ head });
      const notes = new Notes();
      ours.receive(notes);
      theirs.write("half");
      await notes.until(4);
      cut(theirs);
      await notes.over;
      expect([notes.received[0], isReset(notes.received[1])], String(notes.received[1])).toEqual([
        "half",
        true,
      ]);
    }
  }
});

test("a connection that breaks before receive is an error for the receiver", async () => {
  const { ours, theirs, server } = await opened();
  theirs.destroy();
  await server.until(0);
  await settled();
  const notes = new Notes();
  ours.receive(notes);
  await notes.over;
  expect(notes.received.map((note) => isReset(note))).toEqual([true]);
});

test("close delivers nothing, is idempotent, and closes the connection without opening another", async () => {
  const { ours, theirs, server } = await opened();
  const notes = new Notes();
  ours.receive(notes);
  theirs.write("some");
  await notes.until(4);
  ours.close();
  ours.close();
  ours.resume();
  await server.until(0);
  await settled();
  expect([notes.received, server.accepted]).toEqual([["some"], 1]);
});

test.each(framings)("after close within a chunk of $name, nothing is delivered", async ({ head }) => {
  const { ours, theirs, server } = await opened({ head: head(10 * much) });
  const notes = new Notes();
  ours.receive({
    onChunk(chunk) {
      notes.onChunk(chunk);
      ours.close();
    },
    onEnd: () => notes.onEnd(),
    onError: (error) => notes.onError(error),
  });
  for (let piece = 0; piece < 10; piece++) theirs.write("x".repeat(much));
  theirs.end();
  await server.until(0);
  await settled();
  expect(notes.received.length).toBe(1);
});

test("after close before receive, nothing is delivered", async () => {
  const { ours, server } = await opened();
  const notes = new Notes();
  ours.close();
  ours.receive(notes);
  await server.until(0);
  await settled();
  expect(notes.received).toEqual([]);
});

test("a response that has ended may be closed", async () => {
  const server = await httpServer((_, response) => reply(response));
  const transport = transportTo(server);
  for (let round = 0; round < 3; round++) {
    const ours = await transport.open(get("/"));
    await readAll(ours, 100);
    ours.close();
    await server.until(0);
  }
});

test("an abort reaches even a paused receiver with its reason, and closes the connection", async () => {
  for (const paused of [false, true]) {
    const stop = new AbortController();
    const { ours, server, theirs } = await opened({ signal: stop.signal });
    const notes = new Notes();
    ours.receive(notes);
    theirs.write("some");
    await notes.until(4);
    if (paused) ours.pause();
    stop.abort(new Error("enough"));
    expect(notes.received).toEqual(["some", stop.signal.reason]);
    await server.until(0);
    await settled();
    expect([notes.received.length, server.accepted]).toEqual([2, 1]);
  }
});

test("an abort between open and receive reaches the receiver", async () => {
  const stop = new AbortController();
  const { ours } = await opened({ signal: stop.signal });
  stop.abort(new Error("enough"));
  const notes = new Notes();
  ours.receive(notes);
  await notes.over;
  expect(notes.received).toEqual([stop.signal.reason]);
});

test("an abort ends the wait for the head, and the connection", async () => {
  const requested = gate();
  const server = await httpServer(() => requested.pass());
  const stop = new AbortController();
  const opening = transportTo(server).open(get("/", { signal: stop.signal }));
  await requested.passed;
  stop.abort(new Error("enough"));
  await expect(opening).rejects.toBe(stop.signal.reason);
  await server.until(0);
});

test("an abort ends the wait for a connection, and closes the connection", async () => {
  const server = await httpServer((_, response) => reply(response));
  const stop = new AbortController();
  const transport = transportTo(server);
  await transport.send(get("/")); // undici is loaded
  const opening = transport.open(get("/", { signal: stop.signal }));
  await Promise.resolve(); // the identity is resolved, the connection is being opened
  stop.abort(new Error("enough"));
  await expect(opening).rejects.toBe(stop.signal.reason);
  await meanwhile(transport);
  await server.until(1); // that of the other requests stays
});

test("an error of a receiver ends the response and is delivered to it", async () => {
  const { ours, theirs, server } = await opened();
  const thrown = new Error("cannot read this");
  const notes = new Notes();
  ours.receive({
    onChunk() {
      throw thrown;
    },
    onEnd: () => notes.onEnd(),
    onError: (error) => notes.onError(error),
  });
  theirs.write("x");
  await notes.over;
  await server.until(0);
  expect(notes.received).toEqual([thrown]);
});

test("a body may pause for longer than responseTimeoutMs", { timeout: 15_000 }, async () => {
  const server = await httpServer((request, response) => {
    if (request.url === "/times-out") return;
    response.flushHeaders();
    request.socket.once("close", () => {});
    silent.pass(response);
  });
  const silent = gate<ServerResponse>();
  const transport = transportTo(server, { responseTimeoutMs: 300 });
  const ours = await transport.open(get("/"));
  const notes = new Notes();
  ours.receive(notes);
  const theirs = await silent.passed;
  // two requests that time out one after the other measure the silence
  for (const _ of [1, 2])
    await expect(transport.open(get("/times-out"))).rejects.toMatchObject({
      code: "UND_ERR_HEADERS_TIMEOUT",
    });
  theirs.end("still here");
  await notes.over;
  expect(notes.received).toEqual(["still here", ["end"]]);
});
