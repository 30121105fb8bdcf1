import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { deadline, TimeoutError } from "./deadline.ts";
import { VirtualClock } from "./virtual-clock.ts";

test("a deadline that passes aborts with an error that names the operation", async () => {
  const clock = new VirtualClock();
  using limit = deadline(50, "the first list", { clock });
  await clock.advance(49);
  expect(limit.signal.aborted).toBe(false);
  await clock.advance(1);
  expect(limit.signal.reason).toBeInstanceOf(TimeoutError);
  expect(String(limit.signal.reason)).toBe(
    "TimeoutError: expected an end of the first list within 50 ms, got none",
  );
});

test("an abort of the outer signal aborts it with the same reason, and leaves no timer", () => {
  const clock = new VirtualClock();
  const stop = new AbortController();
  using limit = deadline(50, "the first list", { clock, signal: stop.signal });
  stop.abort("enough");
  expect(limit.signal.reason).toBe("enough");
  expect(clock.timers).toBe(0);
});

test("a deadline with an aborted outer signal is aborted immediately", () => {
  const clock = new VirtualClock();
  using limit = deadline(50, "the first list", { clock, signal: AbortSignal.abort("enough") });
  expect(limit.signal.reason).toBe("enough");
  expect(clock.timers).toBe(0);
});

test("a disposed deadline never aborts, and leaves no timer or listener", async () => {
  const clock = new VirtualClock();
  const stop = new AbortController();
  const limit = deadline(50, "the first list", { clock, signal: stop.signal });
  limit[Symbol.dispose]();
  expect([clock.timers, getEventListeners(stop.signal, "abort")]).toEqual([0, []]);
  await clock.advance(100);
  stop.abort();
  expect(limit.signal.aborted).toBe(false);
});
