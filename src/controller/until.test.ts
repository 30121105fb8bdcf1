import { expect, test } from "vitest";
import type { Frozen } from "../api/index.ts";
import { ConfigMap, Pod, Secret } from "../api/types/core/v1.ts";
import { Controlled } from "./controlled.fixture.ts";
import { type Context, controller, type Requeue, watches } from "./index.ts";
import { reasonText } from "./reason.ts";

type Reconcile = (context: Context, name: string) => Promise<Requeue | undefined>;

const isReady = (secret: Frozen<Secret> | undefined): boolean => secret?.metadata.labels?.ready === "yes";
const ready = { merge: { metadata: { labels: { ready: "yes" } } } };
const minute = { timeoutMs: 60_000 };

/** A controller of ConfigMaps that no event of a Secret queues. */
class Waiting implements AsyncDisposable {
  readonly world: Controlled;
  /** The reasons of each reconcile: `a: added ConfigMap default/a`. */
  readonly log: string[] = [];

  static async start(reconcile: Reconcile, ...names: string[]): Promise<Waiting> {
    const waiting = new Waiting(await Controlled.start());
    const { live } = waiting.world;
    await live.create(Secret, { metadata: { name: "s" } });
    for (const name of names) await live.create(ConfigMap, { metadata: { name } });
    const run = (context: Context, name: string): Promise<Requeue | undefined> => {
      waiting.log.push(`${name}: ${context.reasons.map(reasonText).join(", ")}`);
      return reconcile(context, name);
    };
    await waiting.world.run(
      controller({
        name: "maps",
        for: ConfigMap,
        on: [watches(Secret, () => [])],
        reconcile: ({ name }, context) => run(context, name),
      }),
    );
    return waiting;
  }

  private constructor(world: Controlled) {
    this.world = world;
  }

  /** The reasons of the reconciles since the last call. */
  async reconciles(): Promise<string[]> {
    await this.world.settle();
    return this.log.splice(0);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.world[Symbol.asyncDispose]();
  }
}

const untilReady: Reconcile = async ({ cache, until }) =>
  isReady(cache.of(Secret).view("default/s")) ? undefined : until(Secret, "s", isReady, minute);

test("a key is queued when the object has the expected state, and not before", async () => {
  await using waiting = await Waiting.start(untilReady, "a", "b");
  const { live, clock } = waiting.world;
  const timers = clock.timers;
  expect(await waiting.reconciles()).toEqual([
    "a: added ConfigMap default/a",
    "b: added ConfigMap default/b",
  ]);
  await live.patch(Secret, "s", { merge: { metadata: { labels: { ready: "no" } } } });
  await live.create(Secret, { metadata: { name: "other", labels: { ready: "yes" } } });
  expect(await waiting.reconciles()).toEqual([]);
  await live.patch(Secret, "s", ready);
  expect(await waiting.reconciles()).toEqual(["a: awaited Secret default/s", "b: awaited Secret default/s"]);
  expect(clock.timers).toBe(timers - 2);
});

test("a state that lasts for a moment only ends a wait", async () => {
  await using waiting = await Waiting.start(untilReady, "a");
  await waiting.reconciles();
  await waiting.world.live.patch(Secret, "s", ready);
  await waiting.world.live.patch(Secret, "s", { merge: { metadata: { labels: null } } });
  expect(await waiting.reconciles()).toEqual(["a: awaited Secret default/s"]);
});

test("the delete of the object is a change", async () => {
  const reconcile: Reconcile = async ({ reasons, until }) =>
    reasons.some(({ event }) => event === "awaited")
      ? undefined
      : until(Secret, "s", (secret) => secret === undefined, minute);
  await using waiting = await Waiting.start(reconcile, "a");
  await waiting.reconciles();
  await waiting.world.live.delete(Secret, "s");
  expect(await waiting.reconciles()).toEqual(["a: awaited Secret default/s"]);
});

test("a key is queued at once if the object has the state already, as by an own write", async () => {
  const reconcile: Reconcile = async ({ client, reasons, until }) => {
    if (reasons.some(({ event }) => event === "awaited")) return undefined;
    await client.patch(Secret, "s", ready);
    return until(Secret, "s", isReady, minute);
  };
  await using waiting = await Waiting.start(reconcile, "a");
  expect(await waiting.reconciles()).toEqual(["a: added ConfigMap default/a", "a: awaited Secret default/s"]);
});

test("a reconcile that waits for what is true already is repeated with backoff", async () => {
  await using waiting = await Waiting.start(async ({ until }) => until(Secret, "s", () => true, minute), "a");
  expect(await waiting.reconciles()).toEqual(["a: added ConfigMap default/a", "a: awaited Secret default/s"]);
  await waiting.world.clock.advance(1000);
  expect((await waiting.reconciles()).length).toBeLessThan(10);
});

test("a key is queued at the timeout, which other reconciles do not extend", async () => {
  await using waiting = await Waiting.start(untilReady, "a");
  const { clock, live } = waiting.world;
  await waiting.reconciles();
  await clock.advance(59_999);
  await live.patch(ConfigMap, "a", { merge: { data: { a: "b" } } });
  expect(await waiting.reconciles()).toEqual(["a: updated ConfigMap default/a: data"]);
  await clock.advance(1);
  expect(await waiting.reconciles()).toEqual(["a: timeout Secret default/s"]);
  await clock.advance(59_999);
  expect(await waiting.reconciles()).toEqual([]);
  await clock.advance(1);
  expect(await waiting.reconciles()).toEqual(["a: timeout Secret default/s"]);
});

test("a wait of a deleted key ends", async () => {
  await using waiting = await Waiting.start(
    async (context, name) => context.cache.of(ConfigMap).view(`default/${name}`) && untilReady(context, name),
    "a",
  );
  const { clock, live } = waiting.world;
  await waiting.reconciles();
  const timers = clock.timers;
  await live.delete(ConfigMap, "a");
  expect(await waiting.reconciles()).toEqual(["a: deleted ConfigMap default/a"]);
  expect(clock.timers).toBe(timers - 1);
  await live.patch(Secret, "s", ready);
  expect(await waiting.reconciles()).toEqual([]);
});

test("a predicate that throws fails the reconcile, also if it threw for an event", async () => {
  const predicate = (secret: Frozen<Secret> | undefined): boolean => {
    if (isReady(secret)) throw new Error("unexpected label");
    return false;
  };
  await using waiting = await Waiting.start(async ({ until }) => until(Secret, "s", predicate, minute), "a");
  await waiting.reconciles();
  await waiting.world.live.patch(Secret, "s", ready);
  expect(await waiting.reconciles()).toEqual(["a: awaited Secret default/s"]);
  const failed = waiting.world.logged.filter(({ level }) => level === "error");
  expect(failed.map(({ fields }) => String(fields.error))).toEqual(["Error: unexpected label"]);
});

const refusals: readonly (readonly [string, (context: Context) => Requeue, string])[] = [
  [
    "for a kind that the controller does not watch",
    ({ until }) => until(Pod, "s", () => true, minute),
    'expected a kind that controller "maps" watches (v1 ConfigMap, v1 Secret), got v1 Pod; ' +
      "add owns(Pod) or watches(Pod, …) to `on`",
  ],
  [
    "without an end",
    ({ until }) => until(Secret, "s", () => true, { timeoutMs: Number.POSITIVE_INFINITY }),
    "expected timeoutMs of until to be a number above 0, got Infinity",
  ],
];

test.each(refusals)("a wait %s fails the reconcile", async (_what, wait, message) => {
  const errors: string[] = [];
  const reconcile: Reconcile = async (context) => {
    try {
      return wait(context);
    } catch (error) {
      errors.push((error as Error).message);
      return undefined;
    }
  };
  await using waiting = await Waiting.start(reconcile, "a");
  await waiting.reconciles();
  expect(errors).toEqual([message]);
});
