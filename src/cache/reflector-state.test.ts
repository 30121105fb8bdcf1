import { expect, test } from "vitest";
import { ApiError, ConnectionError } from "../transport/index.ts";
import { silent } from "./consume-body.ts";
import { type Outcome, type ReflectorState, type Transition, transition } from "./reflector-state.ts";
import { endless } from "./watch-stream.ts";

const request = { method: "GET", path: "/" } as const;
const api = (code: number, reason: string, causes: { reason?: string; message?: string }[] = []) =>
  new ApiError(`${code} ${reason}`, { code, reason, details: { causes } });
const connection = (code: string) => new ConnectionError(code, { code, request });

const gone = api(410, "Expired");
const tooLarge = api(504, "Timeout", [{ reason: "ResourceVersionTooLarge" }]);
const busy = api(429, "TooManyRequests");
const unavailable = api(503, "ServiceUnavailable");
const broken = api(500, "InternalError");
const forbidden = api(403, "Forbidden");
const reset = connection("ECONNRESET");

const streaming = (version: string, tries = 0): ReflectorState => ({
  phase: "streaming",
  version,
  streams: true,
  tries,
});
const listing = (version: string, streams = true): ReflectorState => ({ phase: "listing", version, streams });
const watching = (version: string, streams = true): ReflectorState => ({
  phase: "watching",
  version,
  streams,
});

/** So long open, so many events, so far told. */
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
  readonly turn: Transition;
}

const cases: readonly Case[] = [
  {
    when: "all has come by a stream: it is watched from there",
    state: streaming(""),
    outcome: { type: "listed", version: "10" },
    turn: { why: "listed", next: watching("10"), wait: false },
  },
  {
    when: "a stream ends early with nothing in it: pages are asked for",
    state: streaming(""),
    outcome: ended(1999, 0),
    turn: { why: "brief", next: listing(""), wait: false },
  },
  {
    when: "a stream ends too soon with something in it: it is asked for again, after a while",
    state: streaming("7"),
    outcome: ended(1999, 3),
    turn: { why: "ended", next: streaming("7", 1), wait: true },
  },
  {
    when: "a stream ends late before its end: it is asked for again",
    state: streaming("7"),
    outcome: ended(2000, 0),
    turn: { why: "ended", next: streaming("7", 1), wait: false },
  },
  {
    when: "a third stream ends before its end: pages are asked for",
    state: streaming("7", 2),
    outcome: ended(9000, 5),
    turn: { why: "ended", next: listing("7"), wait: false },
  },
  {
    when: "a stream breaks: it is asked for again",
    state: streaming("", 1),
    outcome: failed(reset, 9000),
    turn: { why: "broken", next: streaming("", 2), wait: false, error: reset },
  },
  {
    when: "a third stream breaks: pages are asked for",
    state: streaming("", 2),
    outcome: failed(reset, 9000),
    turn: { why: "broken", next: listing(""), wait: false, error: reset },
  },
  {
    when: "a stream cannot be opened: the same, however often",
    state: streaming("", 2),
    outcome: failed(reset),
    turn: { why: "broken", next: streaming("", 2), wait: true, error: reset },
  },
  ...[busy, unavailable].map((error) => ({
    when: `the server has no time for a stream (${error.code}): the same again, after a while`,
    state: streaming("7"),
    outcome: failed(error),
    turn: { why: "busy" as const, next: streaming("7"), wait: true, error },
  })),
  ...[gone, tooLarge].map((error) => ({
    when: `a stream's version is not to be had (${error.reason}): the newest is asked for at once`,
    state: streaming("7", 1),
    outcome: failed(error, 5),
    turn: {
      why: "expired" as const,
      next: streaming("", 1),
      wait: false,
      error: error === tooLarge ? error : undefined,
    },
  })),
  ...[gone, broken, forbidden, new TypeError("junk")].map((error) => ({
    when: `a stream of the newest fails (${error.message}): pages are asked for`,
    state: streaming(""),
    outcome: failed(error, 5),
    turn: { why: "failed" as const, next: listing(""), wait: false },
  })),
  ...[
    api(400, "BadRequest"),
    api(405, "MethodNotAllowed"),
    api(406, "NotAcceptable"),
    api(422, "Invalid"),
    connection(silent),
    connection(endless),
  ].map((error) => ({
    when: `the server does not stream what there is (${error.message}): that is remembered`,
    state: streaming("7"),
    outcome: failed(error, 5),
    turn: { why: "unstreamed" as const, next: listing("7", false), wait: false, error },
  })),
  {
    when: "all has come by pages: it is watched from there",
    state: listing("7", false),
    outcome: { type: "listed", version: "10" },
    turn: { why: "listed", next: watching("10", false), wait: false },
  },
  ...[gone, tooLarge].map((error) => ({
    when: `a list's version is not to be had (${error.reason}): the newest is asked for at once`,
    state: listing("7", false),
    outcome: failed(error),
    turn: {
      why: "expired" as const,
      next: listing("", false),
      wait: false,
      error: error === tooLarge ? error : undefined,
    },
  })),
  ...[gone, broken, forbidden].map((error) => ({
    when: `a list of the newest fails (${error.reason}): all begins anew, after a while`,
    state: listing("", false),
    outcome: failed(error),
    turn: { why: "failed" as const, next: listing("", false), wait: true, error },
  })),
  {
    when: "the server has no time for a list: all begins anew, after a while",
    state: listing("7"),
    outcome: failed(busy),
    turn: { why: "busy", next: streaming("7"), wait: true, error: busy },
  },
  {
    when: "a list breaks off: what was remembered of the server is forgotten",
    state: listing("7", false),
    outcome: failed(reset),
    turn: { why: "broken", next: streaming("7"), wait: true, error: reset },
  },
  {
    when: "a watch ends: it goes on from where it was",
    state: watching("10"),
    outcome: ended(300_000, 2, "12"),
    turn: { why: "ended", next: watching("12"), wait: false },
  },
  {
    when: "a watch in which nothing came ends late: it goes on from where it began",
    state: watching("10", false),
    outcome: ended(2000, 0),
    turn: { why: "ended", next: watching("10", false), wait: false },
  },
  {
    when: "a watch ends too soon with something in it: it goes on after a while",
    state: watching("10"),
    outcome: ended(1999, 1, "11"),
    turn: { why: "ended", next: watching("11"), wait: true },
  },
  {
    when: "a watch ends early with nothing in it: its version may be gone, and all begins anew",
    state: watching("10"),
    outcome: ended(1999, 0),
    turn: { why: "brief", next: streaming("10"), wait: true },
  },
  {
    when: "a watch expires: all begins anew, not older than what was told",
    state: watching("10"),
    outcome: failed(gone, 5000, "14"),
    turn: { why: "expired", next: streaming("14"), wait: true },
  },
  {
    when: "a watch expires where streams are refused: all begins anew by pages",
    state: watching("10", false),
    outcome: failed(gone),
    turn: { why: "expired", next: listing("10", false), wait: true },
  },
  ...[busy, unavailable].map((error) => ({
    when: `the server has no time for a watch (${error.code}): it goes on after a while`,
    state: watching("10"),
    outcome: failed(error, 70_000, "12"),
    turn: { why: "busy" as const, next: watching("12"), wait: true, error },
  })),
  {
    when: "a watch cannot be opened: the same again, after a while",
    state: watching("10"),
    outcome: failed(reset),
    turn: { why: "broken", next: watching("10"), wait: true, error: reset },
  },
  {
    when: "nothing comes in a watch: it goes on at once on another connection, and that is no failure",
    state: watching("10"),
    outcome: failed(connection(silent), 80_000, "11"),
    turn: { why: "silent", next: watching("11"), wait: false },
  },
  {
    when: "a watch breaks soon: it goes on after a while",
    state: watching("10"),
    outcome: failed(reset, 1999, "11"),
    turn: { why: "broken", next: watching("11"), wait: true, error: reset },
  },
  {
    when: "a watch breaks late: it goes on at once",
    state: watching("10"),
    outcome: failed(reset, 2000, "11"),
    turn: { why: "broken", next: watching("11"), wait: false, error: reset },
  },
  ...[broken, forbidden, tooLarge, new TypeError("junk")].map((error) => ({
    when: `a watch fails (${error.message}): all begins anew, after a while`,
    state: watching("10"),
    outcome: failed(error, 5000, "11"),
    turn: { why: "failed" as const, next: streaming("11"), wait: true, error },
  })),
];

test.each(cases)("$when", ({ state, outcome, turn }) => {
  expect(transition(state, outcome)).toEqual(turn);
});

test.each([
  ["a cause", api(504, "Timeout", [{ reason: "ResourceVersionTooLarge", message: "no" }])],
  ["a cause's message", api(504, "Timeout", [{ message: "Too large resource version" }])],
  ["the message", new ApiError("Timeout: Too large resource version: 7", { code: 504, reason: "Timeout" })],
])("that a version has not come yet is told by %s", (_, error) => {
  const { next, wait } = transition(listing("7"), failed(error));
  expect({ next, wait }).toEqual({ next: listing(""), wait: false });
});
