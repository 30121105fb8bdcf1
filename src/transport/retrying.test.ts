import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { settled, TokenBucket, VirtualClock } from "../base/index.ts";
import { ConnectionError } from "./http/connection-error.ts";
import { bodyOf, gate, httpServer, reply, transportTo } from "./local-server.fixture.ts";
import { type RetryOptions, retrying } from "./retrying.ts";
import { broken, type Scripted, scripted, status } from "./scripted-transport.fixture.ts";
import type { ApiRequest, Method, Transport } from "./transport.ts";

const methodNames = ["send", "open"] as const;
const methods: readonly Method[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];
const wait = (seconds: number | string): { "retry-after": string } => ({ "retry-after": String(seconds) });

/** The outcome of a call, its number of attempts and its duration. */
interface Story {
  readonly outcome: unknown;
  readonly tries: number;
  readonly elapsedMs: number;
}

/** Advances virtual time until the call ends. */
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
  return { outcome, tries: transport.requests.length, elapsedMs: clock.monotonic() };
}

const calling =
  (way: (typeof methodNames)[number], method: Method = "GET") =>
  (transport: Transport) =>
    transport[way]({ method, path: "/api/v1/pods" });

test.each(methodNames.flatMap((way) => methods.map((method) => ({ way, method }))))(
  "$way of $method: 429 and 503 with Retry-After are retried after that delay",
  async ({ way, method }) => {
    const script = [status(429, wait(1)), status(503, wait(5)), status(200)];
    expect(await play(script, calling(way, method))).toEqual({ outcome: 200, tries: 3, elapsedMs: 6000 });
  },
);

test.each([
  { title: "429 without Retry-After", response: status(429) },
  { title: "503 without Retry-After", response: status(503) },
  { title: "429 with a date", response: status(429, wait("Wed, 21 Oct 2026 07:28:00 GMT")) },
  { title: "429 with a fraction", response: status(429, wait("1.5")) },
  { title: "200 with Retry-After", response: status(200, wait(1)) },
  { title: "301 with Retry-After", response: status(301, wait(1)) },
  { title: "404 with Retry-After", response: status(404, wait(1)) },
  { title: "409 with Retry-After", response: status(409, wait(1)) },
])("$title is returned without a retry", async ({ response }) => {
  for (const way of methodNames) {
    expect(await play([response], calling(way))).toEqual({
      outcome: response.status,
      tries: 1,
      elapsedMs: 0,
    });
  }
});

test("every 5xx with Retry-After is retried", async () => {
  const script = [...[429, 500, 501, 502, 504].map((code) => status(code, wait(2))), status(201)];
  expect(await play(script, calling("send", "POST"))).toEqual({ outcome: 201, tries: 6, elapsedMs: 10_000 });
});

test("Retry-After of zero is retried after 200 ms", async () => {
  const story = await play([status(429, wait(0)), status(200)], calling("send"));
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
])("a request with Retry-After %s waits for at most a minute in total", async (_, script, story) => {
  for (const way of methodNames) expect(await play(script, calling(way))).toEqual(story);
});

test.each([
  "ECONNRESET",
  "EPIPE",
  "UND_ERR_SOCKET",
  "UND_ERR_RES_CONTENT_LENGTH_MISMATCH",
  "HPE_INVALID_EOF_STATE",
])("GET is retried after %s, at once and then after a second", async (code) => {
  for (const way of methodNames) {
    const story = await play([broken(code), broken(code), status(200)], calling(way));
    expect(story).toEqual({ outcome: 200, tries: 3, elapsedMs: 1000 });
  }
});

test.each(["POST", "PUT", "PATCH", "DELETE"] as const)(
  "%s is not retried after a broken connection",
  async (method) => {
    const error = broken("ECONNRESET");
    for (const way of methodNames) {
      expect(await play([error], calling(way, method))).toEqual({ outcome: error, tries: 1, elapsedMs: 0 });
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
])("%s is never retried", async (code) => {
  const error = broken(code);
  for (const way of methodNames) {
    expect(await play([error], calling(way))).toEqual({ outcome: error, tries: 1, elapsedMs: 0 });
  }
});

test.each(["ETIMEDOUT", "UND_ERR_HEADERS_TIMEOUT", "UND_ERR_CONNECT_TIMEOUT"])(
  "%s: open is retried, send is not",
  async (code) => {
    const error = broken(code);
    expect(await play([error, status(200)], calling("open"))).toEqual({
      outcome: 200,
      tries: 2,
      elapsedMs: 1000,
    });
    expect(await play([error, status(200)], calling("send"))).toEqual({
      outcome: error,
      tries: 1,
      elapsedMs: 0,
    });
  },
);

test("errors other than a ConnectionError are never retried", async () => {
  const error = new Error("expected a token, got none");
  expect(await play([error], calling("send"))).toEqual({ outcome: error, tries: 1, elapsedMs: 0 });
});

test.each([
  { retries: 0, tries: 1 },
  { retries: 3, tries: 4 },
  { retries: undefined, tries: 11 },
])("$retries retries are $tries attempts, and the last response is returned", async ({ retries, tries }) => {
  for (const way of methodNames) {
    const requests = await play([status(429, wait(1))], calling(way), { retries });
    expect(requests).toEqual({ outcome: 429, tries, elapsedMs: (tries - 1) * 1000 });
    const error = broken("ECONNRESET");
    const broke = await play([error], calling(way), { retries });
    expect(broke).toEqual({ outcome: error, tries, elapsedMs: Math.max(0, tries - 2) * 1000 });
  }
});

test("the last error names the code of the previous error, if it is different", async () => {
  const { outcome } = await play(
    [broken("ECONNRESET"), broken("EPIPE"), broken("ECONNREFUSED")],
    calling("send"),
  );
  expect(outcome).toBeInstanceOf(ConnectionError);
  expect(outcome).toMatchObject({
    code: "ECONNREFUSED",
    message: "got ECONNREFUSED; the previous attempt failed with EPIPE",
  });
});

test("every attempt sends the complete request", async () => {
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

test("a GET whose connection breaks within the body is complete after a retry", async () => {
  let requests = 0;
  const server = await httpServer((_, response) => {
    if (requests++ > 0) return reply(response, "whole");
    response.writeHead(200, { "content-length": 100 }).write("half", () => response.destroy());
  });
  const clock = new VirtualClock();
  const retried = gate();
  const transport = retrying(transportTo(server), { clock, onRetry: () => retried.pass() });
  const sent = transport.send({ method: "GET", path: "/" });
  await retried.passed;
  await clock.advance(0);
  expect([(await sent).body.toString(), requests]).toEqual(['"whole"', 2]);
});

test("a response is closed before the next attempt", async () => {
  const clock = new VirtualClock();
  const below = scripted(status(429, wait(1)), status(200));
  const opened = retrying(below, { clock }).open({ method: "GET", path: "/" });
  await settled();
  expect([below.closed, below.requests.length]).toEqual([[1], 1]);
  await clock.advance(1000);
  await opened;
  expect(below.closed).toEqual([1, 0]);
});

test("a signal ends the delay before a retry with its reason", async () => {
  for (const way of methodNames) {
    const clock = new VirtualClock();
    const stop = new AbortController();
    const below = scripted(status(429, wait(60)));
    const call = retrying(below, { clock })[way]({ method: "GET", path: "/", signal: stop.signal });
    await settled();
    stop.abort(new Error("enough"));
    await expect(call).rejects.toBe(stop.signal.reason);
    expect([below.requests.length, clock.timers, getEventListeners(stop.signal, "abort").length]).toEqual([
      1, 0, 0,
    ]);
  }
});

test("the reason of a signal that ends a later attempt is thrown unchanged", async () => {
  const stop = new AbortController();
  stop.abort();
  const { name, message } = stop.signal.reason as Error;
  const story = await play([broken("ECONNRESET"), stop.signal.reason as Error], calling("send"));
  expect(story.outcome).toBe(stop.signal.reason);
  expect(stop.signal.reason).toMatchObject({ name, message });
});

/** A token bucket that reports each `take`. */
class ReportingBucket extends TokenBucket {
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
    const events: string[] = [];
    const limiter = new ReportingBucket(clock, () => events.push(`take at ${clock.monotonic()}`));
    const below = scripted(status(503, wait(3)), status(200));
    const noting =
      <R>(send: (request: ApiRequest) => Promise<R>) =>
      (request: ApiRequest) => {
        events.push(`sent at ${clock.monotonic()}`);
        return send(request);
      };
    const transport = retrying(
      { ...below, send: noting(below.send), open: noting(below.open) },
      { clock, limiter, onRetry: (_, { afterMs }) => events.push(`again after ${afterMs}`) },
    );
    const call = transport[way]({ method: "GET", path: "/" });
    while (await clock.advanceToNext());
    await call;
    expect(events).toEqual(log);
  },
);

test("requests beyond the limit wait for their tokens", async () => {
  const clock = new VirtualClock();
  const below = scripted(status(200));
  const transport = retrying(below, { clock, limiter: new TokenBucket({ perSecond: 2, burst: 2, clock }) });
  const all = Promise.all(Array.from({ length: 4 }, () => transport.send({ method: "GET", path: "/" })));
  await settled();
  expect(below.requests.length).toBe(2);
  await clock.advance(500);
  expect(below.requests.length).toBe(3);
  await clock.advance(500);
  await all;
  expect(below.requests.length).toBe(4);
});

test("a signal ends the wait for a token with its reason, and nothing is sent", async () => {
  const clock = new VirtualClock();
  const stop = new AbortController();
  const limiter = new TokenBucket({ perSecond: 1, burst: 1, clock });
  limiter.tryTake();
  const below = scripted(status(200));
  const call = retrying(below, { clock, limiter }).send({ method: "GET", path: "/", signal: stop.signal });
  await settled();
  stop.abort(new Error("enough"));
  await expect(call).rejects.toBe(stop.signal.reason);
  expect([below.requests.length, clock.timers]).toEqual([0, 0]);
});

test("onRetry receives the code and the delay of every retry", async () => {
  const events: unknown[] = [];
  await play(
    [broken("ECONNRESET"), status(429, wait(2)), broken("ECONNRESET"), status(200)],
    calling("send"),
    {
      onRetry: ({ method, path }, reason) => events.push({ method, path, ...reason }),
    },
  );
  expect(events).toEqual([
    { method: "GET", path: "/api/v1/pods", code: "<error>", afterMs: 0 },
    { method: "GET", path: "/api/v1/pods", code: "429", afterMs: 2000 },
    { method: "GET", path: "/api/v1/pods", code: "<error>", afterMs: 1000 },
  ]);
});
