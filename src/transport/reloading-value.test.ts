import { expect, test } from "vitest";
import { type LogEntry, loggerTo, VirtualClock } from "../base/index.ts";
import { ReloadingValue, type ReloadingValueOptions } from "./reloading-value.ts";

interface Value {
  readonly text: string;
}

/** A reread value whose readings are taken from `texts` in turn; an Error among them is thrown. */
function rereadOf(texts: Array<string | Error>, options: Partial<ReloadingValueOptions<Value>> = {}) {
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

test("a value is read again only when it is old, and then only when asked for", async () => {
  const { value, clock, texts } = rereadOf(["one", "two", "three"]);
  const first = await value.current();
  await clock.advance(99);
  expect(value.current()).toBe(first);
  await clock.advance(1_000);
  expect(await value.current()).toEqual({ text: "two" });
  expect(texts).toEqual(["three"]);
  expect(clock.timers).toBe(0);
});

test("an equal value keeps the old object", async () => {
  const { value, clock } = rereadOf(["one", "one"]);
  const first = await value.current();
  await clock.advance(100);
  expect(await value.current()).toBe(first);
});

test("many who ask at once share one reading", async () => {
  const { value, texts } = rereadOf(["one", "two"]);
  const all = await Promise.all([value.current(), value.current(), value.current()]);
  expect(new Set(all)).toEqual(new Set([{ text: "one" }]));
  expect(texts).toEqual(["two"]);
});

test("a failed reading keeps the old value, is logged, and is tried again sooner", async () => {
  const { value, clock, entries } = rereadOf(["one", new Error("gone"), "two"]);
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

test("a first reading that fails throws, and the next call reads again", async () => {
  const { value } = rereadOf([new Error("gone"), "one"]);
  await expect(Promise.resolve(value.current())).rejects.toThrow("gone");
  expect(await value.current()).toEqual({ text: "one" });
});

test("a value refused is read again at once; one replaced meanwhile is not", async () => {
  const { value, texts } = rereadOf(["one", "two", "three"]);
  const first = await value.current();
  expect(value.refused(first)).toBe(true);
  const second = await value.current();
  expect(value.refused(first)).toBe(true);
  expect(value.current()).toBe(second);
  expect(texts).toEqual(["three"]);
});

test("a value refused while it is being read is read once more", async () => {
  const { value, clock } = rereadOf(["one", "one", "two"]);
  const first = await value.current();
  await clock.advance(100);
  const reading = value.current();
  value.refused(first);
  expect(await reading).toBe(first);
  expect(await value.current()).toEqual({ text: "two" });
});

test("a value that is no longer usable is read again, and failing to is an error", async () => {
  let usable = true;
  const { value } = rereadOf(["one", new Error("gone"), "two"], {
    usable: ({ text }) => usable || text === "two",
  });
  await value.current();
  usable = false;
  await expect(Promise.resolve(value.current())).rejects.toThrow("gone");
  expect(await value.current()).toEqual({ text: "two" });
});
