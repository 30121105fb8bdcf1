import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import {
  added,
  bookmark,
  error,
  initialEnd,
  Reflected,
  type ReflectedOptions,
  watched,
} from "./reflected.fixture.ts";
import { Stream } from "./scripted-transport.fixture.ts";

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

test("a refusal that never ends is given ten seconds, and its connection closed", async () => {
  const refusal = new Stream(503).text("no");
  await using both = await watched([refusal]);
  const { reflected, stream } = both;
  await reflected.clock.advance(5000);
  stream.end();
  expect(await reflected.asked()).toEqual(["watch 10"]);
  await reflected.clock.advance(9999);
  expect([reflected.reflector.health.phase, refusal.closed]).toEqual(["watching", false]);
  await reflected.clock.advance(1);
  expect([reflected.reflector.health.phase, refusal.closed]).toEqual(["waiting", true]);
  expect((await reflected.next()).asked).toEqual(["watch 10"]);
});

test("who ends in the middle of a refusal closes its connection, and is told of no failure", async () => {
  const refusal = new Stream(503).text("no");
  const { reflected, stream } = await watched([refusal]);
  await reflected.clock.advance(5000);
  stream.end();
  await reflected.asked();
  await reflected.end();
  expect({ closed: refusal.closed, errors: reflected.errors }).toEqual({ closed: true, errors: [] });
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
