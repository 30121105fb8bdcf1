import { expect, test } from "vitest";
import { ApiError, ConnectionError, watchSilent } from "../../transport/index.ts";
import { type Outcome, type ReflectorState, type Transition, transition } from "./reflector-state.ts";
import { watchEndless } from "./watch-stream.ts";

const request = { method: "GET", path: "/" } as const;
const api = (code: number, reason: string, causes: { reason?: string; message?: string }[] = []) =>
  new ApiError(`${code} ${reason}`, { code, reason, details: { causes } });
const connection = (code: string) => new ConnectionError(code, { code, request });

const expired = api(410, "Expired");
const tooLarge = api(504, "Timeout", [{ reason: "ResourceVersionTooLarge" }]);
const throttled = api(429, "TooManyRequests");
const unavailable = api(503, "ServiceUnavailable");
const broken = api(500, "InternalError");
const forbidden = api(403, "Forbidden");
const reset = connection("ECONNRESET");

const streaming = (version: string, attempts = 0): ReflectorState => ({
  phase: "streaming",
  version,
  streamingLists: true,
  attempts,
});
const listing = (version: string, streamingLists = true): ReflectorState => ({
  phase: "listing",
  version,
  streamingLists,
});
const watching = (version: string, streamingLists = true): ReflectorState => ({
  phase: "watching",
  version,
  streamingLists,
});

/** A stream that the server ended. */
const ended = (openMs: number, events: number, version?: string): Outcome => ({
  type: "ended",
  openMs,
  events,
  version,
});
const failed = (error: Error, openMs?: number, version?: string): Outcome => ({
  type: "failed",
  error,
  openMs,
  version,
});

interface Case {
  readonly when: string;
  readonly state: ReflectorState;
  readonly outcome: Outcome;
  readonly expected: Transition;
}

const cases: readonly Case[] = [
  {
    when: "a streaming list is complete: watch from its version",
    state: streaming(""),
    outcome: { type: "listed", version: "10" },
    expected: { reason: "listed", next: watching("10"), wait: false },
  },
  {
    when: "a streaming list ends at once without an event: request pages",
    state: streaming(""),
    outcome: ended(1999, 0),
    expected: { reason: "short", next: listing(""), wait: false },
  },
  {
    when: "a streaming list ends early with events: request it again after a backoff",
    state: streaming("7"),
    outcome: ended(1999, 3),
    expected: { reason: "ended", next: streaming("7", 1), wait: true },
  },
  {
    when: "a streaming list ends late and incomplete: request it again",
    state: streaming("7"),
    outcome: ended(2000, 0),
    expected: { reason: "ended", next: streaming("7", 1), wait: false },
  },
  {
    when: "a third streaming list ends incomplete: request pages",
    state: streaming("7", 2),
    outcome: ended(9000, 5),
    expected: { reason: "ended", next: listing("7"), wait: false },
  },
  {
    when: "a streaming list breaks: request it again",
    state: streaming("", 1),
    outcome: failed(reset, 9000),
    expected: { reason: "broken", next: streaming("", 2), wait: false, error: reset },
  },
  {
    when: "a third streaming list breaks: request pages",
    state: streaming("", 2),
    outcome: failed(reset, 9000),
    expected: { reason: "broken", next: listing(""), wait: false, error: reset },
  },
  {
    when: "a streaming list cannot be opened: request it again, any number of times",
    state: streaming("", 2),
    outcome: failed(reset),
    expected: { reason: "broken", next: streaming("", 2), wait: true, error: reset },
  },
  ...[throttled, unavailable].map((error) => ({
    when: `a streaming list is throttled (${error.code}): request it again after a backoff`,
    state: streaming("7"),
    outcome: failed(error),
    expected: { reason: "throttled" as const, next: streaming("7"), wait: true, error },
  })),
  ...[expired, tooLarge].map((error) => ({
    when: `the version of a streaming list is out of reach (${error.reason}): request the newest at once`,
    state: streaming("7", 1),
    outcome: failed(error, 5),
    expected: {
      reason: "expired" as const,
      next: streaming("", 1),
      wait: false,
      error: error === tooLarge ? error : undefined,
    },
  })),
  ...[expired, broken, forbidden, new TypeError("junk")].map((error) => ({
    when: `a streaming list of the newest version fails (${error.message}): request pages`,
    state: streaming(""),
    outcome: failed(error, 5),
    expected: { reason: "failed" as const, next: listing(""), wait: false },
  })),
  ...[
    api(400, "BadRequest"),
    api(405, "MethodNotAllowed"),
    api(406, "NotAcceptable"),
    api(422, "Invalid"),
    connection(watchSilent),
    connection(watchEndless),
  ].map((error) => ({
    when: `streaming lists are not supported (${error.message}): request pages from then on`,
    state: streaming("7"),
    outcome: failed(error, 5),
    expected: { reason: "unsupported" as const, next: listing("7", false), wait: false, error },
  })),
  {
    when: "a paged list is complete: watch from its version",
    state: listing("7", false),
    outcome: { type: "listed", version: "10" },
    expected: { reason: "listed", next: watching("10", false), wait: false },
  },
  ...[expired, tooLarge].map((error) => ({
    when: `the version of a list is out of reach (${error.reason}): request the newest at once`,
    state: listing("7", false),
    outcome: failed(error),
    expected: {
      reason: "expired" as const,
      next: listing("", false),
      wait: false,
      error: error === tooLarge ? error : undefined,
    },
  })),
  ...[expired, broken, forbidden].map((error) => ({
    when: `a list of the newest version fails (${error.reason}): list again after a backoff`,
    state: listing("", false),
    outcome: failed(error),
    expected: { reason: "failed" as const, next: listing("", false), wait: true, error },
  })),
  {
    when: "a list is throttled: list again after a backoff",
    state: listing("7"),
    outcome: failed(throttled),
    expected: { reason: "throttled", next: streaming("7"), wait: true, error: throttled },
  },
  {
    when: "a list breaks: assume again that streaming lists are supported",
    state: listing("7", false),
    outcome: failed(reset),
    expected: { reason: "broken", next: streaming("7"), wait: true, error: reset },
  },
  {
    when: "a watch ends: resume from its last version",
    state: watching("10"),
    outcome: ended(300_000, 2, "12"),
    expected: { reason: "ended", next: watching("12"), wait: false },
  },
  {
    when: "a watch without events ends late: resume from its first version",
    state: watching("10", false),
    outcome: ended(2000, 0),
    expected: { reason: "ended", next: watching("10", false), wait: false },
  },
  {
    when: "a watch ends early with events: resume after a backoff",
    state: watching("10"),
    outcome: ended(1999, 1, "11"),
    expected: { reason: "ended", next: watching("11"), wait: true },
  },
  {
    when: "a watch ends at once without an event: its version may be expired, so relist",
    state: watching("10"),
    outcome: ended(1999, 0),
    expected: { reason: "short", next: streaming("10"), wait: true },
  },
  {
    when: "a watch expires: relist, not older than the last version",
    state: watching("10"),
    outcome: failed(expired, 5000, "14"),
    expected: { reason: "expired", next: streaming("14"), wait: true },
  },
  {
    when: "a watch expires and streaming lists are not supported: relist by pages",
    state: watching("10", false),
    outcome: failed(expired),
    expected: { reason: "expired", next: listing("10", false), wait: true },
  },
  ...[throttled, unavailable].map((error) => ({
    when: `a watch is throttled (${error.code}): resume after a backoff`,
    state: watching("10"),
    outcome: failed(error, 70_000, "12"),
    expected: { reason: "throttled" as const, next: watching("12"), wait: true, error },
  })),
  {
    when: "a watch cannot be opened: request it again after a backoff",
    state: watching("10"),
    outcome: failed(reset),
    expected: { reason: "broken", next: watching("10"), wait: true, error: reset },
  },
  {
    when: "a watch is silent: resume at once on another connection, without a failure",
    state: watching("10"),
    outcome: failed(connection(watchSilent), 80_000, "11"),
    expected: { reason: "silent", next: watching("11"), wait: false },
  },
  {
    when: "a watch breaks early: resume after a backoff",
    state: watching("10"),
    outcome: failed(reset, 1999, "11"),
    expected: { reason: "broken", next: watching("11"), wait: true, error: reset },
  },
  {
    when: "a watch breaks late: resume at once",
    state: watching("10"),
    outcome: failed(reset, 2000, "11"),
    expected: { reason: "broken", next: watching("11"), wait: false, error: reset },
  },
  ...[broken, forbidden, tooLarge, new TypeError("junk")].map((error) => ({
    when: `a watch fails (${error.message}): relist after a backoff`,
    state: watching("10"),
    outcome: failed(error, 5000, "11"),
    expected: { reason: "failed" as const, next: streaming("11"), wait: true, error },
  })),
];

test.each(cases)("$when", ({ state, outcome, expected }) => {
  expect(transition(state, outcome)).toEqual(expected);
});

test.each([
  ["a cause", api(504, "Timeout", [{ reason: "ResourceVersionTooLarge", message: "no" }])],
  ["a cause's message", api(504, "Timeout", [{ message: "Too large resource version" }])],
  ["the message", new ApiError("Timeout: Too large resource version: 7", { code: 504, reason: "Timeout" })],
])("a version that the server has not reached is recognised by %s", (_, error) => {
  const { next, wait } = transition(listing("7"), failed(error));
  expect({ next, wait }).toEqual({ next: listing(""), wait: false });
});
