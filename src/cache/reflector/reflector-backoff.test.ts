import { expect, test } from "vitest";
import { lost, refused, type Scripted, Stream } from "./scripted-transport.fixture.ts";
import { bookmark, error, initialEnd, list, TestReflector } from "./test-reflector.fixture.ts";

const times = (count: number, reply: () => Scripted): Scripted[] => Array.from({ length: count }, reply);
const down = (): Scripted => lost("ECONNREFUSED");

/** Returns the backoff before each of the next `count` attempts. */
async function waits(reflector: TestReflector, count: number): Promise<number[]> {
  const waited: number[] = [];
  for (let attempt = 0; attempt < count; attempt++) waited.push((await reflector.next()).afterMs);
  return waited;
}

/** Expects each wait to be between one and two times its base. */
function expectAbout(waited: readonly number[], baseMs: readonly number[]): void {
  const shares = waited.map((ms, index) => ms / (baseMs[index] ?? Number.NaN));
  expect(shares.filter((share) => !(share >= 1 && share < 2))).toEqual([]);
  expect(waited).toHaveLength(baseMs.length);
}

test("the backoff doubles from 0.8 s to 30 s, with a jitter of up to 100 %", async () => {
  await using reflector = new TestReflector(times(9, down));
  await reflector.requests();
  const waited = await waits(reflector, 9);
  expectAbout(waited, [800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000, 30_000]);
});

test("two reflectors have different backoffs", async () => {
  const one = new TestReflector(times(3, down), { seed: 1 });
  const other = new TestReflector(times(3, down), { seed: 2 });
  expect(await waits(one, 3)).not.toEqual(await waits(other, 3));
  await one.end();
  await other.end();
});

test("a list does not reset the backoff", async () => {
  const full = (version: string): Stream => new Stream().lines(initialEnd(version), error(410, "Expired"));
  await using reflector = new TestReflector([full("10"), full("11"), full("12"), full("13")]);
  await reflector.requests();
  expectAbout(await waits(reflector, 4), [800, 1600, 3200, 6400]);
});

test("a watch that is alive for less than a minute does not reset the backoff", async () => {
  const watch = new Stream().lines(initialEnd("10"));
  await using reflector = new TestReflector([...times(3, down), watch, ...times(2, down)]);
  await reflector.requests();
  expectAbout(await waits(reflector, 3), [800, 1600, 3200]);
  await reflector.clock.advance(59_999);
  watch.lines(bookmark("11")).cut();
  await reflector.requests();
  expectAbout(await waits(reflector, 2), [6400, 12_800]);
});

test("a watch that is alive for a minute resets the backoff", async () => {
  const watch = new Stream().lines(initialEnd("10"));
  await using reflector = new TestReflector([...times(3, down), watch, ...times(2, down)]);
  await reflector.requests();
  expectAbout(await waits(reflector, 3), [800, 1600, 3200]);
  await reflector.clock.advance(60_000);
  watch.lines(bookmark("11")).cut();
  await reflector.requests();
  expectAbout(await waits(reflector, 2), [800, 1600]);
});

test("a server that never responds does not reset the backoff", async () => {
  await using reflector = new TestReflector(["never", "never", "never", "never"]);
  await reflector.requests();
  const waited = await waits(reflector, 3);
  expectAbout(
    waited.map((ms) => ms - 70_000),
    [800, 1600, 3200],
  );
  await reflector.transport.respondLate();
});

test("the Retry-After of a response is honoured", async () => {
  const busy = (): Scripted => ({
    ...refused({ code: 429, reason: "TooManyRequests" }),
    headers: { "retry-after": "20" },
  });
  await using reflector = new TestReflector([busy(), busy()]);
  await reflector.requests();
  expect(await waits(reflector, 2)).toEqual([20_000, 20_000]);
});

test("the retryAfterSeconds of a watch error is honoured", async () => {
  const watch = new Stream().lines(
    initialEnd("10"),
    error(429, "TooManyRequests", { details: { retryAfterSeconds: 9 } }),
  );
  await using reflector = new TestReflector([watch]);
  await reflector.requests();
  expect(await reflector.next()).toEqual({ afterMs: 9000, requests: ["watch 10"] });
});

test("a watch that keeps expiring is requested at most a hundred times an hour", async () => {
  await using reflector = new TestReflector(times(500, down));
  await reflector.clock.advance(3_600_000);
  const requests = await reflector.requests();
  expect(requests.length).toBeGreaterThan(60);
  expect(requests.length).toBeLessThanOrEqual(100);
});

test("a missing permission is reported every time, and the request is retried", async () => {
  const message = 'configmaps is forbidden: User "u" cannot list resource "configmaps"';
  const forbidden = (): Scripted => refused({ code: 403, reason: "Forbidden", message });
  await using reflector = new TestReflector([...times(4, forbidden), new Stream().lines(initialEnd("10"))]);
  expect(await reflector.requests()).toEqual(['stream ""', 'list "" limit 500']);
  expect((await reflector.next()).requests).toEqual(['stream ""', 'list "" limit 500']);
  expect((await reflector.next()).requests).toEqual(['stream ""']);
  expect(await reflector.received()).toEqual(["replace 10"]);
  const logLines = `expected success of GET /api/v1/configmaps?limit=500, got 403 Forbidden: ${message}`;
  expect(reflector.errors).toEqual([logLines, logLines]);
});

test("a missing kind is requested until it exists", async () => {
  const missing = (): Scripted => refused({ code: 404, reason: "NotFound" });
  await using reflector = new TestReflector([missing(), missing(), new Stream().lines(initialEnd("10"))]);
  expect(await reflector.requests()).toEqual(['stream ""', 'list "" limit 500']);
  expect(reflector.errors).toHaveLength(1);
  expect((await reflector.next()).requests).toEqual(['stream ""']);
  expect(await reflector.received()).toEqual(["replace 10"]);
});

test("if only the watch is forbidden, the collection is listed again after each backoff", async () => {
  const forbidden = (): Scripted => refused({ code: 403, reason: "Forbidden" });
  const replies = [forbidden(), list("10", []), forbidden(), forbidden(), list("20", []), forbidden()];
  await using reflector = new TestReflector(replies);
  expect(await reflector.requests()).toEqual(['stream ""', 'list "" limit 500', "watch 10"]);
  expect((await reflector.next()).requests).toEqual(["stream 10", "list 10", "watch 20"]);
  expect(await reflector.received()).toEqual(["replace 10", "replace 20"]);
});

test("the collection is resolved until that succeeds, with backoff", async () => {
  const failures = [new Error("no such kind"), new Error("no response"), undefined];
  await using reflector = new TestReflector([], {
    async onResolve() {
      const failure = failures.shift();
      if (failure) throw failure;
    },
  });
  const { afterMs, requests } = await reflector.next();
  expect(requests).toEqual(['stream ""']);
  expect(afterMs).toBeGreaterThanOrEqual(2400);
  expect(reflector.errors).toEqual(["no such kind", "no response"]);
});

test("the collection is resolved again after a 404, and only then", async () => {
  let resolves = 0;
  const replies = [404, 404, 500, 500].map((code) => refused({ code }));
  await using reflector = new TestReflector(replies, {
    async onResolve() {
      resolves += 1;
    },
  });
  await reflector.requests();
  expect(resolves).toBe(1);
  await reflector.next();
  expect(resolves).toBe(2);
  await reflector.next();
  expect(resolves).toBe(2);
});

test("an abort does not wait for the collection to be resolved", async () => {
  const reflector = new TestReflector([], { onResolve: () => new Promise(() => {}) });
  await reflector.requests();
  await reflector.end();
  expect(reflector.errors).toEqual([]);
});

test("a lasting failure is logged once, as a message without a stack, and again after the server has sent something", async () => {
  const watch = new Stream().lines(initialEnd("10"));
  await using reflector = new TestReflector([...times(3, down), watch, ...times(3, down)]);
  await reflector.requests();
  await waits(reflector, 3);
  watch.cut();
  await reflector.requests();
  await waits(reflector, 2);
  const warned = reflector.logged.filter(({ level }) => level === "warn");
  expect(warned.map(({ message, fields }) => [message, typeof fields.error])).toEqual([
    ["watch failed", "string"],
    ["watch failed", "string"],
    ["watch failed", "string"],
  ]);
});

test("a failure that onError has reported is logged at level debug", async () => {
  await using reflector = new TestReflector(times(3, down), { onError: () => true });
  await reflector.requests();
  await waits(reflector, 2);
  const failures = reflector.logged.filter(({ message }) => /^watch (still )?fail/.test(message));
  expect(failures.map(({ level, message }) => `${level} ${message}`)).toEqual([
    "debug watch failed",
    "debug watch still failing",
    "debug watch still failing",
  ]);
});

test("the recovery of a failed watch is logged once, with its downtime", async () => {
  const watch = new Stream().lines(initialEnd("10"));
  await using reflector = new TestReflector([...times(3, down), watch, down(), new Stream()]);
  await reflector.requests();
  await waits(reflector, 3);
  const firstMs = reflector.clock.monotonic();
  await reflector.clock.advance(5000);
  const brokenMs = reflector.clock.monotonic();
  watch.cut();
  await waits(reflector, 2);
  const secondMs = reflector.clock.monotonic() - brokenMs;
  await reflector.clock.advance(5000);
  expect(logLines(reflector)).toEqual([
    ["warn watch failed", undefined],
    ["info watch recovered", Math.round(firstMs)],
    ["warn watch failed", undefined],
    ["warn watch failed", undefined],
    ["info watch recovered", Math.round(secondMs)],
  ]);
});

test("successful lists between failed watches are not a recovery", async () => {
  const forbidden = (): Scripted => refused({ code: 403, reason: "Forbidden" });
  const replies = [forbidden(), list("10", []), forbidden(), forbidden(), list("20", []), forbidden()];
  await using reflector = new TestReflector(replies);
  await reflector.requests();
  await waits(reflector, 1);
  expect(logLines(reflector).filter(([line]) => line.startsWith("info"))).toEqual([]);
});

test("the recovery from failures that onError has reported is not logged", async () => {
  await using reflector = new TestReflector([...times(2, down), new Stream().lines(initialEnd("10"))], {
    onError: () => true,
  });
  await reflector.requests();
  await waits(reflector, 2);
  expect(logLines(reflector)).toEqual([]);
});

/** Returns the log lines above level debug, and their downtime. */
function logLines({ logged }: TestReflector): [line: string, downMs: unknown][] {
  return logged
    .filter(({ level }) => level !== "debug")
    .map(({ level, message, fields }) => [`${level} ${message}`, fields.downMs]);
}
