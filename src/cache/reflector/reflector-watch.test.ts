import { expect, test } from "vitest";
import { lost, refused, type Scripted, Stream } from "./scripted-transport.fixture.ts";
import {
  added,
  bookmark,
  deleted,
  error,
  initialEnd,
  modified,
  TestReflector,
  watchingReflector,
} from "./test-reflector.fixture.ts";

test("the sink receives changes and bookmarks in order", async () => {
  await using both = await watchingReflector();
  const { reflector, stream } = both;
  stream.lines(added("a", "11"), modified("a", "12"), bookmark("15"), deleted("a", "16"));
  expect(await reflector.received()).toEqual(["added a@11", "updated a@12", "bookmark 15", "deleted a@16"]);
});

test("the events of one chunk are one batch", async () => {
  await using both = await watchingReflector();
  const { reflector, stream } = both;
  reflector.sink.batches.length = 0;
  stream.lines(added("a", "11"), added("b", "12"));
  stream.lines(added("c", "13"));
  expect(reflector.sink.batches).toEqual([2, 1]);
});

test("a watch that ends is resumed at once from the last event", async () => {
  await using both = await watchingReflector();
  const { reflector, stream } = both;
  await reflector.clock.advance(5000);
  stream.lines(added("a", "11")).end();
  expect(await reflector.requests()).toEqual(["watch 11"]);
});

test("watches request random timeouts of five to ten minutes, so that they do not end together", async () => {
  const streams = Array.from({ length: 20 }, () => new Stream());
  await using both = await watchingReflector(streams);
  const { reflector } = both;
  for (const stream of [both.stream, ...streams]) {
    await reflector.clock.advance(5000);
    stream.end();
  }
  await reflector.clock.advance(0);
  const limits = reflector.transport.paths.map((path) =>
    Number(new URL(path, "http://host").searchParams.get("timeoutSeconds")),
  );
  expect(limits).toHaveLength(21);
  expect(limits.filter((seconds) => !(seconds >= 300 && seconds <= 600))).toEqual([]);
  expect(new Set(limits).size).toBeGreaterThan(10);
});

test("a watch that ends is resumed from its last bookmark", async () => {
  await using both = await watchingReflector();
  const { reflector, stream } = both;
  stream.lines(added("a", "11"), bookmark("20"));
  await reflector.clock.advance(5000);
  stream.end();
  expect(await reflector.requests()).toEqual(["watch 20"]);
});

test("with versions that cannot be compared, a watch is resumed from the last event", async () => {
  await using both = await watchingReflector();
  const { reflector, stream } = both;
  stream.lines(added("a", "x30"), deleted("b", "x11"));
  await reflector.clock.advance(5000);
  stream.end();
  expect(await reflector.requests()).toEqual(["watch x11"]);
});

test("a watch that ends within two seconds without an event leads to a relist", async () => {
  const first = new Stream();
  await using both = await watchingReflector([first]);
  const { reflector, stream } = both;
  await reflector.clock.advance(2000);
  stream.end();
  expect(await reflector.requests()).toEqual(["watch 10"]);
  await reflector.clock.advance(1999);
  first.end();
  const { requests, afterMs } = await reflector.next();
  expect(requests).toEqual(["stream 10"]);
  expect(afterMs).toBeGreaterThanOrEqual(800);
});

test("a watch that ends within two seconds with events is resumed after a backoff", async () => {
  await using both = await watchingReflector();
  const { reflector, stream } = both;
  stream.lines(added("a", "11")).end();
  const { requests, afterMs } = await reflector.next();
  expect(requests).toEqual(["watch 11"]);
  expect(afterMs).toBeGreaterThanOrEqual(800);
});

test("a watch whose connection breaks is resumed without a list", async () => {
  await using both = await watchingReflector();
  const { reflector, stream } = both;
  await reflector.clock.advance(5000);
  stream.lines(added("a", "11")).cut();
  expect(await reflector.requests()).toEqual(["watch 11"]);
});

test("connections that break at once are requested with backoff", async () => {
  const breaking = Array.from({ length: 4 }, () => new Stream().cut());
  await using both = await watchingReflector(breaking);
  const { reflector, stream } = both;
  stream.cut();
  for (let tries = 0; tries < 5; tries++) {
    const { requests, afterMs } = await reflector.next();
    expect(requests).toEqual(["watch 10"]);
    expect(afterMs).toBeGreaterThanOrEqual(800);
  }
});

test("a watch that is silent for 70 s is resumed at once on another connection", async () => {
  await using both = await watchingReflector();
  const { reflector, stream } = both;
  await reflector.clock.advance(60_000);
  stream.lines(bookmark("20"));
  await reflector.clock.advance(69_999);
  expect(await reflector.requests()).toEqual([]);
  await reflector.clock.advance(1);
  expect(await reflector.requests()).toEqual(["watch 20"]);
  expect(stream.closed).toBe(true);
});

test.each([
  ["expired", error(410, "Expired")],
  ["gone", error(410, "Gone")],
  ["failed", error(500, "InternalError")],
  ["corrupt", error(500, "StoreReadError")],
  ["of no known kind", error(418, "Teapot")],
])("a watch that ends with the error %s leads to a relist after a backoff", async (_, line) => {
  const again = new Stream().lines(added("b", "20"), initialEnd("20"));
  await using both = await watchingReflector([again]);
  const { reflector, stream } = both;
  await reflector.clock.advance(5000);
  stream.lines(added("a", "11"), line, added("c", "12"));
  const { requests, afterMs } = await reflector.next();
  expect(requests).toEqual(["stream 11"]);
  expect(afterMs).toBeGreaterThanOrEqual(800);
  expect(await reflector.received()).toEqual(["added a@11", "replace 20 b@20"]);
  expect(stream.closed).toBe(true);
});

test("a throttled watch is requested again after a backoff", async () => {
  await using both = await watchingReflector([new Stream().lines(error(429, "TooManyRequests"))]);
  const { reflector, stream } = both;
  await reflector.clock.advance(5000);
  stream.lines(error(429, "TooManyRequests"));
  for (let tries = 0; tries < 2; tries++) {
    const { requests, afterMs } = await reflector.next();
    expect(requests).toEqual(["watch 10"]);
    expect(afterMs).toBeGreaterThanOrEqual(800);
  }
});

test.each<[string, Scripted]>([
  ["has no time", refused({ code: 429, reason: "TooManyRequests" })],
  ["is not available", refused({ code: 503, reason: "ServiceUnavailable" })],
  ["is not there", lost("ECONNREFUSED")],
  ["breaks off", lost("ECONNRESET")],
])("a server that repeatedly %s causes no relist", async (_, refusal) => {
  await using both = await watchingReflector(Array.from({ length: 5 }, () => refusal));
  const { reflector, stream } = both;
  await reflector.clock.advance(5000);
  stream.end();
  for (let tries = 0; tries < 6; tries++) expect((await reflector.next()).requests).toEqual(["watch 10"]);
});

test.each([
  [403, "Forbidden"],
  [404, "NotFound"],
  [410, "Expired"],
  [500, "InternalError"],
])("a watch that is refused with %s %s keeps the objects and leads to a relist", async (code, reason) => {
  await using both = await watchingReflector([refused({ code, reason })]);
  const { reflector, stream } = both;
  await reflector.clock.advance(5000);
  stream.end();
  expect(await reflector.requests()).toEqual(["watch 10"]);
  expect((await reflector.next()).requests).toEqual(["stream 10"]);
  expect(await reflector.received()).toEqual([]);
});

test("an object of another kind is undecodable, and later events reach the sink", async () => {
  await using both = await watchingReflector();
  const { reflector, stream } = both;
  const metadata = { name: "odd", namespace: "home", resourceVersion: "11" };
  stream.lines({ type: "ADDED", object: { kind: "Pod", metadata } }, deleted("a", "12"), added("b", "13"));
  expect(await reflector.received()).toEqual(["undecodable home/odd 11", "deleted a@12", "added b@13"]);
});

test("a watch continues after an undecodable object", async () => {
  await using both = await watchingReflector();
  const { reflector, stream } = both;
  const metadata = { name: "odd", namespace: "home", resourceVersion: "11" };
  stream.lines({ type: "ADDED", object: { kind: "Pod", metadata } });
  await reflector.clock.advance(5000);
  stream.end();
  expect(await reflector.requests()).toEqual(["watch 11"]);
});

test.each([
  ["no JSON", "<html>"],
  ["no event", '{"kind":"ConfigMap"}'],
  ["an event of no known type", '{"type":"MOVED","object":{"metadata":{"name":"a","resourceVersion":"11"}}}'],
  ["a Table", '{"type":"ADDED","object":{"kind":"Table","metadata":{"resourceVersion":"11"},"rows":[]}}'],
])("a line that is %s leads to a relist", async (_, line) => {
  await using both = await watchingReflector();
  const { reflector, stream } = both;
  stream.text(`${line}\n`);
  const { requests, afterMs } = await reflector.next();
  expect(requests).toEqual(["stream 10"]);
  expect(afterMs).toBeGreaterThanOrEqual(800);
  expect((await reflector.received()).map((told) => told.split(" ")[0])).toEqual(["undecodable"]);
  expect(stream.closed).toBe(true);
});

test("an incomplete last line is a broken connection", async () => {
  await using both = await watchingReflector();
  const { reflector, stream } = both;
  await reflector.clock.advance(5000);
  const line = JSON.stringify(modified("a", "12"));
  // ends with a brace, and has everything that the scan reads before the object is parsed
  stream.lines(added("a", "11")).text(line.slice(0, -1)).end();
  expect(await reflector.requests()).toEqual(["watch 11"]);
  expect(await reflector.received()).toEqual(["added a@11"]);
});

test("a complete last line without a newline is accepted", async () => {
  await using both = await watchingReflector();
  const { reflector, stream } = both;
  await reflector.clock.advance(5000);
  stream.text(JSON.stringify(added("a", "11"))).end();
  expect(await reflector.received()).toEqual(["added a@11"]);
  expect(await reflector.requests()).toEqual(["watch 11"]);
});

test("an abort closes the watch and reports no failure", async () => {
  const { reflector, stream } = await watchingReflector();
  await reflector.clock.advance(30_000);
  await reflector.end();
  stream.lines(added("a", "11"));
  expect({
    told: await reflector.received(),
    errors: reflector.errors,
    requests: await reflector.requests(),
    closed: stream.closed,
  }).toEqual({ told: [], errors: [], requests: [], closed: true });
});

test("an abort ends a backoff", async () => {
  const reflector = new TestReflector([lost("ECONNREFUSED")]);
  await reflector.requests();
  expect(reflector.reflector.health.phase).toBe("waiting");
  await reflector.end();
  expect(reflector.reflector.health.phase).toBe("closed");
});
