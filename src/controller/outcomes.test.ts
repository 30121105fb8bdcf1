import { expect, test } from "vitest";
import { ConfigMap } from "../api/types/core/v1.ts";
import { prometheus, TimeoutError } from "../base/index.ts";
import { perKeyBackoff } from "../queue/index.ts";
import { Controlled } from "./controlled.fixture.ts";
import { type Context, controller, type Requeue, RetryAfterError, TerminalError } from "./index.ts";

/** Returns the samples of a controller that are not 0. */
async function samples(metrics: ReturnType<typeof prometheus>): Promise<Record<string, number>> {
  const text = await metrics.text();
  const lines = text.split("\n").filter((line) => line.startsWith("controller_runtime_reconcile"));
  const pairs = lines.map((line) => /^controller_runtime_(\S+) (\S+)$/.exec(line)?.slice(1) ?? []);
  const counted = pairs.filter(([name = "", value]) => value !== "0" && !/_time_seconds_[bs]/.test(name));
  return Object.fromEntries(counted.map(([name, value]) => [name, Number(value)]));
}

test("reconciles are counted by result: success, requeue, error, terminal error", async () => {
  const metrics = prometheus();
  await using world = await Controlled.start({ metrics });
  const ends: Record<string, () => Requeue | undefined> = {
    a: () => undefined,
    b: () => ({ requeueAfterMs: 1e9 }),
    c: () => {
      throw new Error("not today");
    },
    d: () => {
      throw new TerminalError("never");
    },
  };
  for (const name of Object.keys(ends)) await world.live.create(ConfigMap, { metadata: { name } });
  await world.run(
    controller({ name: "configmap", for: ConfigMap, reconcile: async ({ name }) => ends[name]?.() }),
  );
  expect(await samples(metrics)).toEqual({
    'reconcile_total{controller="configmap",result="success"}': 1,
    'reconcile_total{controller="configmap",result="requeue_after"}': 1,
    'reconcile_total{controller="configmap",result="error"}': 2,
    'reconcile_errors_total{controller="configmap"}': 2,
    'reconcile_time_seconds_count{controller="configmap"}': 4,
  });
  expect(await metrics.text()).toContain(
    'controller_runtime_terminal_reconcile_errors_total{controller="configmap"} 1\n',
  );
});

test("requeueAfterMs resets the backoff of earlier failures", async () => {
  await using world = await Controlled.start();
  const calls: [number, number][] = [];
  const reconcile = async (_: unknown, { attempt }: Context): Promise<Requeue | undefined> => {
    calls.push([world.clock.monotonic(), attempt]);
    if (calls.length === 3) return { requeueAfterMs: 100 };
    if (calls.length < 5) throw new Error("not yet");
    return undefined;
  };
  await world.live.create(ConfigMap, { metadata: { name: "a" } });
  await world.run(controller({ name: "configmap", for: ConfigMap, reconcile }));
  await world.clock.advance(10_000);
  expect(calls).toEqual([
    [0, 1],
    [5, 2],
    [15, 3],
    [115, 1],
    [120, 2],
  ]);
});

test("a failed key is retried, also if timers fire slightly early", async () => {
  await using world = await Controlled.start({ earlyMs: 0.5 });
  const calls: [number, number][] = [];
  const reconcile = async (_: unknown, { attempt }: Context): Promise<void> => {
    calls.push([world.clock.monotonic(), attempt]);
    if (calls.length < 4) throw new Error("not yet");
  };
  await world.live.create(ConfigMap, { metadata: { name: "a" } });
  await world.run(controller({ name: "configmap", for: ConfigMap, reconcile }));
  await world.clock.advance(10_000);
  expect(calls).toEqual([
    [0, 1],
    [4.5, 2],
    [14, 3],
    [33.5, 4],
  ]);
});

test("a failed key does not block other keys, and is not queued until its retry", async () => {
  await using world = await Controlled.start();
  const calls: string[] = [];
  const reconcile = async ({ name }: { name: string }): Promise<void> => {
    calls.push(name);
    if (name === "a") throw new Error("never");
  };
  for (const name of ["a", "b", "c"]) await world.live.create(ConfigMap, { metadata: { name } });
  const [running] = await world.run(controller({ name: "configmap", for: ConfigMap, reconcile }));
  expect([calls, running?.queue.size, running?.idle]).toEqual([["a", "b", "c"], 0, true]);
});

test("a custom limiter sets the delay of retries", async () => {
  await using world = await Controlled.start();
  const calledWith: string[] = [];
  const limiter = {
    delayMs: (key: string) => calledWith.push(`failed ${key}`) * 1000,
    forget: (key: string) => void calledWith.push(`forget ${key}`),
    retries: () => 0,
  };
  let calls = 0;
  const reconcile = async (): Promise<void> => {
    calls += 1;
    if (calls < 3) throw new Error("not yet");
  };
  await world.live.create(ConfigMap, { metadata: { name: "a" } });
  await world.run(controller({ name: "configmap", for: ConfigMap, limiter, reconcile }));
  await world.clock.advance(999);
  expect(calls).toBe(1);
  await world.clock.advance(2001);
  expect([calls, calledWith]).toEqual([3, ["failed default/a", "failed default/a", "forget default/a"]]);
});

test.each([undefined, null, "a string", 7, Symbol("s"), { code: 1 }])(
  "%s thrown fails the reconcile and is counted as a panic",
  async (thrown) => {
    const metrics = prometheus();
    await using world = await Controlled.start({ metrics });
    const messages: unknown[] = [];
    let calls = 0;
    const reconcile = async (): Promise<void> => {
      calls += 1;
      if (calls === 1) throw thrown;
    };
    const onError = (error: Error): void => void messages.push([error instanceof Error, error.cause]);
    await world.live.create(ConfigMap, { metadata: { name: "a" } });
    await world.run(controller({ name: "configmap", for: ConfigMap, reconcile, onError }));
    await world.clock.advance(5);
    expect([calls, messages]).toEqual([2, [[true, thrown]]]);
    expect((await samples(metrics))['reconcile_panics_total{controller="configmap"}']).toBe(1);
    const errors = world.logged.filter(({ level }) => level === "error");
    expect(errors.map(({ message, fields }) => [message, fields.retryInMs])).toEqual([
      ["reconcile failed", 5],
    ]);
  },
);

test("a reconcile that throws synchronously fails", async () => {
  await using world = await Controlled.start();
  const messages: string[] = [];
  const reconcile = (): never => {
    throw new Error("at once");
  };
  const onError = ({ message }: Error): void => void messages.push(message);
  await world.live.create(ConfigMap, { metadata: { name: "a" } });
  await world.run(controller({ name: "configmap", for: ConfigMap, reconcile, onError }));
  expect(messages).toEqual(["at once"]);
});

const timeouts = 'reconcile_timeouts_total{controller="configmap"}';

/** Runs one reconcile per name, with a timeout of one second. */
async function timed(
  reconcile: (name: string, context: Context, world: Controlled) => Promise<void>,
  names: readonly string[] = ["a"],
): Promise<{ readonly counted: number | undefined; readonly messages: readonly string[] }> {
  const metrics = prometheus();
  await using world = await Controlled.start({ metrics });
  const messages: string[] = [];
  for (const name of names) await world.live.create(ConfigMap, { metadata: { name } });
  const once = async ({ name }: { name: string }, context: Context): Promise<void> => {
    if (context.attempt === 1) await reconcile(name, context, world);
  };
  const onError = ({ message }: Error): void => void messages.push(message);
  await world.run(
    controller({ name: "configmap", for: ConfigMap, timeoutMs: 1000, reconcile: once, onError }),
  );
  await world.clock.advance(60_000);
  return { counted: (await samples(metrics))[timeouts], messages };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

test("each reconcile that exceeds its timeout is counted, however it ends", async () => {
  const ends: Record<string, (signal: AbortSignal) => void> = {
    a: () => {},
    b: (signal) => signal.throwIfAborted(),
    c: (signal) => {
      throw new Error("gave up", { cause: signal.reason });
    },
  };
  const slow = async (name: string, { signal }: Context): Promise<void> => {
    await aborted(signal);
    ends[name]?.(signal);
  };
  const late = (name: string): string => `reconcile of default/${name} exceeded its timeout of 1000 ms`;
  expect(await timed(slow, ["a", "b", "c"])).toEqual({
    counted: 3,
    messages: [late("a"), late("b"), "gave up"],
  });
});

test("a reconcile that ends in time, or fails with another timeout, is not counted as a timeout", async () => {
  const ends: Record<string, () => void> = {
    a: () => {},
    b: () => {
      throw new Error("no");
    },
    c: () => {
      throw new TimeoutError("expected an end of something else within 5 ms, got none");
    },
  };
  const quick = async (name: string, _: Context, world: Controlled): Promise<void> => {
    await new Promise<void>((resolve) => void world.clock.timer(999, resolve));
    ends[name]?.();
  };
  expect(await timed(quick, ["a", "b", "c"])).toEqual({
    counted: undefined,
    messages: ["no", "expected an end of something else within 5 ms, got none"],
  });
});

test("a reconcile that is aborted because the controller stops is not counted as a timeout", async () => {
  const metrics = prometheus();
  await using world = await Controlled.start({ metrics });
  const messages: string[] = [];
  await world.live.create(ConfigMap, { metadata: { name: "a" } });
  const reconcile = (_: unknown, { signal }: Context): Promise<void> => aborted(signal);
  const onError = ({ message }: Error): void => void messages.push(message);
  await world.run(controller({ name: "configmap", for: ConfigMap, timeoutMs: 1000, reconcile, onError }));
  await world.stop();
  expect([(await samples(metrics))[timeouts], messages]).toEqual([undefined, ["the test is over"]]);
  const lines = world.logged.filter(({ level }) => level === "error").map(({ message }) => message);
  expect(lines).toEqual(["reconcile failed, not retried because the controller stops"]);
});

test("a reconcile that never ends is reported once, and blocks only its own key", async () => {
  await using world = await Controlled.start();
  const log: string[] = [];
  const reconcile = async ({ name }: { name: string }, { signal }: Context): Promise<void> => {
    log.push(name);
    if (name === "stuck") await aborted(signal);
  };
  await world.live.create(ConfigMap, { metadata: { name: "stuck" } });
  await world.run(controller({ name: "configmap", for: ConfigMap, concurrency: 2, reconcile }));
  await world.live.create(ConfigMap, { metadata: { name: "a" } });
  await world.live.patch(ConfigMap, "stuck", { merge: { data: { x: "1" } } });
  await world.clock.advance(3_600_000);
  expect(log).toEqual(["stuck", "a"]);
  const warned = world.logged.filter(({ level }) => level === "warn");
  expect(warned.map(({ message, fields }) => [message, fields])).toEqual([
    ["reconcile still running", { controller: "configmap", key: "default/stuck", seconds: 300 }],
  ]);
});

test("without timeoutMs a reconcile is never aborted for its duration", async () => {
  await using world = await Controlled.start();
  let seen: AbortSignal | undefined;
  const reconcile = async (_: unknown, { signal }: Context): Promise<void> => {
    seen = signal;
    await aborted(signal);
  };
  await world.live.create(ConfigMap, { metadata: { name: "a" } });
  await world.run(controller({ name: "configmap", for: ConfigMap, reconcile }));
  await world.clock.advance(3_600_000);
  expect(seen?.aborted).toBe(false);
});

test("the log entry of a failure has the reasons and the attempt", async () => {
  await using world = await Controlled.start();
  const reconcile = async (): Promise<void> => {
    throw new TerminalError("no");
  };
  await world.live.create(ConfigMap, { metadata: { name: "a" } });
  await world.run(controller({ name: "configmap", for: ConfigMap, reconcile }));
  await world.live.patch(ConfigMap, "a", { merge: { data: { x: "1" } } });
  await world.settle();
  const failures = world.logged.filter(({ level }) => level === "error").map(({ fields }) => fields);
  const reason = { kind: "ConfigMap", key: "default/a", echo: false };
  expect(JSON.parse(JSON.stringify(failures.map((fields) => [fields?.attempt, fields?.reasons])))).toEqual([
    [1, [{ ...reason, event: "added", changed: [] }]],
    [expect.any(Number), [{ ...reason, event: "updated", changed: ["data"] }]],
  ]);
});

test("log entries of a reconcile have its own id, other entries have none", async () => {
  await using world = await Controlled.start();
  const reconcile = async (_: unknown, { log }: Context): Promise<void> => log.info("mine");
  for (const name of ["a", "b"]) await world.live.create(ConfigMap, { metadata: { name } });
  await world.run(controller({ name: "configmap", for: ConfigMap, reconcile }));
  const mine = world.logged.filter(({ message }) => message === "mine").map(({ fields }) => fields);
  expect(mine).toEqual(
    ["default/a", "default/b"].map((key) => ({
      controller: "configmap",
      key,
      reconcileId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })),
  );
  expect(new Set(mine.map((fields) => fields?.reconcileId)).size).toBe(2);
  const outside = world.logged.filter(({ fields }) => fields?.key === undefined);
  expect(outside.every(({ fields }) => fields?.reconcileId === undefined)).toBe(true);
});

test("a key with low priority keeps it when it is requeued or retried", async () => {
  await using world = await Controlled.start();
  const order: string[] = [];
  const reconcile = async ({ name }: { name: string }): Promise<Requeue | undefined> => {
    order.push(name);
    if (name === "long") await new Promise<void>((resolve) => void world.clock.timer(1000, resolve));
    if (order.length > 3) return undefined;
    if (name === "after") return { requeueAfterMs: 1000 };
    if (name === "busy") throw new RetryAfterError("busy", { afterMs: 1000 });
    throw new Error("failed");
  };
  const limiter = perKeyBackoff({ baseMs: 1000, maxMs: 1000 });
  for (const name of ["after", "busy", "failed"]) await world.live.create(ConfigMap, { metadata: { name } });
  await world.run(controller({ name: "configmap", for: ConfigMap, limiter, reconcile }));
  await world.clock.advance(500);
  await world.live.create(ConfigMap, { metadata: { name: "long" } });
  await world.clock.advance(750);
  await world.live.create(ConfigMap, { metadata: { name: "new" } });
  await world.clock.advance(250);
  const again = order.splice(5).sort(); // they were due at the same time
  expect([order, again]).toEqual([
    ["after", "busy", "failed", "long", "new"],
    ["after", "busy", "failed"],
  ]);
});
