import { expect, test } from "vitest";
import { deadline, settled, VirtualClock } from "../base/index.ts";
import { type Readiness, untilReady } from "./readiness.ts";

const notYet = (because: string): Readiness => ({ ready: false, because });

test("a server is checked every 50 ms until it is ready", async () => {
  const clock = new VirtualClock();
  const results = [notYet("no response"), notYet("GET /readyz: 500"), { ready: true } as const];
  const checkedAtMs: number[] = [];
  const waiting = untilReady(
    async () => {
      checkedAtMs.push(clock.monotonic());
      return results[checkedAtMs.length - 1] ?? notYet("checked too often");
    },
    { clock, signal: new AbortController().signal },
  );
  await clock.advance(1_000);
  await waiting;
  expect(checkedAtMs).toEqual([0, 50, 100]);
});

test("waiting ends with its signal, with the last observed state in the error", async () => {
  const clock = new VirtualClock();
  using limit = deadline(120, "the start", { clock });
  const waiting = untilReady(async () => notYet("GET /readyz: 500"), { clock, signal: limit.signal });
  const failure = expect(waiting).rejects.toThrow(
    "expected an end of the start within 120 ms, got none (last seen: GET /readyz: 500)",
  );
  await clock.advance(120);
  await failure;
  await settled();
  expect(clock.timers).toBe(0);
});
