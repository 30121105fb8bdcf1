import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { logLevels } from "./log.ts";
import { createLogger, type LoggerOptions } from "./pino-logger.ts";
import { VirtualClock } from "./virtual-clock.ts";

const loaded = (): boolean =>
  Object.keys(createRequire(import.meta.url).cache).some((file) => file.includes("/node_modules/pino/"));

/** Returns a logger at 2026-01-01T00:00:00Z, and the texts that it has written. */
function written(options: LoggerOptions = {}, isTTY?: boolean) {
  const texts: string[] = [];
  const stream = { write: (text: string) => texts.push(text), isTTY };
  return { texts, log: createLogger({ stream, clock: new VirtualClock(), ...options }) };
}

const parsed = (texts: readonly string[]): unknown[] => texts.map((text) => JSON.parse(text) as unknown);

test("pino is loaded with the first JSON line", () => {
  const { log, texts } = written();
  log.debug("below the level");
  written({ readable: true }).log.info("readable");
  expect([texts, loaded()]).toEqual([[], false]);
  log.info("first");
  expect([texts.length, loaded()]).toEqual([1, true]);
});

test("a JSON line has level, ISO time, fields and message, and ends with a newline", () => {
  const { log, texts } = written();
  log.with({ controller: "websites" }).info("reconciled", { ms: 5 });
  expect(texts).toEqual([
    '{"level":"info","time":"2026-01-01T00:00:00.000Z","controller":"websites","ms":5,"msg":"reconciled"}\n',
  ]);
});

test("each entry is one line, even if its text has several", () => {
  const { log, texts } = written();
  log.info("one");
  log.warn("two", { text: "a\nb" });
  log.error("100% %s");
  expect(texts.map((text) => text.split("\n").length)).toEqual([2, 2, 2]);
  expect(parsed(texts)).toMatchObject([{ msg: "one" }, { msg: "two", text: "a\nb" }, { msg: "100% %s" }]);
});

test.each(logLevels)("at level %s, lines below it are not written", (level) => {
  for (const readable of [true, false]) {
    const { log, texts } = written({ level, readable });
    for (const each of logLevels) log[each](`at ${each}`);
    const expected = logLevels.slice(logLevels.indexOf(level));
    expect(texts.map((text) => /at (\w+)/.exec(text)?.[1])).toEqual(expected);
  }
});

test("debug lines are not written by default", () => {
  const { log, texts } = written();
  for (const each of logLevels) log[each]("x");
  expect(parsed(texts)).toMatchObject([{ level: "info" }, { level: "warn" }, { level: "error" }]);
});

test("an error is written with its name, message, stack and causes, in any field", () => {
  const { log, texts } = written();
  const cause = new RangeError("too far");
  const failure = new TypeError("broken", { cause });
  log.error("failed", { error: failure, other: new Error("beside") });
  expect(parsed(texts)).toMatchObject([
    {
      error: {
        name: "TypeError",
        message: "broken",
        stack: failure.stack,
        cause: { name: "RangeError", message: "too far", stack: cause.stack },
      },
      other: { name: "Error", message: "beside" },
    },
  ]);
});

test("an AggregateError is written with its errors", () => {
  const { log, texts } = written();
  log.error("failed", { error: new AggregateError([new Error("one"), "two"], "both") });
  expect(parsed(texts)).toMatchObject([
    { error: { name: "AggregateError", message: "both", errors: [{ message: "one" }, "two"] } },
  ]);
});

test("an error that is its own cause is written to a limited depth", () => {
  const { log, texts } = written();
  const ring = new Error("ring");
  ring.cause = ring;
  log.error("failed", { error: ring });
  expect(texts[0]?.match(/"message":"ring"/g)).toHaveLength(9);
});

test("a field with the name of a pino key does not hide it", () => {
  const { log, texts } = written();
  log.info("listed", { level: 3, time: "late", msg: "hello" });
  expect(texts).toEqual([
    '{"level":"info","time":"2026-01-01T00:00:00.000Z","fields.level":3,"fields.time":"late","fields.msg":"hello","msg":"listed"}\n',
  ]);
});

test.each<[string, LoggerOptions & { readonly isTTY?: boolean }, RegExp]>([
  [
    "readable and in colour on a terminal",
    { isTTY: true },
    /^.\[90m00:00:00\.000.*error.* failed {2}.*key.*=a\n$/,
  ],
  ["JSON on a terminal when asked", { isTTY: true, readable: false }, /^\{.*\}\n$/],
  [
    "readable without colour elsewhere when asked",
    { readable: true },
    /^00:00:00\.000 error failed {2}key=a\n$/,
  ],
  ["JSON elsewhere", {}, /^\{.*\}\n$/],
])("lines are %s", (_, { isTTY, ...options }, line) => {
  const { log, texts } = written(options, isTTY);
  log.error("failed", { key: "a" });
  expect(texts).toEqual([expect.stringMatching(line)]);
});
