import { expect, test } from "vitest";
import { ConfigMap } from "../api/types/core/v1.ts";
import { Managed, reconciling } from "./managed.fixture.ts";
import type { Runnable } from "./runnable.ts";

/** Returns a runnable that logs its start and its end, and runs until it is aborted. */
function logging(log: string[], name: string, options: Partial<Runnable> = {}): Runnable {
  return {
    name,
    run: async ({ signal }) => {
      log.push(`${name} begins`);
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      log.push(`${name} ends`);
    },
    ...options,
  };
}

const elected = (identity: string) => ({ leaderElection: { name: "operator", identity } });

test("runnables start when the caches have synced, and read from them", async () => {
  await using world = await Managed.start();
  const seen: unknown[] = [];
  await world.cluster.client.create(ConfigMap, { metadata: { name: "a" } });
  const reads = (name: string, everywhere: boolean): Runnable => ({
    name,
    everywhere,
    run: async ({ client, cache }) => {
      seen.push((await client.get(ConfigMap, "a"))?.metadata.name, cache.of(ConfigMap).list().length);
    },
  });
  await world.run([reconciling(async () => {})], {
    runnables: [reads("leader", false), reads("all", true)],
  });
  expect(seen).toEqual(["a", 1, "a", 1]);
});

test("runnables with everywhere run on a standby, and the others wait for leadership", async () => {
  await using world = await Managed.start();
  const log: string[] = [];
  const first = new AbortController();
  const one = world.manager([], elected("one")).run({ signal: first.signal });
  await world.settle();
  const runnables = [logging(log, "leader"), logging(log, "all", { everywhere: true })];
  await world.run([], { runnables, ...elected("two") });
  expect(log).toEqual(["all begins"]);
  first.abort(new Error("received SIGTERM"));
  await world.clock.advance(10_000);
  await one;
  expect(log).toEqual(["all begins", "leader begins"]);
  expect([await world.end(), log.slice(2)]).toEqual(["over", ["all ends", "leader ends"]]);
});

test("a standby that stops ends its runnables and starts no others", async () => {
  await using world = await Managed.start();
  const log: string[] = [];
  const first = new AbortController();
  const one = world.manager([], elected("one")).run({ signal: first.signal });
  await world.settle();
  const runnables = [logging(log, "leader"), logging(log, "all", { everywhere: true })];
  await world.run([], { runnables, ...elected("two") });
  expect([await world.end(), log]).toEqual(["over", ["all begins", "all ends"]]);
  first.abort(new Error("received SIGTERM"));
  await world.settle();
  await one;
});

test("runnables with everywhere end first, then those of the leader, which keeps its lease until they have ended", async () => {
  await using world = await Managed.start();
  const log: string[] = [];
  const slow = (name: string, everywhere: boolean): Runnable => ({
    name,
    everywhere,
    run: async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      log.push(`${name} was aborted`);
      await new Promise<void>((resolve) => void world.clock.timer(4000, resolve));
      log.push(`${name} ends`);
    },
  });
  await world.run([], { runnables: [slow("leader", false), slow("all", true)], ...elected("one") });
  world.ended.abort(new Error("received SIGTERM"));
  await world.clock.advance(4000);
  expect(log).toEqual(["all was aborted", "all ends", "leader was aborted"]);
  expect(world.messages("info")).not.toContain("stopped leading");
  await world.clock.advance(4000);
  expect([log.slice(3), await world.over]).toEqual([["leader ends"], "over"]);
  expect(world.messages("info")).toContain("stopped leading");
});

test("a failed runnable stops the manager with its error, and the others end normally", async () => {
  await using world = await Managed.start();
  const log: string[] = [];
  const failing: Runnable = {
    name: "failing",
    run: async () => {
      await new Promise<void>((resolve) => void world.clock.timer(1000, resolve));
      throw new Error("the disk is full");
    },
  };
  await world.run([reconciling(async () => {})], { runnables: [logging(log, "other"), failing] });
  await world.clock.advance(1000);
  expect([await world.over, log, world.clock.timers]).toEqual([
    "the disk is full",
    ["other begins", "other ends"],
    0,
  ]);
});

test("a runnable that rejects because of the abort has ended normally", async () => {
  await using world = await Managed.start();
  const throwing: Runnable = {
    name: "throwing",
    run: ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(new Error("broken off", { cause: signal.reason })));
      }),
  };
  await world.run([], { runnables: [throwing] });
  expect(await world.end()).toBe("over");
});

test("a runnable that does not end within drainMs is named", async () => {
  await using world = await Managed.start();
  const stuck: Runnable = { name: "stuck", run: () => new Promise(() => {}) };
  await world.run([], { runnables: [stuck], drainMs: 3000 });
  world.ended.abort(new Error("received SIGTERM"));
  await world.clock.advance(4000);
  expect(await world.over).toBe(
    "still running after cancellation: stuck; " + "pass its signal to everything that it awaits",
  );
});

test("a runnable can be added to a running manager, and stopped", async () => {
  await using world = await Managed.start();
  const log: string[] = [];
  const running = await world.run([]);
  const added = running.add(logging(log, "late"));
  await added.ready;
  await added.stop();
  expect(log).toEqual(["late begins", "late ends"]);
});

test("runUntil runs the manager until the work is done and resolves with its result", async () => {
  await using world = await Managed.start();
  const made = world.manager([
    reconciling(async (name, { client }) => {
      await client.patch(ConfigMap, name, { merge: { data: { seen: "yes" } } });
    }),
  ]);
  const work = async (): Promise<unknown> => {
    await made.ready;
    await made.client.create(ConfigMap, { metadata: { name: "a" } });
    await world.settle();
    return (await made.client.get(ConfigMap, "a"))?.data;
  };
  expect(await made.runUntil(work())).toEqual({ seen: "yes" });
  expect(world.clock.timers).toBe(0);
});

test("runUntil rejects with the error of the work or of the manager after the manager has ended", async () => {
  await using world = await Managed.start();
  const wrong = world.manager([]).runUntil(Promise.reject(new Error("it is wrong")));
  await expect(wrong).rejects.toThrow("it is wrong");
  const failing: Runnable = { name: "failing", run: () => Promise.reject(new Error("the disk is full")) };
  const never = world.manager([], { runnables: [failing] }).runUntil(new Promise(() => {}));
  await expect(never).rejects.toThrow("the disk is full");
});
