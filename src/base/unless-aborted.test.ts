import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { unlessAborted } from "./unless-aborted.ts";

test("what the work gives or fails with is passed on, and the signal is let go of", async () => {
  const { signal } = new AbortController();
  expect(await unlessAborted(Promise.resolve("done"), signal)).toBe("done");
  await expect(unlessAborted(Promise.reject(new Error("failed")), signal)).rejects.toThrow("failed");
  expect(await unlessAborted(Promise.resolve("done"), undefined)).toBe("done");
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("the signal's reason comes first, before the work or during it", async () => {
  const reason = new Error("enough");
  const never = new Promise<never>(() => {});
  await expect(unlessAborted(never, AbortSignal.abort(reason))).rejects.toBe(reason);
  const ended = new AbortController();
  const waiting = unlessAborted(never, ended.signal);
  ended.abort("enough");
  await expect(waiting).rejects.toThrow("enough");
});

test("work that fails after the signal disturbs nobody", async () => {
  const late = Promise.resolve().then(() => Promise.reject(new Error("late")));
  await expect(unlessAborted(late, AbortSignal.abort(new Error("enough")))).rejects.toThrow("enough");
});
