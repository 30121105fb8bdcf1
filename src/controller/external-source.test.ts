import { expect, test } from "vitest";
import { ConfigMap } from "../api/types/core/v1.ts";
import { prometheus, sleep, type VirtualClock } from "../base/index.ts";
import { Controlled } from "./controlled.fixture.ts";
import { controller, external, type RunningController, type Trigger } from "./index.ts";

interface Started {
  readonly world: Controlled;
  readonly running: RunningController | undefined;
  /** The names that were reconciled, each with its time in milliseconds. */
  readonly reconciled: [string, number][];
  /** The lines about sources. */
  readonly lines: () => unknown[];
  readonly restarts: () => Promise<string[]>;
}

async function started(...on: readonly Trigger[]): Promise<Started> {
  const metrics = prometheus();
  const world = await Controlled.start({ metrics });
  const reconciled: [string, number][] = [];
  const [running] = await world.run(
    controller({
      name: "configmap",
      for: ConfigMap,
      on,
      reconcile: async ({ name }) => void reconciled.push([name, world.clock.monotonic()]),
    }),
  );
  const lines = (): unknown[] =>
    world.logged
      .filter(({ message }) => message.startsWith("external source"))
      .map(({ level, message, fields: { source, error } }) => [
        level,
        message,
        source,
        error instanceof Error ? error.message : error,
      ]);
  const restarts = async (): Promise<string[]> =>
    (await metrics.text()).split("\n").filter((line) => line.startsWith("trimtab_source_restarts_total{"));
  return { world, running, reconciled, lines, restarts };
}

/** Resolves when the signal aborts. */
function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

test("keys of an external source are reconciled", async () => {
  const { world, reconciled } = await started(
    external(async function* keys(signal) {
      yield "default/x";
      yield { name: "y", namespace: "default" };
      await aborted(signal);
    }),
  );
  await using _ = world;
  expect(reconciled.map(([name]) => name)).toEqual(["x", "y"]);
});

test("a source that fails is logged, counted, and restarted with backoff", async () => {
  let starts = 0;
  const { world, running, reconciled, lines, restarts } = await started(
    external(async function* messages(signal) {
      starts += 1;
      yield `default/x-${starts}`;
      if (starts <= 3) throw new Error(`broken ${starts}`);
      await aborted(signal);
    }),
  );
  await using _ = world;
  expect(running?.sources.map(({ name, state }) => [name, state.restarts])).toEqual([["messages", 1]]);
  await world.clock.advance(30_000);
  expect(reconciled.map(([name]) => name)).toEqual(["x-1", "x-2", "x-3", "x-4"]);
  const waits = reconciled.slice(1).map(([, atMs], index) => atMs - (reconciled[index]?.[1] ?? 0));
  for (const [index, leastMs] of [1000, 2000, 4000].entries()) {
    expect(waits[index]).toBeGreaterThanOrEqual(leastMs);
    expect(waits[index]).toBeLessThanOrEqual(leastMs * 1.2 + 1);
  }
  expect(lines()).toEqual(
    [1, 2, 3].map((count) => ["error", "external source failed", "messages", `broken ${count}`]),
  );
  expect(await restarts()).toEqual([
    'trimtab_source_restarts_total{controller="configmap",source="messages"} 3',
  ]);
  expect(running?.sources.map(({ state }) => state)).toEqual([{ restarts: 3, restartInMs: undefined }]);
});

test("a source that ends is restarted too", async () => {
  let starts = 0;
  const { world, lines } = await started(
    external(async function* short() {
      starts += 1;
      yield "default/x";
    }),
  );
  await using _ = world;
  await world.clock.advance(3700);
  expect([starts, lines()]).toEqual([
    3,
    [
      ["warn", "external source ended", "short", undefined],
      ["warn", "external source ended", "short", undefined],
      ["warn", "external source ended", "short", undefined],
    ],
  ]);
});

test("a source that ran for two minutes resets the backoff", async () => {
  const startedAtMs: number[] = [];
  let clock: VirtualClock | undefined;
  const { world } = await started(
    external(async function* slow(signal) {
      startedAtMs.push(clock?.monotonic() ?? 0);
      if (!clock || startedAtMs.length < 8) return;
      await sleep(200_000, { clock, signal });
      yield "default/x";
    }),
  );
  clock = world.clock;
  await using _ = world;
  await world.clock.advance(800_000);
  const waits = startedAtMs.slice(8).map((atMs, index) => atMs - 200_000 - (startedAtMs[index + 7] ?? 0));
  expect(waits.length).toBeGreaterThan(1);
  for (const ms of waits) expect([ms >= 1000, ms <= 1201]).toEqual([true, true]);
});

test("sources are named after their functions, each with its own name", async () => {
  const silent = (signal: AbortSignal): AsyncIterable<string> => ({
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        await aborted(signal);
        return { done: true, value: undefined };
      },
    }),
  });
  const { world, running, restarts } = await started(
    external(silent),
    external(silent),
    external((signal) => silent(signal)),
  );
  await using _ = world;
  expect(running?.sources.map(({ name }) => name)).toEqual(["silent", "silent-2", "external"]);
  expect(await restarts()).toEqual(
    ["silent", "silent-2", "external"].map(
      (source) => `trimtab_source_restarts_total{controller="configmap",source="${source}"} 0`,
    ),
  );
});

test("the signal of a start is aborted when that start has failed, and when the controller stops", async () => {
  const signals: AbortSignal[] = [];
  const { world } = await started(
    external(async function* keys(signal) {
      signals.push(signal);
      if (signals.length === 1) throw new Error("broken");
      await aborted(signal);
      yield "default/x";
    }),
  );
  await using _ = world;
  await world.clock.advance(2000);
  expect(signals.map((signal) => signal.aborted)).toEqual([true, false]);
  await world.stop();
  expect(signals.map((signal) => signal.aborted)).toEqual([true, true]);
});

test("a source with an invalid key is closed and restarted", async () => {
  const log: string[] = [];
  const { world, lines } = await started(
    external(async function* keys(signal) {
      log.push("started");
      try {
        if (log.length === 1) yield undefined as unknown as string;
        await aborted(signal);
      } finally {
        log.push("left");
      }
    }),
  );
  await using _ = world;
  await world.clock.advance(2000);
  expect(log).toEqual(["started", "left", "started"]);
  expect(lines()).toEqual([
    ["error", "external source failed", "keys", expect.stringContaining("undefined")],
  ]);
});

test("a function that throws, or returns something else than an AsyncIterable, has failed", async () => {
  const { world, lines } = await started(
    external(function broken() {
      throw new Error("no connection");
    }),
    external(function wrong() {
      return ["default/x"] as unknown as AsyncIterable<string>;
    }),
  );
  await using _ = world;
  expect(lines()).toEqual([
    ["error", "external source failed", "broken", "no connection"],
    [
      "error",
      "external source failed",
      "wrong",
      "expected source wrong to return an AsyncIterable of keys, got [ 'default/x' ]",
    ],
  ]);
});

test("a source that never ends does not keep a controller from stopping", async () => {
  const { world } = await started(
    external(() => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) })),
  );
  await using _ = world;
  await world.stop();
});

test("external() rejects an iterable, with the code to write instead", () => {
  async function* keys(): AsyncGenerator<string> {
    yield "default/x";
  }
  expect(() => external(keys() as unknown as () => AsyncIterable<string>)).toThrow(
    "expected external() to receive a function that starts the source, got Object [AsyncGenerator] {}; " +
      "write external((signal) => source)",
  );
});
