import { expect, test } from "vitest";
import { keyText } from "../api/index.ts";
import { ConfigMap, Secret } from "../api/types/core/v1.ts";
import { Controlled } from "./controlled.fixture.ts";
import {
  type Context,
  controller,
  external,
  owns,
  poll,
  RetryAfterError,
  TerminalError,
  watches,
} from "./index.ts";

/** A reconcile that logs its key and reasons. */
function logging(
  log: string[],
  then: (context: Context) => unknown = () => undefined,
): Parameters<typeof controller>[0]["reconcile"] {
  return async (key, context) => {
    const reasons = context.reasons.map(({ kind, event, key: of }) => `${event} ${kind || "-"} ${of}`);
    log.push(`${keyText(key)}: ${reasons.join(", ")}`);
    return (await then(context)) as undefined; // a test may return anything
  };
}

test("existing objects are reconciled, then every change, each with its reason", async () => {
  await using world = await Controlled.start();
  const log: string[] = [];
  await world.live.create(ConfigMap, { metadata: { name: "a" } });
  await world.run(controller({ name: "configmap", for: ConfigMap, reconcile: logging(log) }));
  expect(log).toEqual(["default/a: added ConfigMap default/a"]);
  await world.live.patch(ConfigMap, "a", { merge: { data: { x: "1" } } });
  await world.live.delete(ConfigMap, "a");
  await world.settle();
  expect(log.slice(1)).toEqual([
    "default/a: updated ConfigMap default/a",
    "default/a: deleted ConfigMap default/a",
  ]);
});

test("reconciles start when every cache of the controller has synced", async () => {
  const slow = {
    on: { verb: "watch" as const, resource: "secrets" },
    which: { nth: 1 },
    fault: { type: "delay" as const, ms: 5000 },
  };
  await using world = await Controlled.start({ faults: [slow] });
  const log: string[] = [];
  await world.live.create(ConfigMap, { metadata: { name: "a" } });
  await world.run(
    controller({
      name: "configmap",
      for: ConfigMap,
      on: [watches(Secret, () => [])],
      reconcile: logging(log),
    }),
  );
  await world.clock.advance(4000);
  expect(log).toEqual([]);
  await world.clock.advance(2000);
  expect(log).toEqual(["default/a: added ConfigMap default/a"]);
});

test("a key is reconciled by one worker at a time, and again if an event arrived meanwhile", async () => {
  await using world = await Controlled.start();
  const log: string[] = [];
  let maxActive = 0;
  let now = 0;
  const slow = async ({ signal }: Context): Promise<void> => {
    now += 1;
    maxActive = Math.max(maxActive, now);
    await new Promise<void>((resolve) => void world.clock.timer(1000, resolve));
    signal.throwIfAborted();
    now -= 1;
  };
  await world.run(
    controller({ name: "configmap", for: ConfigMap, concurrency: 4, reconcile: logging(log, slow) }),
  );
  await world.live.create(ConfigMap, { metadata: { name: "a" } });
  await world.settle();
  for (const x of ["1", "2", "3"]) await world.live.patch(ConfigMap, "a", { merge: { data: { x } } });
  await world.clock.advance(5000);
  expect([log, maxActive]).toEqual([
    ["default/a: added ConfigMap default/a", "default/a: updated ConfigMap default/a"],
    1,
  ]);
});

test("events of an owned object reconcile its owner", async () => {
  await using world = await Controlled.start();
  const log: string[] = [];
  const owner = await world.live.create(ConfigMap, { metadata: { name: "owner" } });
  await world.run(
    controller({ name: "configmap", for: ConfigMap, on: [owns(Secret)], reconcile: logging(log) }),
  );
  await world.live.create(Secret, { metadata: { name: "child" } }, { owner });
  await world.live.create(Secret, { metadata: { name: "orphan" } });
  await world.settle();
  expect(log.slice(1)).toEqual(["default/owner: added Secret default/child"]);
});

test("a mapper is called with the object before and after an event", async () => {
  await using world = await Controlled.start();
  const log: string[] = [];
  const map = watches(Secret, ({ metadata }) => [{ name: metadata.labels?.for ?? "none", namespace: "x" }]);
  await world.live.create(Secret, { metadata: { name: "s", labels: { for: "a" } } });
  await world.run(controller({ name: "configmap", for: ConfigMap, on: [map], reconcile: logging(log) }));
  await world.live.patch(Secret, "s", { merge: { metadata: { labels: { for: "b" } } } });
  await world.settle();
  expect(log).toEqual([
    "x/a: added Secret default/s",
    "x/b: updated Secret default/s",
    "x/a: updated Secret default/s",
  ]);
});

test("a poll trigger reconciles every object", async () => {
  await using world = await Controlled.start();
  const log: string[] = [];
  await world.live.create(ConfigMap, { metadata: { name: "a" } });
  await world.run(
    controller({ name: "configmap", for: ConfigMap, on: [poll({ everyMs: 1000 })], reconcile: logging(log) }),
  );
  await world.clock.advance(2500);
  expect(log.slice(1)).toEqual(["default/a: poll - default/a", "default/a: poll - default/a"]);
});

test("requeueAfterMs reconciles the key again after that time", async () => {
  await using world = await Controlled.start();
  const log: string[] = [];
  let times = 0;
  const again = (): unknown => (times++ < 2 ? { requeueAfterMs: 1000 } : undefined);
  await world.live.create(ConfigMap, { metadata: { name: "a" } });
  await world.run(controller({ name: "configmap", for: ConfigMap, reconcile: logging(log, again) }));
  await world.clock.advance(999);
  expect(log.length).toBe(1);
  await world.clock.advance(10_000);
  expect(log.slice(1)).toEqual(["default/a: requeue - default/a", "default/a: requeue - default/a"]);
});

test("a failed key is retried with backoff, which a success resets", async () => {
  await using world = await Controlled.start();
  const attempts: [number, number][] = [];
  const fail = async (_: unknown, { attempt }: Context): Promise<void> => {
    attempts.push([world.clock.monotonic(), attempt]);
    if (attempts.length !== 4) throw new Error("not yet");
  };
  await world.live.create(ConfigMap, { metadata: { name: "a" } });
  await world.run(controller({ name: "configmap", for: ConfigMap, reconcile: fail }));
  await world.clock.advance(1000);
  expect(attempts).toEqual([
    [0, 1],
    [5, 2],
    [15, 3],
    [35, 4],
  ]);
  await world.live.patch(ConfigMap, "a", { merge: { data: { x: "1" } } });
  await world.clock.advance(4);
  expect(attempts.slice(4)).toEqual([[1000, 1]]);
});

test("an event neither resets nor inflates the backoff of a failed key", async () => {
  await using world = await Controlled.start();
  const attempts: [number, number][] = [];
  const fail = async (_: unknown, { attempt }: Context): Promise<void> => {
    attempts.push([world.clock.monotonic(), attempt]);
    throw new Error("never");
  };
  await world.live.create(ConfigMap, { metadata: { name: "a" } });
  await world.run(controller({ name: "configmap", for: ConfigMap, reconcile: fail }));
  await world.clock.advance(75); // at 0, 5, 15, 35 and 75
  const before = attempts.length;
  for (const x of ["1", "2", "3"]) {
    await world.live.patch(ConfigMap, "a", { merge: { data: { x } } });
    await world.clock.advance(1);
  }
  await world.clock.advance(80);
  expect(attempts.slice(before)).toEqual([
    [75, 6],
    [76, 6],
    [77, 6],
    [155, 6],
  ]);
});

test("a terminal error is not retried until the next event", async () => {
  await using world = await Controlled.start();
  const log: string[] = [];
  const fail = (): never => {
    throw new Error("of no use", { cause: new TerminalError("bad spec") });
  };
  await world.live.create(ConfigMap, { metadata: { name: "a" } });
  await world.run(controller({ name: "configmap", for: ConfigMap, reconcile: logging(log, fail) }));
  await world.clock.advance(3_600_000);
  expect(log.length).toBe(1);
  await world.live.patch(ConfigMap, "a", { merge: { data: { x: "1" } } });
  await world.settle();
  expect(log.length).toBe(2);
});

test("a RetryAfterError sets the delay of the retry", async () => {
  await using world = await Controlled.start();
  const times: number[] = [];
  await world.live.create(ConfigMap, { metadata: { name: "a" } });
  const fail = async (): Promise<void> => {
    times.push(world.clock.monotonic());
    if (times.length === 1) throw new RetryAfterError("busy", { afterMs: 7000 });
  };
  await world.run(controller({ name: "configmap", for: ConfigMap, reconcile: fail }));
  await world.clock.advance(10_000);
  expect(times).toEqual([0, 7000]);
});

test("a thrown value that is not an Error fails the reconcile, and other keys are reconciled", async () => {
  await using world = await Controlled.start();
  const log: string[] = [];
  await world.live.create(ConfigMap, { metadata: { name: "a" } });
  await world.live.create(ConfigMap, { metadata: { name: "b" } });
  const fail = ({ reasons }: Context): void => {
    if (reasons[0]?.key === "default/a") throw "a string"; // eslint-disable-line
  };
  await world.run(controller({ name: "configmap", for: ConfigMap, reconcile: logging(log, fail) }));
  expect(log).toEqual(["default/a: added ConfigMap default/a", "default/b: added ConfigMap default/b"]);
  const errors = world.logged.filter(({ level }) => level === "error");
  expect(errors.map(({ message, fields }) => [message, fields.retryInMs])).toEqual([["reconcile failed", 5]]);
});

test("a reconcile that exceeds its timeout has its signal aborted, and fails", async () => {
  await using world = await Controlled.start();
  const reasons: unknown[] = [];
  const slow = async (_: unknown, { signal }: Context): Promise<void> => {
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    reasons.push((signal.reason as Error).message);
  };
  await world.live.create(ConfigMap, { metadata: { name: "a" } });
  await world.run(controller({ name: "configmap", for: ConfigMap, timeoutMs: 3000, reconcile: slow }));
  await world.clock.advance(3000);
  expect(reasons).toEqual(["reconcile of default/a exceeded its timeout of 3000 ms"]);
});

test("onError is called for each failure", async () => {
  await using world = await Controlled.start();
  const received: unknown[] = [];
  await world.live.create(ConfigMap, { metadata: { name: "a" } });
  const reconcile = async (): Promise<void> => {
    throw new TerminalError("no");
  };
  const onError = (error: Error, key: object): void => {
    received.push([error.message, key]);
    throw new Error("and this too");
  };
  await world.run(controller({ name: "configmap", for: ConfigMap, reconcile, onError }));
  expect(received).toEqual([["no", { namespace: "default", name: "a" }]]);
  expect(world.logged.at(-1)?.message).toBe("onError failed");
});

test("debounce delays a key until it has no more events", async () => {
  await using world = await Controlled.start();
  const log: string[] = [];
  const times: number[] = [];
  const note = logging(log, () => void times.push(world.clock.monotonic()));
  await world.run(
    controller({
      name: "configmap",
      for: ConfigMap,
      debounce: { quietMs: 200, maxMs: 1000 },
      reconcile: note,
    }),
  );
  await world.live.create(ConfigMap, { metadata: { name: "a" } });
  await world.clock.advance(150);
  await world.live.patch(ConfigMap, "a", { merge: { data: { x: "1" } } });
  await world.clock.advance(1000);
  expect([log, times]).toEqual([
    ["default/a: added ConfigMap default/a, updated ConfigMap default/a"],
    [350],
  ]);
});

test("reasons contain the changed fields and mark own writes", async () => {
  await using world = await Controlled.start();
  const received: unknown[] = [];
  const reconcile = async (_: unknown, { client, reasons }: Context): Promise<void> => {
    received.push(reasons.map(({ event, changed, echo }) => ({ event, changed: [...changed], echo })));
    if (received.length === 1) await client.patch(ConfigMap, "a", { merge: { data: { mine: "1" } } });
  };
  await world.live.create(ConfigMap, { metadata: { name: "a" } });
  await world.run(controller({ name: "configmap", for: ConfigMap, reconcile }));
  await world.live.patch(ConfigMap, "a", { merge: { metadata: { labels: { x: "1" } } } });
  await world.settle();
  expect(received).toEqual([
    [{ event: "added", changed: [], echo: false }],
    [{ event: "updated", changed: ["data"], echo: true }],
    [{ event: "updated", changed: ["metadata.labels"], echo: false }],
  ]);
});

test("an apply overrides changes of other field managers", async () => {
  await using world = await Controlled.start();
  const applied: unknown[] = [];
  const reconcile = async (_: unknown, { client }: Context): Promise<void> => {
    const { data } = await client.apply(ConfigMap, { metadata: { name: "a" }, data: { x: "ours" } });
    applied.push(data);
    const refused = client.apply(
      ConfigMap,
      { metadata: { name: "b" }, data: { x: "ours" } },
      { force: false },
    );
    applied.push(await refused.catch((error: Error) => error.message.includes("conflict")));
  };
  for (const name of ["a", "b"]) {
    const body = { metadata: { name }, data: { x: "theirs" } };
    await world.live.create(ConfigMap, body, { fieldManager: "them" });
  }
  await world.run(
    controller({ name: "secret", for: Secret, on: [external(() => once("default/x"))], reconcile }),
  );
  expect(applied).toEqual([{ x: "ours" }, true]);
});

async function* once(key: string): AsyncGenerator<string> {
  yield key;
}

test("invalid controller options are rejected", () => {
  const reconcile = async (): Promise<void> => {};
  expect(controller({ name: "configmap", for: ConfigMap, reconcile }).name).toBe("configmap");
  expect(() => controller({ name: "configmap", for: ConfigMap, reconcile, concurrency: 0 })).toThrow(
    "expected concurrency of at least 1, got 0",
  );
  expect(() => controller({ name: "configmap", for: ConfigMap, reconcile, concurrency: 1.5 })).toThrow(
    "to be an integer, got 1.5",
  );
  expect(() => controller({ for: ConfigMap, reconcile, name: "" })).toThrow("got an empty string");
  expect(() =>
    controller({ name: "configmap", for: ConfigMap, reconcile, debounce: { quietMs: 5, maxMs: 1 } }),
  ).toThrow("expected debounce.maxMs of at least 5, got 1");
  expect(() => poll({ everyMs: 0 })).toThrow("expected everyMs of poll to be more than 0, got 0");
});
