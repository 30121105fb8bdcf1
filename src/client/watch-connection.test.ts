import { expect, test } from "vitest";
import { ConfigMap } from "../api/types/core/v1.ts";
import { settled, VirtualClock } from "../base/index.ts";
import { FrameTooLongError } from "../transport/index.ts";
import type { WatchEvent } from "./index.ts";
import { KubeClient } from "./kube-client.ts";
import { type Reply, ScriptedTransport, Stream } from "./scripted-transport.fixture.ts";
import { bookmark, frame, from, start, versions } from "./watched.fixture.ts";

test("a connection without a byte for 70 seconds counts as broken", async () => {
  const [first, second] = [new Stream(), new Stream()];
  const causes: unknown[] = [];
  const { clock, transport, leave, over } = start([first, second], {
    ...from,
    onReconnect: (cause) => causes.push(cause?.message),
  });
  await clock.advance(60_000);
  first.lines(bookmark("11"));
  await clock.advance(69_999);
  expect([first.closed, transport.requests.length]).toEqual([false, 1]);
  await clock.advance(1);
  expect(first.closed).toBe(true);
  expect(causes).toEqual([expect.stringMatching(/^expected more from GET \S+, got nothing for 70000 ms$/)]);
  await clock.advance(1600);
  leave();
  second.lines(bookmark("12"));
  await over;
  expect(versions(transport)).toEqual(["10", "11"]);
  expect(clock.timers).toBe(0);
});

test("part of an event ends the silence", async () => {
  const stream = new Stream();
  const { clock, leave, over } = start([stream], from);
  const text = `${JSON.stringify(bookmark("11"))}\n`;
  for (const piece of [text.slice(0, 9), text.slice(9, 20)]) {
    await clock.advance(69_000);
    stream.text(piece);
  }
  await clock.advance(69_000);
  leave();
  stream.text(text.slice(20));
  await over;
  expect(stream.closed).toBe(true);
});

test.each([
  ["a page of HTML", "<html>\n<body>Sign in</body></html>\n", '"<html>"'],
  ["a page of HTML in one line", "<html>Sign in</html>", '"<html>Sign in</html>"'],
  ["no JSON", "{nothing}\n", '"{nothing}"'],
  ["no event", '{"kind":"ConfigMap"}\n', '"{\\"kind\\":\\"ConfigMap\\"}"'],
  ["nothing", "null\n", '"null"'],
  [
    "an event of no type we know",
    '{"type":"MOVED","object":{"metadata":{"resourceVersion":"1"}}}\n',
    "MOVED",
  ],
  ["an object without a version", '{"type":"ADDED","object":{"metadata":{"name":"a"}}}\n', "ADDED"],
])("%s is an error that quotes it", async (_, text, quoted) => {
  const stream = new Stream();
  const { error, log, over } = start([stream], from);
  stream.text(text);
  stream.end();
  await over;
  expect(log).toEqual(["failed"]);
  expect(error()).toMatchObject({ name: "ApiError", code: 200, reason: "InvalidResponse" });
  expect(String(error())).toMatch(
    /expected watch events from GET \S+, got .*; is that address a Kubernetes API server\?$/,
  );
  expect(String(error())).toContain(quoted);
});

test("a frame that is too long is an error, and is not kept in memory", async () => {
  const stream = new Stream();
  const { error, over } = start([stream], from);
  stream.text('{"type":"ADDED","object":{"metadata":{"name":"');
  for (let megabytes = 0; megabytes < 65 && !stream.closed; megabytes++)
    stream.bytes(Buffer.alloc(1024 * 1024, "a"));
  await over;
  expect(error()).toBeInstanceOf(FrameTooLongError);
  expect(String(error())).toMatch(/ from GET \/api\/v1\/configmaps\?watch=true\S+, got one of \d+ or more$/);
});

test("events before an invalid event are delivered", async () => {
  const stream = new Stream();
  const { log, over } = start([stream], from);
  stream.text(`${JSON.stringify(frame("ADDED", "a", "11"))}\njunk\n${JSON.stringify(bookmark("12"))}\n`);
  await over;
  expect(log).toEqual(["added a 11", "failed"]);
});

test("leaving the loop closes the connection", async () => {
  const stream = new Stream();
  const { clock, leave, over } = start([stream], from);
  leave();
  stream.lines(bookmark("11"), bookmark("12"));
  await over;
  expect([stream.closed, clock.timers]).toEqual([true, 0]);
});

/** Returns a watch that is read step by step. */
function watching(stream: Stream, clock: VirtualClock): AsyncIterator<WatchEvent<ConfigMap>> {
  const transport = new ScriptedTransport(stream);
  const scope = { namespace: "home", restricted: false };
  const client = new KubeClient({ transport, scope, fieldManager: "test", clock });
  return client.watch(ConfigMap, from)[Symbol.asyncIterator]();
}

test("a slow reader pauses the response, and does not count as silence", async () => {
  const stream = new Stream();
  const clock = new VirtualClock();
  const events = watching(stream, clock);
  const batch = (start: number) => Array.from({ length: 600 }, (_, index) => bookmark(String(start + index)));
  stream.lines(...batch(1000));
  stream.lines(...batch(2000));
  stream.lines(...batch(3000));
  await events.next();
  expect(stream.paused).toBe(true);
  await clock.advance(149_000);
  for (let count = 1; count < 1200; count++) await events.next();
  expect(stream.paused).toBe(false);
  await clock.advance(69_000);
  const { value } = await events.next();
  expect(value).toEqual({ type: "bookmark", resourceVersion: "3000" });
  expect(stream.closed).toBe(false);
  await events.return?.();
  expect(clock.timers).toBe(0);
});

test("after a slow reader has caught up, the silence timeout starts again", async () => {
  const stream = new Stream();
  const clock = new VirtualClock();
  const events = watching(stream, clock);
  stream.lines(...Array.from({ length: 1100 }, (_, index) => bookmark(String(1000 + index))));
  await events.next();
  await clock.advance(149_999);
  for (let count = 1; count < 1100; count++) await events.next();
  await clock.advance(69_999);
  expect(stream.closed).toBe(false);
  await clock.advance(1);
  expect(stream.closed).toBe(true);
  await events.return?.();
});

test("a slow reader that has not paused the response does not hide its silence", async () => {
  const stream = new Stream();
  const clock = new VirtualClock();
  const events = watching(stream, clock);
  stream.lines(bookmark("11"), bookmark("12"));
  await events.next();
  await clock.advance(69_999);
  expect(stream.closed).toBe(false);
  await clock.advance(1);
  expect(stream.closed).toBe(true);
  expect((await events.next()).value).toEqual({ type: "bookmark", resourceVersion: "12" });
  await events.return?.();
  expect(clock.timers).toBe(0);
});

test("a connection without a response for 70 seconds counts as broken", async () => {
  const first = new Stream();
  const causes: unknown[] = [];
  const onReconnect = (cause: Error | undefined): number => causes.push(cause?.message);
  const never = new Promise<Reply>(() => {});
  const second = new Stream();
  const { clock, leave, over, transport } = start([first, never, second], { ...from, onReconnect });
  await settled();
  first.end();
  await clock.advance(1600);
  expect(transport.requests).toHaveLength(2);
  await clock.advance(70_000);
  expect(causes).toEqual([
    undefined,
    expect.stringMatching(/^expected more from GET \S+, got no response within 70000 ms$/),
  ]);
  await clock.advance(3200);
  leave();
  second.lines(bookmark("12"));
  await over;
  expect(clock.timers).toBe(0);
});

test("an object with invalid JSON throws on access, and the watch continues", async () => {
  const stream = new Stream();
  const events = watching(stream, new VirtualClock());
  const broken =
    '{"type":"ADDED","object":{"metadata":{"name":"a","namespace":"b","resourceVersion":"11"},"data":!}}';
  stream.text(`${broken}\n${JSON.stringify(frame("ADDED", "c", "12"))}\n`);
  const { value: first } = await events.next();
  expect(first).toMatchObject({ type: "added", key: { namespace: "b", name: "a" }, resourceVersion: "11" });
  expect(() => (first?.type === "added" ? first.object : undefined)).toThrow(
    /^expected watch events from GET .*, got "\{.*; is that address a Kubernetes API server\?$/,
  );
  const { value: second } = await events.next();
  expect(second).toEqual({
    type: "added",
    key: { name: "c" },
    resourceVersion: "12",
    object: frame("ADDED", "c", "12").object,
  });
  await events.return?.();
});

test("an event's object is parsed once", async () => {
  const stream = new Stream();
  const events = watching(stream, new VirtualClock());
  stream.lines(frame("ADDED", "a", "11"));
  const { value: event } = await events.next();
  if (event?.type !== "added") throw new Error(`expected something added, got ${event?.type}`);
  event.object.data = { mine: "yes" };
  expect(event.object.data).toEqual({ mine: "yes" });
  await events.return?.();
});

test("all events share one getter, so that no hidden class keeps an object alive", async () => {
  const stream = new Stream();
  const events = watching(stream, new VirtualClock());
  stream.lines(frame("ADDED", "a", "11"), frame("ADDED", "b", "12"));
  const [first, second] = [(await events.next()).value, (await events.next()).value];
  const getter = (event: unknown) => Object.getOwnPropertyDescriptor(event, "object")?.get;
  expect(getter(first)).toBeTypeOf("function");
  expect(getter(first)).toBe(getter(second));
  await events.return?.();
});

test("a truncated event at the end of a body is not delivered, even if it looks complete", async () => {
  const [stream, second] = [new Stream(), new Stream()];
  const { log, clock, leave, over, transport } = start([stream, second], from);
  stream.text('{"type":"ADDED","object":{"metadata":{"name":"a","resourceVersion":"11"},"data":{"x":{}}');
  stream.end();
  await clock.advance(5000);
  expect(log).toEqual([]);
  expect(versions(transport)).toEqual(["10", "10"]);
  leave();
  second.lines(bookmark("12"));
  await over;
});
