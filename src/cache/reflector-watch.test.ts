import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import {
  added,
  bookmark,
  deleted,
  error,
  initialEnd,
  modified,
  Reflected,
  type ReflectedOptions,
} from "./reflected.fixture.ts";
import { lost, refused, type Scripted, Stream } from "./scripted-transport.fixture.ts";

/** One that has been told of nothing as of version 10 and watches, on the stream that is given; more may be prepared. */
async function watched(
  replies: readonly Scripted[] = [],
  options?: ReflectedOptions,
): Promise<{ readonly reflected: Reflected; readonly stream: Stream } & AsyncDisposable> {
  const stream = new Stream().lines(initialEnd("10"));
  const reflected = new Reflected([stream, ...replies], options);
  await reflected.told();
  await reflected.asked();
  return { reflected, stream, [Symbol.asyncDispose]: () => reflected.end() };
}

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

test("a watch that ends goes on from its last bookmark", async () => {
  await using both = await watched();
  const { reflected, stream } = both;
  stream.lines(added("a", "11"), bookmark("20"));
  await reflected.clock.advance(5000);
  stream.end();
  expect(await reflected.asked()).toEqual(["watch 20"]);
});

test("the last that was told is where it goes on, be its version smaller than one before", async () => {
  await using both = await watched();
  const { reflected, stream } = both;
  stream.lines(added("a", "30"), deleted("b", "11"));
  await reflected.clock.advance(5000);
  stream.end();
  expect(await reflected.asked()).toEqual(["watch 11"]);
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

test("a server that takes a request and never answers is given 70 s", async () => {
  await using both = await watched(["never"]);
  const { reflected, stream } = both;
  await reflected.clock.advance(5000);
  stream.end();
  expect(await reflected.asked()).toEqual(["watch 10"]);
  await reflected.clock.advance(69_999);
  expect(reflected.reflector.health.phase).toBe("watching");
  await reflected.clock.advance(1);
  expect(reflected.reflector.health.phase).toBe("waiting");
  expect((await reflected.next()).asked).toEqual(["watch 10"]);
});

test("an answer that comes when it is no longer waited for is let go of", async () => {
  const reflected = new Reflected(["never"]);
  await reflected.asked();
  await reflected.end();
  await reflected.transport.answerLate();
  await reflected.clock.advance(0);
  expect(reflected.transport.streams.map(({ closed }) => closed)).toEqual([true]);
});

test("a process that was asleep hears first what came meanwhile", async () => {
  let asleepMs = 0;
  await using both = await watched([], {
    clock: (clock) => ({
      now: () => clock.now() + asleepMs,
      monotonic: () => clock.monotonic() + asleepMs,
      timer: (ms, run) => clock.timer(ms, run),
    }),
  });
  const { reflected, stream } = both;
  await reflected.clock.advance(10_000);
  asleepMs = 600_000;
  await reflected.clock.advance(60_000);
  expect(await reflected.asked()).toEqual([]);
  stream.lines(bookmark("20"));
  await reflected.clock.advance(69_999);
  expect(await reflected.asked()).toEqual([]);
  await reflected.clock.advance(1);
  expect(await reflected.asked()).toEqual(["watch 20"]);
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
  expect(await reflected.told()).toEqual(["poison home/odd 11", "deleted a@12", "added b@13"]);
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
  expect((await reflected.told()).map((told) => told.split(" ")[0])).toEqual(["poison"]);
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

test("while over a thousand notifications wait, nothing is read, and that is no silence", async () => {
  await using both = await watched();
  const { reflected, stream } = both;
  reflected.sink.backlog = 1001;
  stream.lines(added("a", "11"));
  stream.lines(added("b", "12"));
  expect(stream.paused).toBe(true);
  await reflected.clock.advance(200_000);
  expect(await reflected.told()).toEqual(["added a@11"]);
  reflected.sink.drain();
  expect(await reflected.told()).toEqual(["added b@12"]);
  await reflected.clock.advance(69_999);
  expect(await reflected.asked()).toEqual([]);
  expect(stream.paused).toBe(false);
});

test("silence is counted from when reading goes on", async () => {
  await using both = await watched();
  const { reflected, stream } = both;
  await reflected.clock.advance(10_000);
  reflected.sink.backlog = 1001;
  stream.lines(added("a", "11"));
  await reflected.clock.advance(40_000);
  reflected.sink.drain();
  await reflected.clock.advance(69_999);
  expect(await reflected.asked()).toEqual([]);
  await reflected.clock.advance(1);
  expect(await reflected.asked()).toEqual(["watch 11"]);
});

test("who is drained after the end reads no more", async () => {
  const { reflected, stream } = await watched();
  reflected.sink.backlog = 1001;
  stream.lines(added("a", "11"));
  stream.lines(added("b", "12"));
  await reflected.end();
  reflected.sink.drain();
  expect(await reflected.told()).toEqual(["added a@11"]);
});

/** Time goes on by a millisecond for each object that is read. */
function laborious(): ReflectedOptions {
  let workedMs = 0;
  return {
    clock: (clock) => ({
      now: () => clock.now(),
      monotonic: () => clock.monotonic() + workedMs,
      timer: (ms, run) => clock.timer(ms, run),
    }),
    transform(object) {
      workedMs += 1;
      return object;
    },
  };
}

/** Objects of 16 KB. */
function large(count: number): object[] {
  return Array.from({ length: count }, (_, index) => {
    const { type, object } = added(`o${index}`, String(index + 11));
    return { type, object: { ...object, data: { text: "x".repeat(16_000) } } };
  });
}

test("work on a large chunk lets others have a turn after 10 ms", async () => {
  await using both = await watched([], laborious());
  const { reflected, stream } = both;
  stream.lines(...large(40));
  const first = reflected.sink.log.length;
  expect(first).toBeGreaterThanOrEqual(10);
  expect(first).toBeLessThan(20);
  expect(stream.paused).toBe(true);
  expect(await reflected.told()).toHaveLength(40);
  expect(stream.paused).toBe(false);
});

test("who ends while others have their turn reads no more", async () => {
  const { reflected, stream } = await watched([], laborious());
  stream.lines(...large(40));
  await reflected.end();
  expect((await reflected.told()).length).toBeLessThan(20);
});

test("what goes wrong in a later turn ends the connection too", async () => {
  let workedMs = 0;
  await using both = await watched([], {
    clock: (clock) => ({
      now: () => clock.now(),
      monotonic: () => {
        workedMs += 6;
        return clock.monotonic() + workedMs;
      },
      timer: (ms, run) => clock.timer(ms, run),
    }),
  });
  const { reflected, stream } = both;
  const lines = [added("a", "11"), error(500, "InternalError")].map((line) => `${JSON.stringify(line)}\n`);
  stream.text(`${lines[0]}${" ".repeat(65_000)}\n${lines[1]}`);
  expect((await reflected.next()).asked).toEqual(["stream 11"]);
  expect(stream.closed).toBe(true);
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

test("connections that are over leave nothing on the signal that ends all", async () => {
  const ended = new AbortController();
  const streams = Array.from({ length: 20 }, () => new Stream());
  const reflected = new Reflected(streams, { signal: ended.signal });
  for (const stream of streams) {
    await reflected.clock.advance(5000);
    stream.lines(initialEnd("10")).end();
  }
  expect(await reflected.asked()).toHaveLength(21);
  expect(getEventListeners(ended.signal, "abort")).toHaveLength(1);
  ended.abort();
  await reflected.end();
});
