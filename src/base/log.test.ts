import { expect, test } from "vitest";
import { type LogEntry, loggerTo, logLevels, silentLogger } from "./log.ts";

test.each(logLevels)("%s writes an entry of its level, with its message and fields", (level) => {
  const entries: LogEntry[] = [];
  loggerTo((entry) => entries.push(entry))[level]("reconciled", { key: "a/b" });
  expect(entries).toEqual([{ level, message: "reconciled", fields: { key: "a/b" } }]);
});

test("with adds fields to every line; the line's own fields win, and the original logger does not change", () => {
  const entries: LogEntry[] = [];
  const log = loggerTo((entry) => entries.push(entry), { process: "p" });
  const inner = log.with({ controller: "c", key: "outer" }).with({ key: "inner" });
  inner.info("one");
  inner.warn("two", { key: "line", ms: 5 });
  log.info("three");
  expect(entries.map(({ message, fields }) => [message, fields])).toEqual([
    ["one", { process: "p", controller: "c", key: "inner" }],
    ["two", { process: "p", controller: "c", key: "line", ms: 5 }],
    ["three", { process: "p" }],
  ]);
});

test("lines of a disabled level are not built", () => {
  const entries: LogEntry[] = [];
  const log = loggerTo(
    (entry) => entries.push(entry),
    {},
    (level) => level !== "debug",
  );
  const costly = {
    get field() {
      throw new Error("field was read");
    },
  };
  log.debug("one", costly);
  log.with(costly).with({ more: 1 }).debug("two");
  log.info("three");
  expect(entries).toEqual([{ level: "info", message: "three", fields: {} }]);
});

test("writes returns the enabled levels, also for derived loggers", () => {
  const log = loggerTo(
    () => {},
    {},
    (level) => level !== "debug",
  );
  const inner = log.with({ a: 1 });
  expect(logLevels.map((level) => [log.writes?.(level), inner.writes?.(level)])).toEqual([
    [false, false],
    [true, true],
    [true, true],
    [true, true],
  ]);
});

test("the silent logger accepts lines and returns derived loggers", () => {
  expect(() => silentLogger.with({ a: 1 }).error("discarded")).not.toThrow();
});
