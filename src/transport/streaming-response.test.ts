import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { settled } from "../base/index.ts";
import { isReset } from "./connection-error.ts";
import { gate, get, httpServer, reply, transportTo } from "./local-server.fixture.ts";
import { framings, much, Notes, opened } from "./open-response.fixture.ts";
import { readAll } from "./transport.ts";

test("chunks are handed on as they come, then the end", async () => {
  const { ours, theirs } = await opened();
  const notes = new Notes();
  ours.receive(notes);
  for (const text of ["one", "two", "three"]) {
    theirs.write(text);
    await notes.until(notes.text.length + text.length);
  }
  theirs.end();
  await notes.over;
  expect(notes.told).toEqual(["one", "two", "three", ["end"]]);
});

test("the head is there before any of the body", async () => {
  const { ours } = await opened({ head: { "x-one": "1" } });
  expect([ours.status, ours.headers["x-one"]]).toEqual([200, "1"]);
});

test("nothing is lost between open and receive, however much has come by then", async () => {
  const text = "0123456789".repeat(50_000);
  const server = await httpServer((_, response) => void response.end(text));
  const transport = transportTo(server);
  const ours = await transport.open(get("/"));
  await transport.send(get("/")); // time for all that the connection holds
  const notes = new Notes();
  ours.receive(notes);
  expect(notes.told).toEqual([]);
  await notes.over;
  expect([notes.text === text, notes.told.at(-1)]).toEqual([true, ["end"]]);
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

test("one response may be received, resumed and closed from inside another's chunk", async () => {
  const { ours: first, theirs: firstTheirs } = await opened();
  const { ours: second, theirs: secondTheirs } = await opened();
  const { ours: third, server } = await opened();
  const [notes, told] = [new Notes(), new Notes()];
  second.pause();
  second.receive(notes);
  secondTheirs.write("held");
  first.receive({
    onChunk(chunk) {
      second.resume();
      third.close();
      told.onChunk(chunk);
    },
    onEnd: () => {},
    onError: (error) => told.onError(error),
  });
  firstTheirs.write("go");
  await notes.until(4);
  await server.until(0);
  expect([told.told, notes.told]).toEqual([["go"], ["held"]]);
});

test("a body cut short is a reset", async () => {
  const ways: ((theirs: ServerResponse) => unknown)[] = [
    (theirs) => theirs.destroy(),
    (theirs) => theirs.socket?.resetAndDestroy(),
  ];
  const heads = [
    {},
    { connection: "close" },
    { "content-length": "100" },
    { "content-length": "100", connection: "close" },
  ];
  for (const cut of ways) {
    for (const head of heads) {
      const { ours, theirs } = await opened({ head });
      const notes = new Notes();
      ours.receive(notes);
      theirs.write("half");
      await notes.until(4);
      cut(theirs);
      await notes.over;
      expect([notes.told[0], isReset(notes.told[1])], String(notes.told[1])).toEqual(["half", true]);
    }
  }
});

test("a response that broke before receive tells the receiver so", async () => {
  const { ours, theirs, server } = await opened();
  theirs.destroy();
  await server.until(0);
  await settled();
  const notes = new Notes();
  ours.receive(notes);
  await notes.over;
  expect(notes.told.map((note) => isReset(note))).toEqual([true]);
});

test("close is silent, idempotent, and lets the connection go without another in its place", async () => {
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
  expect([notes.told, server.accepted]).toEqual([["some"], 1]);
});

test.each(framings)("closed from inside a chunk of $name, nothing more comes", async ({ head }) => {
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
  expect(notes.told.length).toBe(1);
});

test("closed before receive, the receiver is told nothing", async () => {
  const { ours, server } = await opened();
  const notes = new Notes();
  ours.close();
  ours.receive(notes);
  await server.until(0);
  await settled();
  expect(notes.told).toEqual([]);
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

test("an aborted signal reaches the receiver with its reason, also a paused one, and ends the connection", async () => {
  for (const paused of [false, true]) {
    const stop = new AbortController();
    const { ours, server, theirs } = await opened({ signal: stop.signal });
    const notes = new Notes();
    ours.receive(notes);
    theirs.write("some");
    await notes.until(4);
    if (paused) ours.pause();
    stop.abort(new Error("enough"));
    expect(notes.told).toEqual(["some", stop.signal.reason]);
    await server.until(0);
    await settled();
    expect([notes.told.length, server.accepted]).toEqual([2, 1]);
  }
});

test("a signal aborted between open and receive is told to the receiver", async () => {
  const stop = new AbortController();
  const { ours } = await opened({ signal: stop.signal });
  stop.abort(new Error("enough"));
  const notes = new Notes();
  ours.receive(notes);
  await notes.over;
  expect(notes.told).toEqual([stop.signal.reason]);
});

test("an aborted signal ends the wait for the head, and the connection", async () => {
  const asked = gate();
  const server = await httpServer(() => asked.pass());
  const stop = new AbortController();
  const opening = transportTo(server).open(get("/", { signal: stop.signal }));
  await asked.passed;
  stop.abort(new Error("enough"));
  await expect(opening).rejects.toBe(stop.signal.reason);
  await server.until(0);
});

test("an aborted signal ends the wait for a connection, and the connection when it stands", async () => {
  const server = await httpServer((_, response) => reply(response));
  const stop = new AbortController();
  const transport = transportTo(server);
  await transport.send(get("/")); // undici is loaded
  const opening = transport.open(get("/", { signal: stop.signal }));
  await Promise.resolve(); // past the identity: the connection is being made
  stop.abort(new Error("enough"));
  await expect(opening).rejects.toBe(stop.signal.reason);
  await server.until(2);
  await server.until(1); // that of the first request stays
});

test("what a receiver throws ends the response and is what it is told", async () => {
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
  expect(notes.told).toEqual([thrown]);
});

test("a body may be silent for longer than an answer may take", { timeout: 15_000 }, async () => {
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
  // two that are cut by the same time limit, one after the other, measure the silence
  for (const _ of [1, 2])
    await expect(transport.open(get("/times-out"))).rejects.toMatchObject({
      code: "UND_ERR_HEADERS_TIMEOUT",
    });
  theirs.end("still here");
  await notes.over;
  expect(notes.told).toEqual(["still here", ["end"]]);
});
