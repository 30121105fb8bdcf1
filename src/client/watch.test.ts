import { expect, test } from "vitest";
import { metadataOnly } from "../api/index.ts";
import { ConfigMap } from "../api/types/core/v1.ts";
import { settled, VirtualClock } from "../base/index.ts";
import { ConnectionError } from "../transport/index.ts";
import { isExpired } from "./index.ts";
import { KubeClient } from "./kube-client.ts";
import { type Reply, refused, ScriptedTransport, Stream } from "./scripted-transport.fixture.ts";
import { anError, bookmark, frame, from, start, versions } from "./watched.fixture.ts";

test("a watch delivers the existing objects, then changes", async () => {
  const items = [{ metadata: { name: "a", resourceVersion: "3" } }];
  const stream = new Stream();
  const first = { body: { metadata: { resourceVersion: "10", continue: "t" }, items } };
  const second = { body: { metadata: { resourceVersion: "10" }, items: [] } };
  const { log, transport, leave, over } = start([first, second, stream], { labels: { app: "a" } });
  stream.lines(frame("ADDED", "b", "11"), frame("MODIFIED", "a", "12"), frame("DELETED", "a", "13"));
  await settled();
  expect(log).toEqual(["added a 3", "added b 11", "modified a 12", "deleted a 13"]);
  expect(transport.lines).toEqual([
    "GET /api/v1/configmaps?labelSelector=app%3Da&limit=500",
    "GET /api/v1/configmaps?labelSelector=app%3Da&limit=500&continue=t",
    expect.stringMatching(
      /^GET \/api\/v1\/configmaps\?labelSelector=app%3Da&watch=true&resourceVersion=10&allowWatchBookmarks=true&timeoutSeconds=[345]\d\d$/,
    ),
  ]);
  leave();
  stream.lines(bookmark("14"));
  await over;
});

test("with a resource version, a watch delivers only later changes", async () => {
  const stream = new Stream();
  const { log, transport, leave, over } = start([stream], { ...from, namespace: "home" });
  leave();
  stream.lines(frame("MODIFIED", "a", "11"));
  await over;
  expect(log).toEqual(["modified a 11", "left"]);
  expect(transport.lines[0]).toMatch(/^GET \/api\/v1\/namespaces\/home\/configmaps\?watch=true/);
});

test.each(["0", ""])("with resource version %j, the list is requested first", async (resourceVersion) => {
  const stream = new Stream();
  const list = { body: { metadata: { resourceVersion: "10" }, items: [] } };
  const { transport, leave, over } = start([list, stream], { resourceVersion });
  leave();
  stream.lines(bookmark("11"));
  await over;
  expect(versions(transport)).toEqual([resourceVersion, "10"]);
});

test("a watch of a metadata-only kind requests metadata", async () => {
  const stream = new Stream();
  const transport = new ScriptedTransport(stream);
  const clock = new VirtualClock();
  const client = new KubeClient({
    transport,
    scope: { namespace: "", restricted: false },
    fieldManager: "test",
    clock,
  });
  const events = client.watch(metadataOnly(ConfigMap), from)[Symbol.asyncIterator]();
  stream.lines(bookmark("11"));
  await events.next();
  await events.return?.();
  expect(transport.requests[0]?.headers).toEqual({
    accept: "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1",
  });
  expect(clock.timers).toBe(0);
});

test.each<[string, (stream: Stream) => void, string | undefined]>([
  ["the server ends it", (stream) => stream.end(), undefined],
  ["the connection is cut", (stream) => stream.cut(), "expected a response, got ECONNRESET"],
  [
    "it ends within an event",
    (stream) => {
      stream.text('{"type":"ADDED","obj');
      stream.end();
    },
    "got a truncated event",
  ],
  [
    "the server fails within it",
    (stream) => stream.lines(anError(500, "InternalError")),
    "got 500 InternalError",
  ],
])("when %s, the watch resumes from the last resource version", async (_, stop, message) => {
  const [first, second] = [new Stream(), new Stream()];
  const causes: (Error | undefined)[] = [];
  const onReconnect = (cause: Error | undefined): number => causes.push(cause);
  const { clock, log, transport, leave, over } = start([first, second], { ...from, onReconnect });
  first.lines(frame("ADDED", "a", "11"), bookmark("15"));
  stop(first);
  await settled();
  expect(transport.requests).toHaveLength(1);
  await clock.advance(1600);
  leave();
  second.lines(frame("MODIFIED", "a", "16"));
  await over;
  expect(log).toEqual(["added a 11", "bookmark 15", "modified a 16", "left"]);
  expect(versions(transport)).toEqual(["10", "15"]);
  expect(causes).toHaveLength(1);
  if (message) expect(causes[0]?.message).toContain(message);
  else expect(causes[0]).toBeUndefined();
  expect([first.closed, second.closed, clock.timers]).toEqual([true, true, 0]);
});

test("a last event without a newline is delivered", async () => {
  const stream = new Stream();
  const { log, transport, clock } = start([stream, new Error("enough")], from);
  stream.text(JSON.stringify(frame("ADDED", "a", "11")));
  stream.end();
  await clock.advance(2000);
  expect(log[0]).toBe("added a 11");
  expect(versions(transport)).toEqual(["10", "11"]);
});

test.each([
  ["500", refused(500, "InternalError")],
  ["429", refused(429, "TooManyRequests")],
  [
    "no connection",
    new ConnectionError("got ECONNREFUSED", { code: "ECONNREFUSED", request: { method: "GET", path: "/" } }),
  ],
])("%s of a later connection is retried", async (_, trouble) => {
  const [first, last] = [new Stream(), new Stream()];
  const { clock, log, transport, leave, over } = start([first, trouble, trouble, last], from);
  await settled();
  first.end();
  await clock.advance(60_000);
  expect(transport.requests).toHaveLength(4);
  leave();
  last.lines(bookmark("11"));
  await over;
  expect(log).toEqual(["bookmark 11", "left"]);
});

test.each<[string, Reply | Error]>([
  ["410", refused(410, "Expired")],
  ["500", refused(500, "InternalError")],
  ["403", refused(403, "Forbidden")],
  [
    "no connection",
    new ConnectionError("got ECONNREFUSED", { code: "ECONNREFUSED", request: { method: "GET", path: "/" } }),
  ],
])("%s of the first connection is thrown", async (_, trouble) => {
  const { clock, log, transport, over } = start([trouble], from);
  await over;
  expect(log).toEqual(["failed"]);
  expect([transport.requests.length, clock.timers]).toEqual([1, 0]);
});

test.each([
  ["410", refused(410, "Expired")],
  ["403", refused(403, "Forbidden")],
  ["401", refused(401, "Unauthorized")],
  ["404", refused(404, "NotFound")],
])("%s of a later connection is thrown", async (code, trouble) => {
  const stream = new Stream();
  const { clock, log, error, over } = start([stream, trouble], from);
  await settled();
  stream.end();
  await clock.advance(2000);
  await over;
  expect(log).toEqual(["failed"]);
  expect(error()).toMatchObject({ name: "ApiError", code: Number(code) });
});

test("an ERROR event for an expired resource version is thrown", async () => {
  const stream = new Stream();
  const { error, over } = start([stream], from);
  stream.lines(anError(410, "Expired"));
  await over;
  expect(isExpired(error())).toBe(true);
  expect(stream.closed).toBe(true);
});

test.each([
  [401, "Unauthorized"],
  [403, "Forbidden"],
])("an ERROR event with code %i is thrown without a retry", async (code, reason) => {
  const stream = new Stream();
  const { clock, transport, error, over } = start([stream], from);
  stream.lines(anError(code, reason));
  await over;
  expect(error()).toMatchObject({ name: "ApiError", code, reason });
  expect([transport.requests.length, stream.closed, clock.timers]).toEqual([1, true, 0]);
});

test("over several connections, including empty ones, every event is delivered once and in order", async () => {
  const streams = [[11, 12], [], [13], [14, 15, 16], [17]];
  const replies = streams.map((each) => {
    const stream = new Stream();
    stream.lines(...each.map((version) => frame("MODIFIED", "a", String(version))));
    stream.end();
    return stream;
  });
  const { clock, log, transport, over } = start([...replies, new Error("enough")], from);
  await clock.advance(120_000);
  await over;
  expect(log).toEqual([...streams.flat().map((version) => `modified a ${version}`), "failed"]);
  expect(versions(transport)).toEqual(["10", "12", "12", "13", "16", "17"]);
});

test("the delay of an ERROR event is obeyed", async () => {
  const [first, second] = [new Stream(), new Stream()];
  const { clock, transport, leave, over } = start([first, second], from);
  await settled();
  first.lines(anError(504, "Timeout", { retryAfterSeconds: 20 }));
  await clock.advance(19_999);
  expect(transport.requests).toHaveLength(1);
  await clock.advance(1);
  expect(transport.requests).toHaveLength(2);
  leave();
  second.lines(bookmark("11"));
  await over;
});

test("the backoff between connections grows, and is reset after a minute", async () => {
  const ended = { body: "" };
  const steady = new Stream();
  const replies = [ended, ended, ended, ended, steady, new Error("enough")];
  const { clock, transport, over, error } = start(replies, from);
  const waits: number[] = [];
  for (let count = 1; count < 5; count++) {
    await settled();
    expect(transport.requests).toHaveLength(count);
    waits.push(clock.nextMs ?? 0);
    await clock.advanceToNext();
  }
  for (const [index, baseMs] of [800, 1600, 3200, 6400].entries()) {
    expect(waits[index]).toBeGreaterThanOrEqual(baseMs);
    expect(waits[index]).toBeLessThan(baseMs * 2);
  }
  await clock.advance(61_000);
  steady.end();
  await settled();
  expect(clock.nextMs).toBeLessThan(1600);
  await clock.advanceToNext();
  await over;
  expect(error()).toMatchObject({ message: "enough" });
});

test.each<[string, (abort: () => void, stream: Stream) => void]>([
  ["while it waits for events", (abort) => abort()],
  [
    "while it waits to connect again",
    (abort, stream) => {
      stream.end();
      setImmediate(abort);
    },
  ],
])("an abort %s ends the watch with the reason", async (_, act) => {
  const stream = new Stream();
  const abort = new AbortController();
  const reason = new Error("enough");
  const { clock, error, over } = start([stream], { ...from, signal: abort.signal });
  await settled();
  act(() => abort.abort(reason), stream);
  await over;
  expect(error()).toBe(reason);
  expect([stream.closed, clock.timers]).toEqual([true, 0]);
});

test("after an abort no event is delivered, not even a buffered one", async () => {
  const stream = new Stream();
  const abort = new AbortController();
  const reason = new Error("enough");
  const transport = new ScriptedTransport(stream);
  const scope = { namespace: "home", restricted: false };
  const client = new KubeClient({ transport, scope, fieldManager: "test", clock: new VirtualClock() });
  const events = client.watch(ConfigMap, { ...from, signal: abort.signal })[Symbol.asyncIterator]();
  stream.lines(bookmark("11"), bookmark("12"), bookmark("13"));
  await events.next();
  abort.abort(reason);
  await expect(events.next()).rejects.toBe(reason);
});
