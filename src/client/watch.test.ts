import { expect, test } from "vitest";
import { metadataOnly } from "../api/index.ts";
import { ConfigMap } from "../api/types/core/v1.ts";
import { seededRng, settled, VirtualClock } from "../base/index.ts";
import { ConnectionError, FrameTooLongError } from "../transport/index.ts";
import { isExpired, type WatchEvent, type WatchOptions } from "./index.ts";
import { KubeClient } from "./kube-client.ts";
import { type Reply, refused, ScriptedTransport, Stream } from "./scripted-transport.fixture.ts";

interface Started {
  readonly clock: VirtualClock;
  readonly transport: ScriptedTransport;
  /** What has come: events in short, then how it ended. */
  readonly log: string[];
  /** What ended it. */
  readonly error: () => unknown;
  /** Ends the loop at the next event. */
  leave(): void;
  readonly over: Promise<void>;
}

/** A watch that is read as fast as it comes. */
function start(replies: readonly (Reply | Error | Stream)[], options: WatchOptions = {}): Started {
  const clock = new VirtualClock();
  const transport = new ScriptedTransport(...replies);
  const scope = { namespace: "home", only: false };
  const client = new KubeClient({ transport, scope, fieldManager: "test", clock, rng: seededRng(1) });
  const log: string[] = [];
  let error: unknown;
  let left = false;
  const read = async (): Promise<void> => {
    try {
      for await (const event of client.watch(ConfigMap, options)) {
        log.push(brief(event));
        if (left) break;
      }
      log.push("left");
    } catch (thrown) {
      error = thrown;
      log.push("failed");
    }
  };
  const leave = (): void => {
    left = true;
  };
  return { clock, transport, log, error: () => error, leave, over: read() };
}

function brief(event: WatchEvent<ConfigMap>): string {
  if (event.type === "bookmark") return `bookmark ${event.resourceVersion}`;
  const { name, resourceVersion } = event.object.metadata;
  return `${event.type} ${name} ${resourceVersion}`;
}

const frame = (type: string, name: string, resourceVersion: string) => ({
  type,
  object: { apiVersion: "v1", kind: "ConfigMap", metadata: { name, resourceVersion } },
});
const bookmark = (resourceVersion: string) => ({
  type: "BOOKMARK",
  object: { kind: "ConfigMap", metadata: { resourceVersion } },
});

/** The versions that watches were opened from. */
const versions = ({ requests }: ScriptedTransport) =>
  requests.map(({ path }) => new URL(path, "http://host").searchParams.get("resourceVersion"));

const from = { resourceVersion: "10" };
const anError = (code: number, reason: string, details?: object) => ({
  type: "ERROR",
  object: {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: "no",
    reason,
    code,
    details,
  },
});

test("what exists comes first, then what changes since", async () => {
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
      /^GET \/api\/v1\/configmaps\?labelSelector=app%3Da&watch=true&allowWatchBookmarks=true&resourceVersion=10&timeoutSeconds=[345]\d\d$/,
    ),
  ]);
  leave();
  stream.lines(bookmark("14"));
  await over;
});

test("from a version, only what changed since comes", async () => {
  const stream = new Stream();
  const { log, transport, leave, over } = start([stream], { ...from, namespace: "home" });
  leave();
  stream.lines(frame("MODIFIED", "a", "11"));
  await over;
  expect(log).toEqual(["modified a 11", "left"]);
  expect(transport.lines[0]).toMatch(/^GET \/api\/v1\/namespaces\/home\/configmaps\?watch=true/);
});

test.each(["0", ""])(
  "from version %j the list comes first, since what exists has no order of versions",
  async (resourceVersion) => {
    const stream = new Stream();
    const list = { body: { metadata: { resourceVersion: "10" }, items: [] } };
    const { transport, leave, over } = start([list, stream], { resourceVersion });
    leave();
    stream.lines(bookmark("11"));
    await over;
    expect(versions(transport)).toEqual([resourceVersion, "10"]);
  },
);

test("metadata alone is asked for where it is wanted", async () => {
  const stream = new Stream();
  const transport = new ScriptedTransport(stream);
  const clock = new VirtualClock();
  const client = new KubeClient({
    transport,
    scope: { namespace: "", only: false },
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
  ["the connection is cut", (stream) => stream.cut(), "expected more, got a reset"],
  [
    "it ends within an event",
    (stream) => {
      stream.text('{"type":"ADDED","obj');
      stream.end();
    },
    "got an end in the middle of an event",
  ],
  [
    "the server fails within it",
    (stream) => stream.lines(anError(500, "InternalError")),
    "got 500 InternalError",
  ],
])("when %s, it goes on from the last version", async (_, stop, message) => {
  const [first, second] = [new Stream(), new Stream()];
  const causes: (Error | undefined)[] = [];
  const onReconnect = (cause: Error | undefined): number => causes.push(cause);
  const { clock, log, transport, leave, over } = start([first, second], { ...from, onReconnect });
  first.lines(frame("ADDED", "a", "11"), bookmark("15"));
  stop(first);
  await settled();
  expect(transport.requests).toHaveLength(1);
  await clock.advance(1500);
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

test("a last event without a newline is an event", async () => {
  const stream = new Stream();
  const { log, transport, clock } = start([stream, new Error("enough")], from);
  stream.text(JSON.stringify(frame("ADDED", "a", "11")));
  stream.end();
  await clock.advance(2000);
  expect(log[0]).toBe("added a 11");
  expect(versions(transport)).toEqual(["10", "11"]);
});

test("silence of 75 seconds is taken for a dead connection", async () => {
  const [first, second] = [new Stream(), new Stream()];
  const causes: unknown[] = [];
  const { clock, transport, leave, over } = start([first, second], {
    ...from,
    onReconnect: (cause) => causes.push(cause?.message),
  });
  await clock.advance(60_000);
  first.lines(bookmark("11"));
  await clock.advance(74_999);
  expect([first.closed, transport.requests.length]).toEqual([false, 1]);
  await clock.advance(1);
  expect(first.closed).toBe(true);
  expect(causes).toEqual([expect.stringMatching(/^expected events from GET \S+, got nothing for 75000 ms$/)]);
  await clock.advance(1500);
  leave();
  second.lines(bookmark("12"));
  await over;
  expect(versions(transport)).toEqual(["10", "11"]);
  expect(clock.timers).toBe(0);
});

test("even half an event is not silence", async () => {
  const stream = new Stream();
  const { clock, leave, over } = start([stream], from);
  const text = `${JSON.stringify(bookmark("11"))}\n`;
  for (const piece of [text.slice(0, 9), text.slice(9, 20)]) {
    await clock.advance(70_000);
    stream.text(piece);
  }
  await clock.advance(70_000);
  leave();
  stream.text(text.slice(20));
  await over;
  expect(stream.closed).toBe(true);
});

test.each([
  ["500", refused(500, "InternalError")],
  ["429", refused(429, "TooManyRequests")],
  [
    "no connection",
    new ConnectionError("got ECONNREFUSED", { code: "ECONNREFUSED", request: { method: "GET", path: "/" } }),
  ],
])("a later connection that meets %s is tried again", async (_, trouble) => {
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
])("a first connection that meets %s is the caller's to know", async (_, trouble) => {
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
])("a later connection that meets %s is an error", async (code, trouble) => {
  const stream = new Stream();
  const { clock, log, error, over } = start([stream, trouble], from);
  await settled();
  stream.end();
  await clock.advance(2000);
  await over;
  expect(log).toEqual(["failed"]);
  expect(error()).toMatchObject({ name: "ApiError", code: Number(code) });
});

test("an ERROR event that says the version is gone is an error", async () => {
  const stream = new Stream();
  const { error, over } = start([stream], from);
  stream.lines(anError(410, "Expired"));
  await over;
  expect(isExpired(error())).toBe(true);
  expect(stream.closed).toBe(true);
});

test("an ERROR event that asks for a wait has it", async () => {
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
])("%s is an error that shows it", async (_, text, shown) => {
  const stream = new Stream();
  const { error, log, over } = start([stream], from);
  stream.text(text);
  stream.end();
  await over;
  expect(log).toEqual(["failed"]);
  expect(error()).toMatchObject({ name: "ApiError", code: 200, reason: "InvalidAnswer" });
  expect(String(error())).toMatch(
    /expected watch events from GET \S+, got .*; is that address a Kubernetes API server\?$/,
  );
  expect(String(error())).toContain(shown);
});

test("a frame beyond all measure is an error, and is not kept", async () => {
  const stream = new Stream();
  const { error, over } = start([stream], from);
  stream.text('{"type":"ADDED","object":{"metadata":{"name":"');
  for (let megabytes = 0; megabytes < 65 && !stream.closed; megabytes++)
    stream.bytes(Buffer.alloc(1024 * 1024, "a"));
  await over;
  expect(error()).toBeInstanceOf(FrameTooLongError);
  expect(String(error())).toMatch(/, from GET \/api\/v1\/configmaps\?watch=true/);
});

test("events before a mistake are events", async () => {
  const stream = new Stream();
  const { log, over } = start([stream], from);
  stream.text(`${JSON.stringify(frame("ADDED", "a", "11"))}\njunk\n${JSON.stringify(bookmark("12"))}\n`);
  await over;
  expect(log).toEqual(["added a 11", "failed"]);
});

test("the wait between connections grows, and is short again after a minute of health", async () => {
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
  for (const [index, baseMs] of [1000, 2000, 4000, 8000].entries()) {
    expect(waits[index]).toBeGreaterThanOrEqual(baseMs);
    expect(waits[index]).toBeLessThan(baseMs * 1.5);
  }
  await clock.advance(61_000);
  steady.end();
  await settled();
  expect(clock.nextMs).toBeLessThan(1500);
  await clock.advanceToNext();
  await over;
  expect(error()).toMatchObject({ message: "enough" });
});

test("leaving the loop closes the connection", async () => {
  const stream = new Stream();
  const { clock, leave, over } = start([stream], from);
  leave();
  stream.lines(bookmark("11"), bookmark("12"));
  await over;
  expect([stream.closed, clock.timers]).toEqual([true, 0]);
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
])("an abort %s ends it with the reason", async (_, act) => {
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

test("after an abort nothing more comes, not even what was read ahead", async () => {
  const stream = new Stream();
  const abort = new AbortController();
  const reason = new Error("enough");
  const transport = new ScriptedTransport(stream);
  const scope = { namespace: "home", only: false };
  const client = new KubeClient({ transport, scope, fieldManager: "test", clock: new VirtualClock() });
  const events = client.watch(ConfigMap, { ...from, signal: abort.signal })[Symbol.asyncIterator]();
  stream.lines(bookmark("11"), bookmark("12"), bookmark("13"));
  await events.next();
  abort.abort(reason);
  await expect(events.next()).rejects.toBe(reason);
});

test("a slow reader makes the server wait, and its slowness is not silence", async () => {
  const stream = new Stream();
  const transport = new ScriptedTransport(stream);
  const clock = new VirtualClock();
  const client = new KubeClient({
    transport,
    scope: { namespace: "", only: false },
    fieldManager: "test",
    clock,
  });
  const events = client.watch(ConfigMap, from)[Symbol.asyncIterator]();
  const batch = (start: number) => Array.from({ length: 600 }, (_, index) => bookmark(String(start + index)));
  stream.lines(...batch(1000));
  stream.lines(...batch(2000));
  stream.lines(...batch(3000));
  await events.next();
  expect(stream.paused).toBe(true);
  await clock.advance(149_000);
  for (let count = 1; count < 1200; count++) await events.next();
  expect(stream.paused).toBe(false);
  await clock.advance(74_000);
  const { value } = await events.next();
  expect(value).toEqual({ type: "bookmark", resourceVersion: "3000" });
  expect(stream.closed).toBe(false);
  await events.return?.();
  expect(clock.timers).toBe(0);
});
