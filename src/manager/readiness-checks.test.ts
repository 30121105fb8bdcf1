import { expect, test } from "vitest";
import { ConfigMap, Pod } from "../api/types/core/v1.ts";
import { type Clock, loggerTo, seededRng, silentLogger, VirtualClock } from "../base/index.ts";
import { informers } from "../cache/index.ts";
import { controller, external } from "../controller/index.ts";
import { startCluster } from "../testing/index.ts";
import { BreakableConnection } from "./breakable-connection.fixture.ts";
import { Managed } from "./managed.fixture.ts";
import { cachesSynced, type Watched, watchStaleness } from "./readiness-checks.ts";

test("active and stopped controllers pass the check", () => {
  const { name, check } = cachesSynced(() => [
    { name: "a", state: { phase: "active" } },
    { name: "b", state: { phase: "stopped" } },
  ]);
  expect([name, check()]).toEqual(["caches", undefined]);
});

test("controllers whose caches have not synced are named, except those that wait for a kind or resume after one", () => {
  const { check } = cachesSynced(() => [
    { name: "a", state: { phase: "syncing" } },
    { name: "b", state: { phase: "waiting", kinds: ["example.dev/v1 Website"] } },
    { name: "c", state: { phase: "syncing", awaited: true } },
  ]);
  expect(check).toThrow("expected the caches of every controller to be synced, got a not synced");
});

const quiet = { phase: "watching", sinceMs: 0, resourceVersion: "7", restarts: 0 } as const;

/** Runs the check. Returns "fine" or the error message. */
function outcome(...watched: readonly Watched[]): unknown {
  const { check } = watchStaleness(() => watched);
  try {
    return check() ?? "fine";
  } catch (error) {
    return (error as Error).message;
  }
}

test("a watch with an event within three minutes passes", () => {
  expect(outcome({ kind: Pod, health: { ...quiet, silentMs: 180_000 } })).toBe("fine");
});

test("a stale watch is named with its age and last error", () => {
  const lastError = new Error("no route to host");
  expect(
    outcome(
      { kind: Pod, health: { ...quiet, phase: "waiting", silentMs: 245_000, lastError } },
      { kind: ConfigMap, health: { ...quiet, silentMs: 180_001 } },
    ),
  ).toBe(
    "expected every watch to be active within 180 s, " +
      "got v1 ConfigMap heard 180 s ago; v1 Pod heard 245 s ago (no route to host)",
  );
});

test("a cache without a list is named", () => {
  expect(
    outcome({
      kind: Pod,
      health: { ...quiet, phase: "listing", resourceVersion: undefined, silentMs: 0 },
    }),
  ).toBe("expected every watch to be active within 180 s, got v1 Pod not listed yet");
});

test.each(["empty", "closed"] as const)("an informer in phase %s is ignored", (phase) => {
  expect(outcome({ kind: Pod, health: { ...quiet, phase } })).toBe("fine");
});

test("the check fails if the server is unreachable for longer than the bound, and recovers with it", async () => {
  const clock = new VirtualClock();
  const rng = seededRng(1);
  await using cluster = await startCluster({ clock, rng });
  const connection = new BreakableConnection();
  const client = cluster.client.through((transport) => connection.over(transport));
  await using factory = informers({ client, clock, rng, log: silentLogger });
  const pods = factory.for(Pod);
  const { check } = watchStaleness(() => [pods]);
  const ended = new AbortController();
  factory.start({ signal: ended.signal });
  await clock.advance(600_000);
  expect(check).not.toThrow(); // bookmarks arrived
  connection.cut();
  await clock.advance(120_000);
  expect(check).not.toThrow();
  await clock.advance(130_000);
  expect(check).toThrow(/v1 Pod heard \d+ s ago \(the connection is cut\)$/);
  connection.restore();
  await clock.advance(60_000);
  expect(check).not.toThrow();
  ended.abort();
});

test("a step of the wall clock makes no watch stale", async () => {
  const time = new VirtualClock();
  let stepMs = 0;
  const clock: Clock = {
    now: () => time.now() + stepMs,
    monotonic: () => time.monotonic(),
    timer: (afterMs, run) => time.timer(afterMs, run),
  };
  const rng = seededRng(1);
  await using cluster = await startCluster({ clock: time, rng });
  await using factory = informers({ client: cluster.client, clock, rng, log: silentLogger });
  const pods = factory.for(Pod);
  const { check } = watchStaleness(() => [pods]);
  factory.start({ signal: cluster.signal });
  await time.advance(1000);
  for (const ms of [3_600_000, -3_600_000]) {
    stepMs = ms;
    expect(check).not.toThrow();
  }
});

test("/readyz?verbose shows the external sources, and a failing one does not make it unready", async () => {
  await using world = await Managed.start();
  const ports: unknown[] = [];
  const log = loggerTo(({ message, fields }) => {
    if (message === "serving") ports.push(fields.port);
  });
  const waiting = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  const made = controller({
    name: "maps",
    for: ConfigMap,
    on: [
      external(async function* messages(signal) {
        yield "default/a";
        await waiting(signal);
      }),
      external(async function* broken() {
        yield "default/b";
        throw new Error("password: hunter2");
      }),
    ],
    reconcile: async () => {},
  });
  const running = await world.run([made], { log, health: { port: 0 } });
  await running.ready;
  await world.clock.advance(4000);
  const response = await fetch(`http://127.0.0.1:${ports[0]}/readyz?verbose`);
  expect([
    response.status,
    (await response.text()).split("\n").filter((line) => line.includes("sources")),
  ]).toEqual([
    200,
    ["[+]sources ok (maps/messages running, 0 restarts; maps/broken restarting in 4 s, 3 restarts)"],
  ]);
});
