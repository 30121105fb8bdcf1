import { expect, test } from "vitest";
import {
  added,
  bookmark,
  deleted,
  error,
  initialEnd,
  modified,
  Reflected,
  watched,
} from "./reflected.fixture.ts";
import { lost, refused, type Scripted, Stream } from "./scripted-transport.fixture.ts";

test("what changes is told in its order, and every bookmark", async () => {
  await using both = await watched();
  const { reflected, stream } = both;
  stream.lines(added("a", "11"), modified("a", "12"), bookmark("15"), deleted("a", "16"));
  expect(await reflected.told()).toEqual(["added a@11", "modified a@12", "bookmark 15", "deleted a@16"]);
});

test("what comes in one chunk is one batch", async () => {
  await using both = await watched();
  const { reflected, stream } = both;
  reflected.sink.batches.length = 0;
  stream.lines(added("a", "11"), added("b", "12"));
  stream.lines(added("c", "13"));
  expect(reflected.sink.batches).toEqual([2, 1]);
});

test("a watch that ends goes on from the last that was told, at once", async () => {
  await using both = await watched();
  const { reflected, stream } = both;
  await reflected.clock.advance(5000);
  stream.lines(added("a", "11")).end();
  expect(await reflected.asked()).toEqual(["watch 11"]);
});

test("watches are asked for five to ten minutes, each for another time, so that they do not end together", async () => {
  const streams = Array.from({ length: 20 }, () => new Stream());
  await using both = await watched(streams);
  const { reflected } = both;
  for (const stream of [both.stream, ...streams]) {
    await reflected.clock.advance(5000);
    stream.end();
  }
  await reflected.clock.advance(0);
  const limits = reflected.transport.paths.map((path) =>
    Number(new URL(path, "http://host").searchParams.get("timeoutSeconds")),
  );
  expect(limits).toHaveLength(21);
  expect(limits.filter((seconds) => !(seconds >= 300 && seconds <= 600))).toEqual([]);
  expect(new Set(limits).size).toBeGreaterThan(10);
});

test("a watch that ends goes on from its last bookmark", async () => {
  await using both = await watched();
  const { reflected, stream } = both;
  stream.lines(added("a", "11"), bookmark("20"));
  await reflected.clock.advance(5000);
  stream.end();
  expect(await reflected.asked()).toEqual(["watch 20"]);
});

test("the last event is where a watch goes on, if versions have no order", async () => {
  await using both = await watched();
  const { reflected, stream } = both;
  stream.lines(added("a", "x30"), deleted("b", "x11"));
  await reflected.clock.advance(5000);
  stream.end();
  expect(await reflected.asked()).toEqual(["watch x11"]);
});

test("a watch that ends within two seconds with nothing in it counts as gone: all is asked for anew", async () => {
  const first = new Stream();
  await using both = await watched([first]);
  const { reflected, stream } = both;
  await reflected.clock.advance(2000);
  stream.end();
  expect(await reflected.asked()).toEqual(["watch 10"]);
  await reflected.clock.advance(1999);
  first.end();
  const { asked, afterMs } = await reflected.next();
  expect(asked).toEqual(["stream 10"]);
  expect(afterMs).toBeGreaterThanOrEqual(800);
});

test("a watch that ends within two seconds with something in it goes on after a while", async () => {
  await using both = await watched();
  const { reflected, stream } = both;
  stream.lines(added("a", "11")).end();
  const { asked, afterMs } = await reflected.next();
  expect(asked).toEqual(["watch 11"]);
  expect(afterMs).toBeGreaterThanOrEqual(800);
});

test("a connection that breaks goes on from where it was, without a list", async () => {
  await using both = await watched();
  const { reflected, stream } = both;
  await reflected.clock.advance(5000);
  stream.lines(added("a", "11")).cut();
  expect(await reflected.asked()).toEqual(["watch 11"]);
});

test("a connection that breaks at once again and again is waited for", async () => {
  const breaking = Array.from({ length: 4 }, () => new Stream().cut());
  await using both = await watched(breaking);
  const { reflected, stream } = both;
  stream.cut();
  for (let tries = 0; tries < 5; tries++) {
    const { asked, afterMs } = await reflected.next();
    expect(asked).toEqual(["watch 10"]);
    expect(afterMs).toBeGreaterThanOrEqual(800);
  }
});

test("a watch in which nothing comes for 70 s is replaced at once, from where it was", async () => {
  await using both = await watched();
  const { reflected, stream } = both;
  await reflected.clock.advance(60_000);
  stream.lines(bookmark("20"));
  await reflected.clock.advance(69_999);
  expect(await reflected.asked()).toEqual([]);
  await reflected.clock.advance(1);
  expect(await reflected.asked()).toEqual(["watch 20"]);
  expect(stream.closed).toBe(true);
});

test.each([
  ["expired", error(410, "Expired")],
  ["gone", error(410, "Gone")],
  ["failed", error(500, "InternalError")],
  ["corrupt", error(500, "StoreReadError")],
  ["of no known kind", error(418, "Teapot")],
])("a watch that says it is %s is over: all is asked for anew, after a while", async (_, line) => {
  const again = new Stream().lines(added("b", "20"), initialEnd("20"));
  await using both = await watched([again]);
  const { reflected, stream } = both;
  await reflected.clock.advance(5000);
  stream.lines(added("a", "11"), line, added("c", "12"));
  const { asked, afterMs } = await reflected.next();
  expect(asked).toEqual(["stream 11"]);
  expect(afterMs).toBeGreaterThanOrEqual(800);
  expect(await reflected.told()).toEqual(["added a@11", "replace 20 b@20"]);
  expect(stream.closed).toBe(true);
});

test("a server that says it has no time is asked for the same watch again, after a while", async () => {
  await using both = await watched([new Stream().lines(error(429, "TooManyRequests"))]);
  const { reflected, stream } = both;
  await reflected.clock.advance(5000);
  stream.lines(error(429, "TooManyRequests"));
  for (let tries = 0; tries < 2; tries++) {
    const { asked, afterMs } = await reflected.next();
    expect(asked).toEqual(["watch 10"]);
    expect(afterMs).toBeGreaterThanOrEqual(800);
  }
});

test.each<[string, Scripted]>([
  ["has no time", refused({ code: 429, reason: "TooManyRequests" })],
  ["is not available", refused({ code: 503, reason: "ServiceUnavailable" })],
  ["is not there", lost("ECONNREFUSED")],
  ["breaks off", lost("ECONNRESET")],
])("however often a server %s, nothing is listed anew", async (_, refusal) => {
  await using both = await watched(Array.from({ length: 5 }, () => refusal));
  const { reflected, stream } = both;
  await reflected.clock.advance(5000);
  stream.end();
  for (let tries = 0; tries < 6; tries++) expect((await reflected.next()).asked).toEqual(["watch 10"]);
});

test.each([
  [403, "Forbidden"],
  [404, "NotFound"],
  [410, "Expired"],
  [500, "InternalError"],
])(
  "a watch that is refused with %s %s keeps what is there, and all is asked for anew",
  async (code, reason) => {
    await using both = await watched([refused({ code, reason })]);
    const { reflected, stream } = both;
    await reflected.clock.advance(5000);
    stream.end();
    expect(await reflected.asked()).toEqual(["watch 10"]);
    expect((await reflected.next()).asked).toEqual(["stream 10"]);
    expect(await reflected.told()).toEqual([]);
  },
);

test("an object of another kind is set aside, and what follows is told", async () => {
  await using both = await watched();
  const { reflected, stream } = both;
  const metadata = { name: "odd", namespace: "home", resourceVersion: "11" };
  stream.lines({ type: "ADDED", object: { kind: "Pod", metadata } }, deleted("a", "12"), added("b", "13"));
  expect(await reflected.told()).toEqual(["undecodable home/odd 11", "deleted a@12", "added b@13"]);
});

test("a watch goes on after what could not be read", async () => {
  await using both = await watched();
  const { reflected, stream } = both;
  const metadata = { name: "odd", namespace: "home", resourceVersion: "11" };
  stream.lines({ type: "ADDED", object: { kind: "Pod", metadata } });
  await reflected.clock.advance(5000);
  stream.end();
  expect(await reflected.asked()).toEqual(["watch 11"]);
});

test.each([
  ["no JSON", "<html>"],
  ["no event", '{"kind":"ConfigMap"}'],
  ["an event of no known type", '{"type":"MOVED","object":{"metadata":{"name":"a","resourceVersion":"11"}}}'],
  ["a Table", '{"type":"ADDED","object":{"kind":"Table","metadata":{"resourceVersion":"11"},"rows":[]}}'],
])("after a line that is %s there is no telling what changed: all is asked for anew", async (_, line) => {
  await using both = await watched();
  const { reflected, stream } = both;
  stream.text(`${line}\n`);
  const { asked, afterMs } = await reflected.next();
  expect(asked).toEqual(["stream 10"]);
  expect(afterMs).toBeGreaterThanOrEqual(800);
  expect((await reflected.told()).map((told) => told.split(" ")[0])).toEqual(["undecodable"]);
  expect(stream.closed).toBe(true);
});

test("a line that breaks off at the end of a body is the connection's fault", async () => {
  await using both = await watched();
  const { reflected, stream } = both;
  await reflected.clock.advance(5000);
  const line = JSON.stringify(modified("a", "12"));
  // ends with a brace, and has all that is looked at before the object is parsed
  stream.lines(added("a", "11")).text(line.slice(0, -1)).end();
  expect(await reflected.asked()).toEqual(["watch 11"]);
  expect(await reflected.told()).toEqual(["added a@11"]);
});

test("a last line without its newline is told if it is whole", async () => {
  await using both = await watched();
  const { reflected, stream } = both;
  await reflected.clock.advance(5000);
  stream.text(JSON.stringify(added("a", "11"))).end();
  expect(await reflected.told()).toEqual(["added a@11"]);
  expect(await reflected.asked()).toEqual(["watch 11"]);
});

test("who ends closes the watch, and is told of no failure", async () => {
  const { reflected, stream } = await watched();
  await reflected.clock.advance(30_000);
  await reflected.end();
  stream.lines(added("a", "11"));
  expect({
    told: await reflected.told(),
    errors: reflected.errors,
    asked: await reflected.asked(),
    closed: stream.closed,
  }).toEqual({ told: [], errors: [], asked: [], closed: true });
});

test("who ends while waiting for another try does not wait", async () => {
  const reflected = new Reflected([lost("ECONNREFUSED")]);
  await reflected.asked();
  expect(reflected.reflector.health.phase).toBe("waiting");
  await reflected.end();
  expect(reflected.reflector.health.phase).toBe("closed");
});
