import { expect, test } from "vitest";
import { ConfigMap } from "../api/types/core/v1.ts";
import { prometheus } from "../base/index.ts";
import { ApiError } from "../client/index.ts";
import { Controlled } from "./controlled.fixture.ts";
import { type Context, controller, type Requeue, RetryAfterError } from "./index.ts";

/** Runs one ConfigMap for a while and returns when it was reconciled, each with its attempt number. */
async function reconciledAt(
  forMs: number,
  reconcile: (call: number, context: Context, world: Controlled) => Promise<Requeue | undefined>,
): Promise<readonly [atMs: number, attempt: number][]> {
  await using world = await Controlled.start();
  const calls: [number, number][] = [];
  await world.live.create(ConfigMap, { metadata: { name: "a" } });
  await world.run(
    controller({
      name: "configmap",
      for: ConfigMap,
      async reconcile(_, context) {
        calls.push([world.clock.monotonic(), context.attempt]);
        return reconcile(calls.length, context, world);
      },
    }),
  );
  await world.clock.advance(forMs);
  return calls;
}

/** A response that asks for a delay before the next request. */
function throttled(retryAfterMs: number): ApiError {
  return new ApiError("too many requests", { code: 429, reason: "TooManyRequests", retryAfterMs });
}

test("a Retry-After of 0 does not shorten the backoff", async () => {
  const calls = await reconciledAt(1000, () => Promise.reject(throttled(0)));
  expect(calls).toEqual([
    [0, 1],
    [5, 2],
    [15, 3],
    [35, 4],
    [75, 5],
    [155, 6],
    [315, 7],
    [635, 8],
  ]);
});

test("a Retry-After longer than the backoff is waited for, and the failure still counts", async () => {
  const calls = await reconciledAt(2100, (call) =>
    Promise.reject(call <= 2 ? throttled(1000) : new Error("not yet")),
  );
  expect(calls).toEqual([
    [0, 1],
    [1000, 2],
    [2000, 3],
    [2020, 4],
    [2060, 5],
  ]);
});

test("a Retry-After of the server counts also if its error is the cause of another", async () => {
  const calls = await reconciledAt(2000, (call) =>
    call === 1 ? Promise.reject(new Error("no", { cause: throttled(1000) })) : Promise.resolve(undefined),
  );
  expect(calls).toEqual([
    [0, 1],
    [1000, 2],
  ]);
});

test.each([0, 3, 7000])("a RetryAfterError of %d ms is exact", async (afterMs) => {
  const calls = await reconciledAt(60_000, (call) => {
    if (call <= 3) throw new Error("not yet"); // the backoff is 40 ms by then
    if (call === 4) throw new RetryAfterError("busy", { afterMs });
    return Promise.resolve(undefined);
  });
  expect(calls.slice(3)).toEqual([
    [35, 4],
    [35 + afterMs, 5],
  ]);
});

test("a RetryAfterError is exact also while an earlier retry is pending", async () => {
  const calls = await reconciledAt(3000, async (call, _, world) => {
    if (call > 10) return undefined;
    if (call === 10) throw new RetryAfterError("busy", { afterMs: 100 }); // long before the retry that is due
    if (call === 9) await world.live.patch(ConfigMap, "a", { merge: { data: { x: "1" } } });
    throw new Error("not yet"); // the ninth has to wait for 1280 ms
  });
  expect(calls.slice(8)).toEqual([
    [1275, 9],
    [1275, 10],
    [1375, 11],
  ]);
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, "5", undefined])(
  "a RetryAfterError rejects %s milliseconds",
  (afterMs) => {
    const make = (): Error => new RetryAfterError("busy", { afterMs: afterMs as number });
    expect(make).toThrow(
      `expected afterMs of a RetryAfterError to be a finite number of milliseconds, got ${String(afterMs)}`,
    );
  },
);

test.each([0, -1])(
  "requeueAfterMs of %d reconciles soon: by the rate limiter, without forgetting failures",
  async (requeueAfterMs) => {
    const calls = await reconciledAt(200, async (call) => {
      if (call <= 2) throw new Error("not yet");
      return call <= 5 ? { requeueAfterMs } : undefined;
    });
    expect(calls).toEqual([
      [0, 1],
      [5, 2],
      [15, 3],
      [35, 3],
      [75, 3],
      [155, 3],
    ]);
  },
);

test("an event neither resets nor inflates the delay of a key that requested an immediate requeue", async () => {
  const calls = await reconciledAt(100, async (call, _, world) => {
    if (call === 3) await world.live.patch(ConfigMap, "a", { merge: { data: { x: "1" } } });
    return { requeueAfterMs: 0 };
  });
  expect(calls.map(([atMs]) => atMs)).toEqual([0, 5, 15, 15, 35, 75]);
});

test("a requeue that is soon is counted as a requeue", async () => {
  const metrics = prometheus();
  await using world = await Controlled.start({ metrics });
  await world.live.create(ConfigMap, { metadata: { name: "a" } });
  await world.run(
    controller({ name: "configmap", for: ConfigMap, reconcile: async () => ({ requeueAfterMs: 0 }) }),
  );
  expect(await metrics.text()).toContain(
    'controller_runtime_reconcile_total{controller="configmap",result="requeue"} 1\n',
  );
});

test.each([
  [{ requeueAfterMs: Number.NaN }, "NaN"],
  [{ requeueAfterMs: Number.POSITIVE_INFINITY }, "Infinity"],
  [{ requeueAfterMs: Number.NEGATIVE_INFINITY }, "-Infinity"],
  [{ requeueAfterMs: "5000" }, "'5000'"],
  [{ requeueAfterSeconds: 5 }, "undefined"],
])("a result of %o fails the reconcile with an error that says so", async (result, got) => {
  await using world = await Controlled.start();
  const errors: string[] = [];
  await world.live.create(ConfigMap, { metadata: { name: "a" } });
  await world.run(
    controller({
      name: "configmap",
      for: ConfigMap,
      reconcile: async () => result as Requeue,
      onError: ({ message }) => void errors.push(message),
    }),
  );
  await world.clock.advance(15);
  const message =
    `expected requeueAfterMs from controller configmap to be a finite number of milliseconds, got ${got}; ` +
    "return nothing to wait for the next event";
  expect(errors).toEqual([message, message, message]);
});

test("the result of cleanup is checked as that of reconcile", async () => {
  await using world = await Controlled.start();
  const errors: string[] = [];
  await world.live.create(ConfigMap, { metadata: { name: "a" } });
  await world.run(
    controller({
      name: "configmap",
      for: ConfigMap,
      reconcile: async () => {},
      finalizer: "example.dev/maps",
      cleanup: async () => ({ requeueAfterMs: Number.NaN }),
      onError: ({ message }) => void errors.push(message),
    }),
  );
  await world.live.delete(ConfigMap, "a");
  await world.settle();
  expect(errors).toEqual([
    "expected requeueAfterMs from controller configmap to be a finite number of milliseconds, got NaN; " +
      "return nothing to wait for the next event",
  ]);
});
