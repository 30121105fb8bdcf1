import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { Stream } from "./scripted-transport.fixture.ts";
import {
  added,
  bookmark,
  error,
  initialEnd,
  TestReflector,
  type TestReflectorOptions,
  watchingReflector,
} from "./test-reflector.fixture.ts";

test("a request without a response fails after 70 s", async () => {
  await using both = await watchingReflector(["never"]);
  const { reflector, stream } = both;
  await reflector.clock.advance(5000);
  stream.end();
  expect(await reflector.requests()).toEqual(["watch 10"]);
  await reflector.clock.advance(69_999);
  expect(reflector.reflector.health.phase).toBe("watching");
  await reflector.clock.advance(1);
  expect(reflector.reflector.health.phase).toBe("waiting");
  expect((await reflector.next()).requests).toEqual(["watch 10"]);
});

test("a response that arrives too late is closed", async () => {
  const reflector = new TestReflector(["never"]);
  await reflector.requests();
  await reflector.end();
  await reflector.transport.respondLate();
  await reflector.clock.advance(0);
  expect(reflector.transport.streams.map(({ closed }) => closed)).toEqual([true]);
});

test("an error response whose body never ends is closed after ten seconds", async () => {
  const refusal = new Stream(503).text("no");
  await using both = await watchingReflector([refusal]);
  const { reflector, stream } = both;
  await reflector.clock.advance(5000);
  stream.end();
  expect(await reflector.requests()).toEqual(["watch 10"]);
  await reflector.clock.advance(9999);
  expect([reflector.reflector.health.phase, refusal.closed]).toEqual(["watching", false]);
  await reflector.clock.advance(1);
  expect([reflector.reflector.health.phase, refusal.closed]).toEqual(["waiting", true]);
  expect((await reflector.next()).requests).toEqual(["watch 10"]);
});

test("an abort during an error response closes its connection and reports no failure", async () => {
  const refusal = new Stream(503).text("no");
  const { reflector, stream } = await watchingReflector([refusal]);
  await reflector.clock.advance(5000);
  stream.end();
  await reflector.requests();
  await reflector.end();
  expect({ closed: refusal.closed, errors: reflector.errors }).toEqual({ closed: true, errors: [] });
});

test("a process that was suspended first reads the bytes that arrived meanwhile", async () => {
  let asleepMs = 0;
  await using both = await watchingReflector([], {
    clock: (clock) => ({
      now: () => clock.now() + asleepMs,
      monotonic: () => clock.monotonic() + asleepMs,
      timer: (ms, run) => clock.timer(ms, run),
    }),
  });
  const { reflector, stream } = both;
  await reflector.clock.advance(10_000);
  asleepMs = 600_000;
  await reflector.clock.advance(60_000);
  expect(await reflector.requests()).toEqual([]);
  stream.lines(bookmark("20"));
  await reflector.clock.advance(69_999);
  expect(await reflector.requests()).toEqual([]);
  await reflector.clock.advance(1);
  expect(await reflector.requests()).toEqual(["watch 20"]);
});

test("above 1,000 queued changes reading stops, and that is not silence", async () => {
  await using both = await watchingReflector();
  const { reflector, stream } = both;
  reflector.sink.backlog = 1001;
  stream.lines(added("a", "11"));
  stream.lines(added("b", "12"));
  expect(stream.paused).toBe(true);
  await reflector.clock.advance(200_000);
  expect(await reflector.received()).toEqual(["added a@11"]);
  reflector.sink.drain();
  expect(await reflector.received()).toEqual(["added b@12"]);
  await reflector.clock.advance(69_999);
  expect(await reflector.requests()).toEqual([]);
  expect(stream.paused).toBe(false);
});

test("silence is counted from when reading is resumed", async () => {
  await using both = await watchingReflector();
  const { reflector, stream } = both;
  await reflector.clock.advance(10_000);
  reflector.sink.backlog = 1001;
  stream.lines(added("a", "11"));
  await reflector.clock.advance(40_000);
  reflector.sink.drain();
  await reflector.clock.advance(69_999);
  expect(await reflector.requests()).toEqual([]);
  await reflector.clock.advance(1);
  expect(await reflector.requests()).toEqual(["watch 11"]);
});

test("a drained backlog after an abort does not resume reading", async () => {
  const { reflector, stream } = await watchingReflector();
  reflector.sink.backlog = 1001;
  stream.lines(added("a", "11"));
  stream.lines(added("b", "12"));
  await reflector.end();
  reflector.sink.drain();
  expect(await reflector.received()).toEqual(["added a@11"]);
});

/** A transform that advances the clock by a millisecond for each object. */
function laborious(): TestReflectorOptions {
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

/** Returns events of objects of 16 KB. */
function large(count: number): object[] {
  return Array.from({ length: count }, (_, index) => {
    const { type, object } = added(`o${index}`, String(index + 11));
    return { type, object: { ...object, data: { text: "x".repeat(16_000) } } };
  });
}

test("processing of a large chunk pauses after 10 ms", async () => {
  await using both = await watchingReflector([], laborious());
  const { reflector, stream } = both;
  stream.lines(...large(40));
  const first = reflector.sink.log.length;
  expect(first).toBeGreaterThanOrEqual(10);
  expect(first).toBeLessThan(20);
  expect(stream.paused).toBe(true);
  expect(await reflector.received()).toHaveLength(40);
  expect(stream.paused).toBe(false);
});

test("an abort during a pause ends the processing", async () => {
  const { reflector, stream } = await watchingReflector([], laborious());
  stream.lines(...large(40));
  await reflector.end();
  expect((await reflector.received()).length).toBeLessThan(20);
});

test("an error after a pause ends the connection", async () => {
  let workedMs = 0;
  await using both = await watchingReflector([], {
    clock: (clock) => ({
      now: () => clock.now(),
      monotonic: () => {
        workedMs += 6;
        return clock.monotonic() + workedMs;
      },
      timer: (ms, run) => clock.timer(ms, run),
    }),
  });
  const { reflector, stream } = both;
  const lines = [added("a", "11"), error(500, "InternalError")].map((line) => `${JSON.stringify(line)}\n`);
  stream.text(`${lines[0]}${" ".repeat(65_000)}\n${lines[1]}`);
  expect((await reflector.next()).requests).toEqual(["stream 11"]);
  expect(stream.closed).toBe(true);
});

test("ended connections leave no listener on the signal", async () => {
  const ended = new AbortController();
  const streams = Array.from({ length: 20 }, () => new Stream());
  const reflector = new TestReflector(streams, { signal: ended.signal });
  for (const stream of streams) {
    await reflector.clock.advance(5000);
    stream.lines(initialEnd("10")).end();
  }
  expect(await reflector.requests()).toHaveLength(21);
  expect(getEventListeners(ended.signal, "abort")).toHaveLength(1);
  ended.abort();
  await reflector.end();
});
