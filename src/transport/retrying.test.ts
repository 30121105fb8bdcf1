import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { settled, TokenBucket, VirtualClock } from "../base/index.ts";
import { ConnectionError } from "./connection-error.ts";
import { bodyOf, gate, httpServer, reply, transportTo } from "./local-server.fixture.ts";
import { type RetryOptions, retrying } from "./retrying.ts";
import { broken, type Scripted, scripted, status } from "./scripted-transport.fixture.ts";
import type { ApiRequest, Method, Transport } from "./transport.ts";

const ways = ["send", "open"] as const;
const methods: readonly Method[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];
const wait = (seconds: number | string): { "retry-after": string } => ({ "retry-after": String(seconds) });

/** What came of a call, in how many tries, and after how long. */
interface Story {
  readonly outcome: unknown;
  readonly tries: number;
  readonly elapsedMs: number;
}

/** Lets virtual time pass until the call has an end. */
async function play(
  script: readonly Scripted[],
  call: (transport: Transport) => Promise<{ readonly status: number }>,
  options: RetryOptions = {},
): Promise<Story> {
  const clock = new VirtualClock();
  const transport = scripted(...script);
  const ended = call(retrying(transport, { clock, ...options })).then(
    (response) => response.status,
    (error: unknown) => error,
  );
  while (await clock.advanceToNext());
  const outcome = await ended;
  return { outcome, tries: transport.asked.length, elapsedMs: clock.monotonic() };
}

const asking =
  (way: (typeof ways)[number], method: Method = "GET") =>
  (transport: Transport) =>
    transport[way]({ method, path: "/api/v1/pods" });

test.each(ways.flatMap((way) => methods.map((method) => ({ way, method }))))(
  "$way of $method: 429 and 503 with Retry-After are tried again after that long",
  async ({ way, method }) => {
    const script = [status(429, wait(1)), status(503, wait(5)), status(200)];
    expect(await play(script, asking(way, method))).toEqual({ outcome: 200, tries: 3, elapsedMs: 6000 });
  },
);

test.each([
  { title: "429 without Retry-After", answer: status(429) },
  { title: "503 without Retry-After", answer: status(503) },
  { title: "429 with a date", answer: status(429, wait("Wed, 21 Oct 2026 07:28:00 GMT")) },
  { title: "429 with a fraction", answer: status(429, wait("1.5")) },
  { title: "200 with Retry-After", answer: status(200, wait(1)) },
  { title: "301 with Retry-After", answer: status(301, wait(1)) },
  { title: "404 with Retry-After", answer: status(404, wait(1)) },
  { title: "409 with Retry-After", answer: status(409, wait(1)) },
])("$title is the answer, at once", async ({ answer }) => {
  for (const way of ways) {
    expect(await play([answer], asking(way))).toEqual({ outcome: answer.status, tries: 1, elapsedMs: 0 });
  }
});

test("every 5xx with Retry-After is tried again, one after the other", async () => {
  const script = [...[429, 500, 501, 502, 504].map((code) => status(code, wait(2))), status(201)];
  expect(await play(script, asking("send", "POST"))).toEqual({ outcome: 201, tries: 6, elapsedMs: 10_000 });
});

test("Retry-After of zero is tried again after a fifth of a second", async () => {
  const story = await play([status(429, wait(0)), status(200)], asking("send"));
  expect(story).toEqual({ outcome: 200, tries: 2, elapsedMs: 200 });
});

test.each([
  ["an hour", [status(503, wait(3600))], { outcome: 503, tries: 1, elapsedMs: 0 }],
  [
    "20 s each time",
    [1, 2, 3, 4, 5].map(() => status(503, wait(20))),
    { outcome: 503, tries: 4, elapsedMs: 60_000 },
  ],
  [
    "more seconds than can be counted",
    [status(503, wait("9".repeat(400)))],
    { outcome: 503, tries: 1, elapsedMs: 0 },
  ],
])("a request that is asked to wait %s waits for a minute in all", async (_, script, story) => {
  for (const way of ways) expect(await play(script, asking(way))).toEqual(story);
});

test.each([
  "ECONNRESET",
  "EPIPE",
  "UND_ERR_SOCKET",
  "UND_ERR_RES_CONTENT_LENGTH_MISMATCH",
  "HPE_INVALID_EOF_STATE",
])("GET broken off by %s is tried again at once, then after a second", async (code) => {
  for (const way of ways) {
    const story = await play([broken(code), broken(code), status(200)], asking(way));
    expect(story).toEqual({ outcome: 200, tries: 3, elapsedMs: 1000 });
  }
});

test.each(["POST", "PUT", "PATCH", "DELETE"] as const)(
  "%s broken off is not tried again: it may have been done",
  async (method) => {
    const error = broken("ECONNRESET");
    for (const way of ways) {
      expect(await play([error], asking(way, method))).toEqual({ outcome: error, tries: 1, elapsedMs: 0 });
    }
  },
);

test.each([
  "ECONNREFUSED",
  "ENOTFOUND",
  "CERT_HAS_EXPIRED",
  "UND_ERR_DESTROYED",
  "PROXY_REFUSED",
  "BODY_TOO_LARGE",
])("%s is never tried again", async (code) => {
  const error = broken(code);
  for (const way of ways) {
    expect(await play([error], asking(way))).toEqual({ outcome: error, tries: 1, elapsedMs: 0 });
  }
});

test.each(["ETIMEDOUT", "UND_ERR_HEADERS_TIMEOUT", "UND_ERR_CONNECT_TIMEOUT"])(
  "%s: an opened response is tried again, a request is not",
  async (code) => {
    const error = broken(code);
    expect(await play([error, status(200)], asking("open"))).toEqual({
      outcome: 200,
      tries: 2,
      elapsedMs: 1000,
    });
    expect(await play([error, status(200)], asking("send"))).toEqual({
      outcome: error,
      tries: 1,
      elapsedMs: 0,
    });
  },
);

test("errors that are not about the connection are never tried again", async () => {
  const error = new Error("expected a token, got none");
  expect(await play([error], asking("send"))).toEqual({ outcome: error, tries: 1, elapsedMs: 0 });
});

test.each([
  { retries: 0, tries: 1 },
  { retries: 3, tries: 4 },
  { retries: undefined, tries: 11 },
])("$retries retries are $tries tries; the last answer is given as it is", async ({ retries, tries }) => {
  for (const way of ways) {
    const asked = await play([status(429, wait(1))], asking(way), { retries });
    expect(asked).toEqual({ outcome: 429, tries, elapsedMs: (tries - 1) * 1000 });
    const error = broken("ECONNRESET");
    const broke = await play([error], asking(way), { retries });
    expect(broke).toEqual({ outcome: error, tries, elapsedMs: Math.max(0, tries - 2) * 1000 });
  }
});

test("a last failure names the one before it, if that was another", async () => {
  const { outcome } = await play(
    [broken("ECONNRESET"), broken("EPIPE"), broken("ECONNREFUSED")],
    asking("send"),
  );
  expect(outcome).toBeInstanceOf(ConnectionError);
  expect(outcome).toMatchObject({
    code: "ECONNREFUSED",
    message: "got ECONNREFUSED; the try before ended with EPIPE",
  });
});

test("every try sends the whole request", async () => {
  const bodies: string[] = [];
  const server = await httpServer(async (request, response) => {
    bodies.push(await bodyOf(request));
    if (bodies.length < 3) response.setHeader("retry-after", "7");
    reply(response, {}, bodies.length < 3 ? 429 : 201);
  });
  const clock = new VirtualClock();
  const retried = [gate(), gate()];
  let retries = 0;
  const transport = retrying(transportTo(server), { clock, onRetry: () => retried[retries++]?.pass() });
  const body = "x".repeat(200_000);
  const sent = transport.send({ method: "POST", path: "/", body });
  for (const { passed } of retried) {
    await passed;
    await clock.advance(7000);
  }
  expect([(await sent).status, bodies.map((text) => text === body)]).toEqual([201, [true, true, true]]);
});

test("a GET whose connection breaks in mid-body is whole at the second try", async () => {
  let asked = 0;
  const server = await httpServer((_, response) => {
    if (asked++ > 0) return reply(response, "whole");
    response.writeHead(200, { "content-length": 100 }).write("half", () => response.destroy());
  });
  const clock = new VirtualClock();
  const retried = gate();
  const transport = retrying(transportTo(server), { clock, onRetry: () => retried.pass() });
  const sent = transport.send({ method: "GET", path: "/" });
  await retried.passed;
  await clock.advance(0);
  expect([(await sent).body.toString(), asked]).toEqual(['"whole"', 2]);
});

test("an answer that is not the last is closed before the next try", async () => {
  const clock = new VirtualClock();
  const below = scripted(status(429, wait(1)), status(200));
  const opened = retrying(below, { clock }).open({ method: "GET", path: "/" });
  await settled();
  expect([below.closed, below.asked.length]).toEqual([[1], 1]);
  await clock.advance(1000);
  await opened;
  expect(below.closed).toEqual([1, 0]);
});

test("a signal ends the wait for the next try with its reason", async () => {
  for (const way of ways) {
    const clock = new VirtualClock();
    const stop = new AbortController();
    const below = scripted(status(429, wait(60)));
    const call = retrying(below, { clock })[way]({ method: "GET", path: "/", signal: stop.signal });
    await settled();
    stop.abort(new Error("enough"));
    await expect(call).rejects.toBe(stop.signal.reason);
    expect([below.asked.length, clock.timers, getEventListeners(stop.signal, "abort").length]).toEqual([
      1, 0, 0,
    ]);
  }
});

test("a signal that ends a later try is told by its own reason, untouched", async () => {
  const stop = new AbortController();
  stop.abort();
  const { name, message } = stop.signal.reason as Error;
  const story = await play([broken("ECONNRESET"), stop.signal.reason as Error], asking("send"));
  expect(story.outcome).toBe(stop.signal.reason);
  expect(stop.signal.reason).toMatchObject({ name, message });
});

/** Notes when it is asked for tokens. */
class LoudBucket extends TokenBucket {
  readonly #note: () => void;

  constructor(clock: VirtualClock, note: () => void) {
    super({ perSecond: 1, burst: 1, clock });
    this.#note = note;
  }

  override take(options: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    this.#note();
    return super.take(options);
  }
}

test.each([
  { way: "send", log: ["take at 0", "sent at 0", "again after 3000", "take at 3000", "sent at 3000"] },
  { way: "open", log: ["sent at 0", "again after 3000", "take at 3000", "sent at 3000"] },
] as const)(
  "$way: each try takes a token before it is sent, the first of an open none",
  async ({ way, log }) => {
    const clock = new VirtualClock();
    const told: string[] = [];
    const limiter = new LoudBucket(clock, () => told.push(`take at ${clock.monotonic()}`));
    const below = scripted(status(503, wait(3)), status(200));
    const noting =
      <R>(send: (request: ApiRequest) => Promise<R>) =>
      (request: ApiRequest) => {
        told.push(`sent at ${clock.monotonic()}`);
        return send(request);
      };
    const transport = retrying(
      { ...below, send: noting(below.send), open: noting(below.open) },
      { clock, limiter, onRetry: (_, { afterMs }) => told.push(`again after ${afterMs}`) },
    );
    const call = transport[way]({ method: "GET", path: "/" });
    while (await clock.advanceToNext());
    await call;
    expect(told).toEqual(log);
  },
);

test("requests beyond the limit wait for their tokens", async () => {
  const clock = new VirtualClock();
  const below = scripted(status(200));
  const transport = retrying(below, { clock, limiter: new TokenBucket({ perSecond: 2, burst: 2, clock }) });
  const all = Promise.all(Array.from({ length: 4 }, () => transport.send({ method: "GET", path: "/" })));
  await settled();
  expect(below.asked.length).toBe(2);
  await clock.advance(500);
  expect(below.asked.length).toBe(3);
  await clock.advance(500);
  await all;
  expect(below.asked.length).toBe(4);
});

test("a wait for a token ends with the signal's reason, and nothing is sent", async () => {
  const clock = new VirtualClock();
  const stop = new AbortController();
  const limiter = new TokenBucket({ perSecond: 1, burst: 1, clock });
  limiter.tryTake();
  const below = scripted(status(200));
  const call = retrying(below, { clock, limiter }).send({ method: "GET", path: "/", signal: stop.signal });
  await settled();
  stop.abort(new Error("enough"));
  await expect(call).rejects.toBe(stop.signal.reason);
  expect([below.asked.length, clock.timers]).toEqual([0, 0]);
});

test("every retry is told, with the code and the wait", async () => {
  const told: unknown[] = [];
  await play(
    [broken("ECONNRESET"), status(429, wait(2)), broken("ECONNRESET"), status(200)],
    asking("send"),
    {
      onRetry: ({ method, path }, why) => told.push({ method, path, ...why }),
    },
  );
  expect(told).toEqual([
    { method: "GET", path: "/api/v1/pods", code: "<error>", afterMs: 0 },
    { method: "GET", path: "/api/v1/pods", code: "429", afterMs: 2000 },
    { method: "GET", path: "/api/v1/pods", code: "<error>", afterMs: 1000 },
  ]);
});
