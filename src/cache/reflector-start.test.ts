import { expect, test } from "vitest";
import {
  added,
  bookmark,
  deleted,
  error,
  initialEnd,
  list,
  modified,
  object,
  Reflected,
} from "./reflected.fixture.ts";
import { lost, refused, Stream } from "./scripted-transport.fixture.ts";

const filled = () => new Stream().lines(added("a", "3"), initialEnd("10"));
const invalid = refused({ code: 422, reason: "Invalid" });

test("it begins with one stream of all there is, which goes on as the watch", async () => {
  const stream = new Stream().lines(added("a", "3"), added("b", "2"), initialEnd("10"));
  await using reflected = new Reflected([stream]);
  expect(await reflected.told()).toEqual(["replace 10 a@3 b@2"]);
  stream.lines(modified("a", "11"), deleted("b", "12"), added("c", "13"));
  expect(await reflected.told()).toEqual(["modified a@11", "deleted b@12", "added c@13"]);
  expect(await reflected.asked()).toEqual(['stream ""']);
});

test("a stream asks for the newest there is, with bookmarks, for five to ten minutes", async () => {
  const limits = new Set<boolean>();
  for (let seed = 0; seed < 20; seed++) {
    await using reflected = new Reflected([], { seed });
    await reflected.told();
    const { pathname, searchParams } = new URL(reflected.transport.paths[0] ?? "", "http://host");
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

test("nothing is told before the end of the initial events, which a bookmark marks by its annotation", async () => {
  const stream = new Stream();
  await using reflected = new Reflected([stream]);
  stream.lines(added("a", "3"), added("b", "2"));
  expect(await reflected.told()).toEqual([]);
  expect(reflected.reflector.health).toMatchObject({ phase: "listing", resourceVersion: undefined });
  stream.lines(initialEnd("10"));
  expect(await reflected.told()).toEqual(["replace 10 a@3 b@2"]);
  expect(reflected.reflector.health).toMatchObject({ phase: "watching", resourceVersion: "10" });
});

test("what changes before the end of what there is is in it", async () => {
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
  await using reflected = new Reflected([stream]);
  expect(await reflected.told()).toEqual(["replace 10 b@4 c@3 d@6 a@7"]);
});

test("an empty collection is told too", async () => {
  await using reflected = new Reflected([new Stream().lines(initialEnd("10"))]);
  expect(await reflected.told()).toEqual(["replace 10"]);
});

test("a stream that ends before its end is asked for anew, and what it had is forgotten", async () => {
  const first = new Stream().lines(added("a", "3"));
  await using reflected = new Reflected([first, new Stream().lines(added("b", "4"), initialEnd("11"))]);
  await reflected.clock.advance(5000);
  first.end();
  expect(await reflected.told()).toEqual(["replace 11 b@4"]);
  expect(await reflected.asked()).toEqual(['stream ""', 'stream ""']);
});

test("a server that ends three streams before their end is asked for pages", async () => {
  const streams = [1, 2, 3].map(() => new Stream().lines(added("a", "3")).end());
  await using reflected = new Reflected([...streams, list("10", [object("a", "3")])]);
  expect(await reflected.asked()).toEqual(['stream ""']);
  expect((await reflected.next()).asked).toEqual(['stream ""']);
  expect((await reflected.next()).asked).toEqual(['stream ""', 'list "" limit 500', "watch 10"]);
  expect(await reflected.told()).toEqual(["replace 10 a@3"]);
});

test("a stream that ends at once with nothing in it makes place for pages", async () => {
  await using reflected = new Reflected([new Stream().end(), list("10", [])]);
  expect(await reflected.asked()).toEqual(['stream ""', 'list "" limit 500', "watch 10"]);
});

test("streams that the server has no time for are asked for again, each after a while", async () => {
  const busy = refused({ code: 429, reason: "TooManyRequests" });
  await using reflected = new Reflected([busy, busy, filled()]);
  const waits = [await reflected.next(), await reflected.next(), await reflected.next()];
  expect(waits.map(({ asked }) => asked)).toEqual([['stream ""'], ['stream ""'], ['stream ""']]);
  expect(waits.map(({ afterMs }) => afterMs > 0)).toEqual([false, true, true]);
  expect(await reflected.told()).toEqual(["replace 10 a@3"]);
});

test("a server that cannot be reached is asked again and again for a stream, not for pages", async () => {
  const down = Array.from({ length: 5 }, () => lost("ECONNREFUSED"));
  await using reflected = new Reflected([...down, filled()]);
  for (let tries = 0; tries < 6; tries++) expect((await reflected.next()).asked).toEqual(['stream ""']);
  expect(await reflected.told()).toEqual(["replace 10 a@3"]);
});

test.each([
  [400, "BadRequest"],
  [405, "MethodNotAllowed"],
  [406, "NotAcceptable"],
  [422, "Invalid"],
])("a server that refuses streams with %s %s is asked for pages, from then on", async (code, reason) => {
  const watch = new Stream();
  const replies = [refused({ code, reason }), list("10", []), watch, list("20", [])];
  await using reflected = new Reflected(replies);
  expect(await reflected.asked()).toEqual(['stream ""', 'list "" limit 500', "watch 10"]);
  watch.lines(error(410, "Expired"));
  expect((await reflected.next()).asked).toEqual(["list 10", "watch 20"]);
});

test("a server that is asked for pages because something else went wrong is asked for streams later", async () => {
  const watch = new Stream();
  const replies = [refused({ code: 500, reason: "InternalError" }), list("10", []), watch];
  await using reflected = new Reflected(replies);
  expect(await reflected.asked()).toEqual(['stream ""', 'list "" limit 500', "watch 10"]);
  watch.lines(error(410, "Expired"));
  expect((await reflected.next()).asked).toEqual(["stream 10"]);
});

test("a server that never ends a stream is asked for pages after ten silent seconds, from then on", async () => {
  const stream = new Stream();
  const watch = new Stream();
  await using reflected = new Reflected([stream, list("10", [object("a", "3")]), watch, list("20", [])]);
  await reflected.asked();
  await reflected.clock.advance(9000);
  stream.lines(added("a", "3"));
  await reflected.clock.advance(9999);
  expect(await reflected.asked()).toEqual([]);
  await reflected.clock.advance(1);
  expect(await reflected.asked()).toEqual(['list "" limit 500', "watch 10"]);
  expect(await reflected.told()).toEqual(["replace 10 a@3"]);
  expect(stream.closed).toBe(true);
  watch.lines(error(410, "Expired"));
  expect((await reflected.next()).asked).toEqual(["list 10", "watch 20"]);
});

test.each([
  ["a bookmark", bookmark("8")],
  ["a bookmark that denies it", bookmark("8", "false")],
  ["an update of an object that was not added", modified("b", "8")],
  ["a delete of an object that was not added", deleted("b", "8")],
])("%s before the end of the initial events shows that the server sends none", async (_, event) => {
  const stream = new Stream();
  const watch = new Stream();
  await using reflected = new Reflected([stream, list("10", []), watch, list("20", [])]);
  await reflected.asked();
  stream.lines(added("a", "3"), event);
  expect(await reflected.asked()).toEqual(['list "" limit 500', "watch 10"]);
  expect(await reflected.told()).toEqual(["replace 10"]);
  watch.lines(error(410, "Expired"));
  expect((await reflected.next()).asked).toEqual(["list 10", "watch 20"]);
});

test("one object in three seconds is no list, and pages are requested after twelve", async () => {
  const stream = new Stream();
  await using reflected = new Reflected([stream, list("200", [])]);
  await reflected.asked();
  for (const second of [3, 6, 9, 12]) {
    expect(await reflected.asked()).toEqual([]);
    await reflected.clock.advance(3000);
    stream.lines(added(`a${second}`, String(second)));
  }
  expect(await reflected.asked()).toEqual(['list "" limit 500', "watch 200"]);
});

test("initial events that do not end are given up after three minutes, however many they are", async () => {
  const stream = new Stream();
  await using reflected = new Reflected([stream, list("200", [])]);
  await reflected.asked();
  for (let second = 0; second < 180; second += 1) {
    expect(await reflected.asked()).toEqual([]);
    stream.lines(
      ...Array.from({ length: 10 }, (_, index) => added(`a${index}`, String(second * 10 + index + 1))),
    );
    await reflected.clock.advance(1000);
  }
  stream.lines(added("b", "1900"));
  expect(await reflected.asked()).toEqual(['list "" limit 500', "watch 200"]);
});

test("a server that streams slowly is listened to for as long as something comes", async () => {
  const stream = new Stream();
  await using reflected = new Reflected([stream]);
  const text = `${JSON.stringify(added("a", "3"))}\n${JSON.stringify(initialEnd("10"))}\n`;
  for (const piece of text.match(/.{1,30}/gs) ?? []) {
    await reflected.clock.advance(9000);
    stream.text(piece);
  }
  expect(await reflected.told()).toEqual(["replace 10 a@3"]);
  expect(await reflected.asked()).toEqual(['stream ""']);
});

test("that streams are refused is forgotten when a list breaks off", async () => {
  const replies = [invalid, lost("ECONNRESET"), filled()];
  await using reflected = new Reflected(replies);
  expect(await reflected.asked()).toEqual(['stream ""', 'list "" limit 500']);
  expect((await reflected.next()).asked).toEqual(['stream ""']);
});

test("after an expired watch, what there is is not older than what was told", async () => {
  const stream = filled().lines(modified("a", "14"), error(410, "Expired"));
  await using reflected = new Reflected([stream, new Stream().lines(added("b", "15"), initialEnd("15"))]);
  expect(await reflected.told()).toEqual(["replace 10 a@3", "modified a@14"]);
  await reflected.asked();
  expect((await reflected.next()).asked).toEqual(["stream 14"]);
  expect(await reflected.told()).toEqual(["replace 15 b@15"]);
});

test.each([
  ["expired", error(410, "Expired")],
  ["gone", error(410, "Gone")],
  ["too large", error(504, "Timeout", { details: { causes: [{ reason: "ResourceVersionTooLarge" }] } })],
])("a version that the server says is %s is given up for the newest, at once", async (_, refusal) => {
  const first = filled().lines(error(410, "Expired"));
  const replies = [first, new Stream().lines(refusal), new Stream().lines(initialEnd("5"))];
  await using reflected = new Reflected(replies);
  await reflected.asked();
  expect((await reflected.next()).asked).toEqual(["stream 10", 'stream ""']);
  expect(await reflected.told()).toEqual(["replace 10 a@3", "replace 5"]);
});

test("the newest is asked for until it is had, once a version was given up", async () => {
  const first = filled().lines(error(410, "Expired"));
  const refusal = new Stream().lines(error(410, "Expired"));
  const replies = [first, refusal, lost("ECONNREFUSED"), new Stream().lines(initialEnd("30"))];
  await using reflected = new Reflected(replies);
  await reflected.asked();
  expect((await reflected.next()).asked).toEqual(["stream 10", 'stream ""']);
  expect((await reflected.next()).asked).toEqual(['stream ""']);
  expect(await reflected.told()).toEqual(["replace 10 a@3", "replace 30"]);
});

test("a list that is older than it was requested is rejected, and a consistent one is requested", async () => {
  const first = filled().lines(error(410, "Expired"));
  const stale = new Stream().lines(added("a", "2"), initialEnd("9"));
  await using reflected = new Reflected([first, stale, new Stream().lines(initialEnd("11"))]);
  await reflected.asked();
  expect((await reflected.next()).asked).toEqual(["stream 10"]);
  expect((await reflected.next()).asked).toEqual(['stream ""']);
  expect(await reflected.told()).toEqual(["replace 10 a@3", "replace 11"]);
  expect(reflected.errors).toEqual(["expected a list not older than version 10, got one of version 9"]);
});

test("what cannot be read of what there is is told before the rest", async () => {
  const stream = new Stream().lines(
    added("a", "1"),
    {
      type: "ADDED",
      object: { kind: "Pod", metadata: { name: "b", namespace: "home", resourceVersion: "2" } },
    },
    added("c", "3"),
    initialEnd("10"),
  );
  await using reflected = new Reflected([stream]);
  expect(await reflected.told()).toEqual(["undecodable home/b 2", "replace 10 a@1 c@3"]);
});

test("what could not be read is no matter when it can be, or is gone, before the end", async () => {
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
  await using reflected = new Reflected([stream]);
  expect(await reflected.told()).toEqual(["undecodable home/c 6", "replace 10 a@4"]);
});

test("a stream in which there is no telling what came makes place for pages", async () => {
  const stream = new Stream().lines(added("a", "1")).text("<html>\n");
  await using reflected = new Reflected([stream, list("10", [object("a", "1")])]);
  expect(await reflected.told()).toEqual(["undecodable undefined undefined", "replace 10 a@1"]);
  expect(stream.closed).toBe(true);
});

test("who is not to begin asks for nothing", async () => {
  const signal = AbortSignal.abort(new Error("over"));
  await using reflected = new Reflected([], { signal });
  await reflected.running;
  expect(await reflected.asked()).toEqual([]);
  expect(reflected.reflector.health).toMatchObject({ phase: "closed", lastError: undefined });
});
