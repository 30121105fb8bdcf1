import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { unlessAborted } from "./unless-aborted.ts";

test("the result or error of the work is returned, and the listener is removed", async () => {
  const { signal } = new AbortController();
  expect(await unlessAborted(Promise.resolve("done"), signal)).toBe("done");
  await expect(unlessAborted(Promise.reject(new Error("failed")), signal)).rejects.toThrow("failed");
  expect(await unlessAborted(Promise.resolve("done"), undefined)).toBe("done");
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("an abort before or during the work rejects with the signal's reason", async () => {
  const reason = new Error("enough");
  const never = new Promise<never>(() => {});
  await expect(unlessAborted(never, AbortSignal.abort(reason))).rejects.toBe(reason);
  const ended = new AbortController();
  const waiting = unlessAborted(never, ended.signal);
  ended.abort("enough");
  await expect(waiting).rejects.toThrow("enough");
});

test("a failure of the work after the abort is ignored", async () => {
  const late = Promise.resolve().then(() => Promise.reject(new Error("late")));
  await expect(unlessAborted(late, AbortSignal.abort(new Error("enough")))).rejects.toThrow("enough");
});
