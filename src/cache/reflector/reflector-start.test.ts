import { expect, test } from "vitest";
import { lost, refused, Stream } from "./scripted-transport.fixture.ts";
import {
  added,
  bookmark,
  deleted,
  error,
  initialEnd,
  list,
  modified,
  object,
  TestReflector,
} from "./test-reflector.fixture.ts";

const filled = () => new Stream().lines(added("a", "3"), initialEnd("10"));
const invalid = refused({ code: 422, reason: "Invalid" });

test("a reflector starts with a streaming list, which continues as the watch", async () => {
  const stream = new Stream().lines(added("a", "3"), added("b", "2"), initialEnd("10"));
  await using reflector = new TestReflector([stream]);
  expect(await reflector.received()).toEqual(["replace 10 a@3 b@2"]);
  stream.lines(modified("a", "11"), deleted("b", "12"), added("c", "13"));
  expect(await reflector.received()).toEqual(["updated a@11", "deleted b@12", "added c@13"]);
  expect(await reflector.requests()).toEqual(['stream ""']);
});

test("a streaming list requests the newest version and bookmarks, for five to ten minutes", async () => {
  const limits = new Set<boolean>();
  for (let seed = 0; seed < 20; seed++) {
    await using reflector = new TestReflector([], { seed });
    await reflector.received();
    const { pathname, searchParams } = new URL(reflector.transport.paths[0] ?? "", "http://host");
    const { timeoutSeconds, ...query } = Object.fromEntries(searchParams);
    expect({ pathname, query }).toEqual({
      pathname: "/api/v1/configmaps",
      query: {
        watch: "true",
        resourceVersion: "",
        resourceVersionMatch: "NotOlderThan",
        sendInitialEvents: "true",
        allowWatchBookmarks: "true",
      },
    });
    limits.add(Number(timeoutSeconds) >= 300 && Number(timeoutSeconds) <= 600);
  }
  expect(limits).toEqual(new Set([true]));
});

test("the sink receives nothing before the bookmark that ends the initial events", async () => {
  const stream = new Stream();
  await using reflector = new TestReflector([stream]);
  stream.lines(added("a", "3"), added("b", "2"));
  expect(await reflector.received()).toEqual([]);
  expect(reflector.reflector.health).toMatchObject({ phase: "listing", resourceVersion: undefined });
  stream.lines(initialEnd("10"));
  expect(await reflector.received()).toEqual(["replace 10 a@3 b@2"]);
  expect(reflector.reflector.health).toMatchObject({ phase: "watching", resourceVersion: "10" });
});

test("the list contains changes that arrive before the end of the initial events", async () => {
  const stream = new Stream().lines(
    added("a", "1"),
    added("b", "2"),
    added("c", "3"),
    modified("b", "4"),
    deleted("a", "5"),
    added("d", "6"),
    added("a", "7"),
    initialEnd("10"),
  );
  await using reflector = new TestReflector([stream]);
  expect(await reflector.received()).toEqual(["replace 10 b@4 c@3 d@6 a@7"]);
});

test("the sink receives an empty collection", async () => {
  await using reflector = new TestReflector([new Stream().lines(initialEnd("10"))]);
  expect(await reflector.received()).toEqual(["replace 10"]);
});

test("a streaming list that ends early is requested again, and its objects are dropped", async () => {
  const first = new Stream().lines(added("a", "3"));
  await using reflector = new TestReflector([first, new Stream().lines(added("b", "4"), initialEnd("11"))]);
  await reflector.clock.advance(5000);
  first.end();
  expect(await reflector.received()).toEqual(["replace 11 b@4"]);
  expect(await reflector.requests()).toEqual(['stream ""', 'stream ""']);
});

test("after three streaming lists that end early, a paged list is requested", async () => {
  const streams = [1, 2, 3].map(() => new Stream().lines(added("a", "3")).end());
  await using reflector = new TestReflector([...streams, list("10", [object("a", "3")])]);
  expect(await reflector.requests()).toEqual(['stream ""']);
  expect((await reflector.next()).requests).toEqual(['stream ""']);
  expect((await reflector.next()).requests).toEqual(['stream ""', 'list "" limit 500', "watch 10"]);
  expect(await reflector.received()).toEqual(["replace 10 a@3"]);
});

test("after a streaming list that ends at once without an event, a paged list is requested", async () => {
  await using reflector = new TestReflector([new Stream().end(), list("10", [])]);
  expect(await reflector.requests()).toEqual(['stream ""', 'list "" limit 500', "watch 10"]);
});

test("throttled streaming lists are requested again after a backoff", async () => {
  const busy = refused({ code: 429, reason: "TooManyRequests" });
  await using reflector = new TestReflector([busy, busy, filled()]);
  const waits = [await reflector.next(), await reflector.next(), await reflector.next()];
  expect(waits.map(({ requests }) => requests)).toEqual([['stream ""'], ['stream ""'], ['stream ""']]);
  expect(waits.map(({ afterMs }) => afterMs > 0)).toEqual([false, true, true]);
  expect(await reflector.received()).toEqual(["replace 10 a@3"]);
});

test("an unreachable server is asked for streaming lists, not for paged ones", async () => {
  const down = Array.from({ length: 5 }, () => lost("ECONNREFUSED"));
  await using reflector = new TestReflector([...down, filled()]);
  for (let attempts = 0; attempts < 6; attempts++)
    expect((await reflector.next()).requests).toEqual(['stream ""']);
  expect(await reflector.received()).toEqual(["replace 10 a@3"]);
});

test.each([
  [400, "BadRequest"],
  [405, "MethodNotAllowed"],
  [406, "NotAcceptable"],
  [422, "Invalid"],
])("a server that refuses streaming lists with %s %s gets paged lists from then on", async (code, reason) => {
  const watch = new Stream();
  const replies = [refused({ code, reason }), list("10", []), watch, list("20", [])];
  await using reflector = new TestReflector(replies);
  expect(await reflector.requests()).toEqual(['stream ""', 'list "" limit 500', "watch 10"]);
  watch.lines(error(410, "Expired"));
  expect((await reflector.next()).requests).toEqual(["list 10", "watch 20"]);
});

test("after another failure, a paged list is requested once, and streaming lists later", async () => {
  const watch = new Stream();
  const replies = [refused({ code: 500, reason: "InternalError" }), list("10", []), watch];
  await using reflector = new TestReflector(replies);
  expect(await reflector.requests()).toEqual(['stream ""', 'list "" limit 500', "watch 10"]);
  watch.lines(error(410, "Expired"));
  expect((await reflector.next()).requests).toEqual(["stream 10"]);
});

test("a server that never ends the initial events gets paged lists after ten silent seconds", async () => {
  const stream = new Stream();
  const watch = new Stream();
  await using reflector = new TestReflector([stream, list("10", [object("a", "3")]), watch, list("20", [])]);
  await reflector.requests();
  await reflector.clock.advance(9000);
  stream.lines(added("a", "3"));
  await reflector.clock.advance(9999);
  expect(await reflector.requests()).toEqual([]);
  await reflector.clock.advance(1);
  expect(await reflector.requests()).toEqual(['list "" limit 500', "watch 10"]);
  expect(await reflector.received()).toEqual(["replace 10 a@3"]);
  expect(stream.closed).toBe(true);
  watch.lines(error(410, "Expired"));
  expect((await reflector.next()).requests).toEqual(["list 10", "watch 20"]);
});

test.each([
  ["a bookmark", bookmark("8")],
  ["a bookmark that denies it", bookmark("8", "false")],
  ["an update of an object that was not added", modified("b", "8")],
  ["a delete of an object that was not added", deleted("b", "8")],
])("%s before the end of the initial events shows that the server does not send them", async (_, event) => {
  const stream = new Stream();
  const watch = new Stream();
  await using reflector = new TestReflector([stream, list("10", []), watch, list("20", [])]);
  await reflector.requests();
  stream.lines(added("a", "3"), event);
  expect(await reflector.requests()).toEqual(['list "" limit 500', "watch 10"]);
  expect(await reflector.received()).toEqual(["replace 10"]);
  watch.lines(error(410, "Expired"));
  expect((await reflector.next()).requests).toEqual(["list 10", "watch 20"]);
});

test("at one object in three seconds, a paged list is requested after twelve seconds", async () => {
  const stream = new Stream();
  await using reflector = new TestReflector([stream, list("200", [])]);
  await reflector.requests();
  for (const second of [3, 6, 9, 12]) {
    expect(await reflector.requests()).toEqual([]);
    await reflector.clock.advance(3000);
    stream.lines(added(`a${second}`, String(second)));
  }
  expect(await reflector.requests()).toEqual(['list "" limit 500', "watch 200"]);
});

test("initial events that do not end are abandoned after three minutes", async () => {
  const stream = new Stream();
  await using reflector = new TestReflector([stream, list("200", [])]);
  await reflector.requests();
  for (let second = 0; second < 180; second += 1) {
    expect(await reflector.requests()).toEqual([]);
    stream.lines(
      ...Array.from({ length: 10 }, (_, index) => added(`a${index}`, String(second * 10 + index + 1))),
    );
    await reflector.clock.advance(1000);
  }
  stream.lines(added("b", "1900"));
  expect(await reflector.requests()).toEqual(['list "" limit 500', "watch 200"]);
});

test("a slow streaming list is read as long as bytes arrive", async () => {
  const stream = new Stream();
  await using reflector = new TestReflector([stream]);
  const text = `${JSON.stringify(added("a", "3"))}\n${JSON.stringify(initialEnd("10"))}\n`;
  for (const piece of text.match(/.{1,30}/gs) ?? []) {
    await reflector.clock.advance(9000);
    stream.text(piece);
  }
  expect(await reflector.received()).toEqual(["replace 10 a@3"]);
  expect(await reflector.requests()).toEqual(['stream ""']);
});

test("after a broken list, streaming lists are tried again", async () => {
  const replies = [invalid, lost("ECONNRESET"), filled()];
  await using reflector = new TestReflector(replies);
  expect(await reflector.requests()).toEqual(['stream ""', 'list "" limit 500']);
  expect((await reflector.next()).requests).toEqual(['stream ""']);
});

test("the list after an expired watch is not older than the last version", async () => {
  const stream = filled().lines(modified("a", "14"), error(410, "Expired"));
  await using reflector = new TestReflector([stream, new Stream().lines(added("b", "15"), initialEnd("15"))]);
  expect(await reflector.received()).toEqual(["replace 10 a@3", "updated a@14"]);
  await reflector.requests();
  expect((await reflector.next()).requests).toEqual(["stream 14"]);
  expect(await reflector.received()).toEqual(["replace 15 b@15"]);
});

test.each([
  ["expired", error(410, "Expired")],
  ["gone", error(410, "Gone")],
  ["too large", error(504, "Timeout", { details: { causes: [{ reason: "ResourceVersionTooLarge" }] } })],
])("if the requested version is %s, the newest is requested at once", async (_, refusal) => {
  const first = filled().lines(error(410, "Expired"));
  const replies = [first, new Stream().lines(refusal), new Stream().lines(initialEnd("5"))];
  await using reflector = new TestReflector(replies);
  await reflector.requests();
  expect((await reflector.next()).requests).toEqual(["stream 10", 'stream ""']);
  expect(await reflector.received()).toEqual(["replace 10 a@3", "replace 5"]);
});

test("once a version was abandoned, the newest is requested until that succeeds", async () => {
  const first = filled().lines(error(410, "Expired"));
  const refusal = new Stream().lines(error(410, "Expired"));
  const replies = [first, refusal, lost("ECONNREFUSED"), new Stream().lines(initialEnd("30"))];
  await using reflector = new TestReflector(replies);
  await reflector.requests();
  expect((await reflector.next()).requests).toEqual(["stream 10", 'stream ""']);
  expect((await reflector.next()).requests).toEqual(['stream ""']);
  expect(await reflector.received()).toEqual(["replace 10 a@3", "replace 30"]);
});

test("a list that is older than requested is rejected, and a consistent one is requested", async () => {
  const first = filled().lines(error(410, "Expired"));
  const stale = new Stream().lines(added("a", "2"), initialEnd("9"));
  await using reflector = new TestReflector([first, stale, new Stream().lines(initialEnd("11"))]);
  await reflector.requests();
  expect((await reflector.next()).requests).toEqual(["stream 10"]);
  expect((await reflector.next()).requests).toEqual(['stream ""']);
  expect(await reflector.received()).toEqual(["replace 10 a@3", "replace 11"]);
  expect(reflector.errors).toEqual(["expected a list not older than version 10, got one of version 9"]);
});

test("decode failures of initial events reach the sink before the list", async () => {
  const stream = new Stream().lines(
    added("a", "1"),
    {
      type: "ADDED",
      object: { kind: "Pod", metadata: { name: "b", namespace: "home", resourceVersion: "2" } },
    },
    added("c", "3"),
    initialEnd("10"),
  );
  await using reflector = new TestReflector([stream]);
  expect(await reflector.received()).toEqual(["undecodable home/b 2", "replace 10 a@1 c@3"]);
});

test("a decode failure is dropped if the object is decoded or deleted before the end of the initial events", async () => {
  const odd = (type: string, name: string, resourceVersion: string) => ({
    type,
    object: { kind: "Pod", metadata: { name, namespace: "home", resourceVersion } },
  });
  const stream = new Stream().lines(
    odd("ADDED", "a", "1"),
    odd("ADDED", "b", "2"),
    added("c", "3"),
    modified("a", "4"),
    odd("DELETED", "b", "5"),
    odd("MODIFIED", "c", "6"),
    initialEnd("10"),
  );
  await using reflector = new TestReflector([stream]);
  expect(await reflector.received()).toEqual(["undecodable home/c 6", "replace 10 a@4"]);
});

test("after an event without a key in a streaming list, a paged list is requested", async () => {
  const stream = new Stream().lines(added("a", "1")).text("<html>\n");
  await using reflector = new TestReflector([stream, list("10", [object("a", "1")])]);
  expect(await reflector.received()).toEqual(["undecodable undefined undefined", "replace 10 a@1"]);
  expect(stream.closed).toBe(true);
});

test("an aborted reflector sends no request", async () => {
  const signal = AbortSignal.abort(new Error("over"));
  await using reflector = new TestReflector([], { signal });
  await reflector.running;
  expect(await reflector.requests()).toEqual([]);
  expect(reflector.reflector.health).toMatchObject({ phase: "closed", lastError: undefined });
});
