import { expect, test } from "vitest";
import { Stream } from "../../../test/scripted-stream.ts";
import { type Clock, settled, VirtualClock } from "../../base/index.ts";
import type { ApiRequest, OpenResponse, Transport } from "../transport.ts";
import { type BodyConsumer, consumeBody } from "./consume-body.ts";

const request: ApiRequest = { method: "GET", path: "/pods" };

/** A consumer that records the text of each piece. */
class Recorder implements BodyConsumer {
  maxSilenceMs = 70_000;
  full = false;
  readonly log: string[] = [];
  onConsume: (text: string) => void = () => {};
  ready: () => void = () => {};

  onOpen(): void {
    this.log.push("open");
  }

  consume(bytes: Buffer): void {
    const text = bytes.toString();
    this.log.push(text.length > 20 ? `${text.length} bytes` : text);
    this.onConsume(text);
  }

  onEnd(): void {
    this.log.push("end");
  }

  whenReady(run: () => void): void {
    this.ready = run;
  }
}

interface Consuming {
  readonly clock: VirtualClock;
  readonly consumer: Recorder;
  readonly abort: AbortController;
  /** How it ended, with the message of an error; `undefined` before. */
  readonly outcome: () => string | undefined;
}

function consuming(
  open: (signal: AbortSignal | undefined) => Promise<OpenResponse>,
  clockOver: (clock: VirtualClock) => Clock = (clock) => clock,
): Consuming {
  const clock = new VirtualClock();
  const consumer = new Recorder();
  const abort = new AbortController();
  const transport: Transport = {
    server: "https://scripted:6443",
    open: ({ signal }) => open(signal),
    send: () => Promise.reject(new Error("expected no buffered response")),
    close: async () => {},
  };
  let outcome: string | undefined;
  consumeBody({ transport, clock: clockOver(clock), request, signal: abort.signal }, consumer).then(
    () => (outcome = "ended"),
    (error: Error) => (outcome = error.message),
  );
  return { clock, consumer, abort, outcome: () => outcome };
}

function consumingOf(stream: Stream, clockOver?: (clock: VirtualClock) => Clock): Consuming {
  return consuming(async (signal) => {
    stream.begin(signal);
    return stream;
  }, clockOver);
}

test("a consumer gets the head, the bytes and the end of a body", async () => {
  const { consumer, outcome, clock } = consumingOf(new Stream().text("a").text("b").end());
  await settled();
  expect(consumer.log).toEqual(["open", "a", "b", "end"]);
  expect([outcome(), clock.timers]).toEqual(["ended", 0]);
});

test("a refused request is an error with the status, and the consumer gets nothing", async () => {
  const { consumer, outcome } = consumingOf(new Stream(403).text("no").end());
  await settled();
  expect(consumer.log).toEqual([]);
  expect(outcome()).toBe('expected success of GET /pods, got 403 Forbidden: "no"');
});

test("a request without a head fails after 70 s, and a later response is closed", async () => {
  const late = new Stream();
  let respond = (_: Stream): void => {};
  const { clock, outcome } = consuming(() => new Promise((resolve) => (respond = resolve)));
  await clock.advance(69_999);
  expect(outcome()).toBeUndefined();
  await clock.advance(1);
  expect(outcome()).toBe("expected more from GET /pods, got no response within 70000 ms");
  respond(late);
  await settled();
  expect([late.closed, clock.timers]).toEqual([true, 0]);
});

test("a silent connection fails after the consumer's limit, counted from the last bytes", async () => {
  const stream = new Stream();
  const { clock, outcome } = consumingOf(stream);
  await clock.advance(60_000);
  stream.text("a");
  await clock.advance(69_999);
  expect(outcome()).toBeUndefined();
  await clock.advance(1);
  expect(outcome()).toBe("expected more from GET /pods, got nothing for 70000 ms");
  expect([stream.closed, clock.timers]).toEqual([true, 0]);
});

test("after a suspension of the process, the bytes that arrived meanwhile are read first", async () => {
  let asleepMs = 0;
  const stream = new Stream();
  const { clock, outcome } = consumingOf(stream, (virtual) => ({
    now: () => virtual.now() + asleepMs,
    monotonic: () => virtual.monotonic() + asleepMs,
    timer: (ms, run) => virtual.timer(ms, run),
  }));
  await clock.advance(10_000);
  asleepMs = 600_000;
  await clock.advance(60_000);
  expect(outcome()).toBeUndefined();
  await clock.advance(1000);
  expect(outcome()).toBe("expected more from GET /pods, got nothing for 70000 ms");
});

test("a full consumer pauses the response until it is ready, and the pause is not silence", async () => {
  const stream = new Stream();
  const { clock, consumer, outcome } = consumingOf(stream);
  await settled();
  consumer.full = true;
  stream.text("a").text("b");
  expect([stream.paused, consumer.log]).toEqual([true, ["open", "a"]]);
  await clock.advance(200_000);
  consumer.full = false;
  consumer.ready();
  await clock.advance(69_999);
  expect([stream.paused, consumer.log, outcome()]).toEqual([false, ["open", "a", "b"], undefined]);
});

test("a large chunk is consumed in slices of 10 ms, and the rest of the body follows it", async () => {
  let workedMs = 0;
  const stream = new Stream();
  const { clock, consumer, outcome } = consumingOf(stream, (virtual) => ({
    now: () => virtual.now(),
    monotonic: () => virtual.monotonic() + workedMs,
    timer: (ms, run) => virtual.timer(ms, run),
  }));
  consumer.onConsume = () => (workedMs += 4);
  await settled();
  stream
    .bytes(Buffer.alloc(5 * 65_536 + 30, "x"))
    .text("last")
    .end();
  expect([stream.paused, consumer.log.length]).toEqual([true, 4]);
  await clock.advance(0);
  const pieces = Array.from({ length: 5 }, () => "65536 bytes");
  expect(consumer.log).toEqual(["open", ...pieces, "30 bytes", "last", "end"]);
  expect(outcome()).toBe("ended");
});

test.each<[string, (consumer: Recorder) => void, string]>([
  ["consume", (consumer) => (consumer.consume = () => fail("no event")), "no event"],
  ["onEnd", (consumer) => (consumer.onEnd = () => fail("truncated")), "truncated"],
])("an error of %s fails the response and closes it", async (_, sabotage, message) => {
  const stream = new Stream();
  const { clock, consumer, outcome } = consumingOf(stream);
  sabotage(consumer);
  await settled();
  stream.text("a").end();
  await settled();
  expect([outcome(), stream.closed, clock.timers]).toEqual([message, true, 0]);
});

function fail(message: string): never {
  throw new Error(message);
}

test("an abort closes the connection with the reason", async () => {
  const stream = new Stream();
  const { abort, clock, outcome } = consumingOf(stream);
  await settled();
  abort.abort(new Error("enough"));
  await settled();
  expect([outcome(), stream.closed, clock.timers]).toEqual(["enough", true, 0]);
});
