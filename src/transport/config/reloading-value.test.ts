import { expect, test } from "vitest";
import { type LogEntry, loggerTo, VirtualClock } from "../../base/index.ts";
import { ReloadingValue, type ReloadingValueOptions } from "./reloading-value.ts";

interface Value {
  readonly text: string;
}

/** Returns a reloading value that reads `texts` in order. An Error among them is thrown. */
function reloadingValueOf(texts: Array<string | Error>, options: Partial<ReloadingValueOptions<Value>> = {}) {
  const clock = new VirtualClock();
  const entries: LogEntry[] = [];
  const log = loggerTo((entry) => entries.push(entry));
  const read = async (): Promise<Value> => {
    const text = texts.shift() ?? new Error("expected no further reading");
    if (text instanceof Error) throw text;
    return { text };
  };
  const value = new ReloadingValue<Value>({
    what: "a value",
    read,
    everyMs: 100,
    retryMs: 10,
    clock,
    log,
    ...options,
  });
  return { value, clock, entries, texts };
}

test("a value is reloaded only on use, and only when it is too old", async () => {
  const { value, clock, texts } = reloadingValueOf(["one", "two", "three"]);
  const first = await value.current();
  await clock.advance(99);
  expect(value.current()).toBe(first);
  await clock.advance(1_000);
  expect(await value.current()).toEqual({ text: "two" });
  expect(texts).toEqual(["three"]);
  expect(clock.timers).toBe(0);
});

test("an equal value keeps the old object", async () => {
  const { value, clock } = reloadingValueOf(["one", "one"]);
  const first = await value.current();
  await clock.advance(100);
  expect(await value.current()).toBe(first);
});

test("concurrent callers share one reload", async () => {
  const { value, texts } = reloadingValueOf(["one", "two"]);
  const all = await Promise.all([value.current(), value.current(), value.current()]);
  expect(new Set(all)).toEqual(new Set([{ text: "one" }]));
  expect(texts).toEqual(["two"]);
});

test("a failed reload keeps the old value, is logged, and is retried sooner", async () => {
  const { value, clock, entries } = reloadingValueOf(["one", new Error("gone"), "two"]);
  const first = await value.current();
  await clock.advance(100);
  expect(await value.current()).toBe(first);
  expect(value.current()).toBe(first);
  expect(entries.map(({ level, fields }) => [level, fields.what, String(fields.error)])).toEqual([
    ["warn", "a value", "Error: gone"],
  ]);
  await clock.advance(10);
  expect(await value.current()).toEqual({ text: "two" });
});

test("a failed first load throws, and the next call loads again", async () => {
  const { value } = reloadingValueOf([new Error("gone"), "one"]);
  await expect(Promise.resolve(value.current())).rejects.toThrow("gone");
  expect(await value.current()).toEqual({ text: "one" });
});

test("a refused value is reloaded at once, unless it was already replaced", async () => {
  const { value, texts } = reloadingValueOf(["one", "two", "three"]);
  const first = await value.current();
  expect(value.refused(first)).toBe(true);
  const second = await value.current();
  expect(value.refused(first)).toBe(true);
  expect(value.current()).toBe(second);
  expect(texts).toEqual(["three"]);
});

test("a value that is refused during a reload is reloaded again", async () => {
  const { value, clock } = reloadingValueOf(["one", "one", "two"]);
  const first = await value.current();
  await clock.advance(100);
  const reading = value.current();
  value.refused(first);
  expect(await reading).toBe(first);
  expect(await value.current()).toEqual({ text: "two" });
});

test("an invalid value is reloaded, and a failure is an error", async () => {
  let usable = true;
  const { value } = reloadingValueOf(["one", new Error("gone"), "two"], {
    usable: ({ text }) => usable || text === "two",
  });
  await value.current();
  usable = false;
  await expect(Promise.resolve(value.current())).rejects.toThrow("gone");
  expect(await value.current()).toEqual({ text: "two" });
});
