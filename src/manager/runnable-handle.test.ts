import { expect, test } from "vitest";
import type { AnyKind } from "../api/index.ts";
import { ConfigMap, Secret } from "../api/types/core/v1.ts";
import { controller } from "../controller/index.ts";
import type { Manager } from "./index.ts";
import { Managed, reconciling } from "./managed.fixture.ts";

const names = async (world: Managed): Promise<void> => {
  for (const name of ["a", "b"]) await world.cluster.client.create(ConfigMap, { metadata: { name } });
};

/** Returns a controller of Secrets. */
const secrets = (log: string[]) =>
  controller({ name: "secret", for: Secret, reconcile: async ({ name }) => void log.push(`secret ${name}`) });

function declared({ cache }: Manager, kind: AnyKind): boolean {
  try {
    return cache.of(kind) !== undefined;
  } catch {
    return false; // no controller declares it
  }
}

test("a controller added to a running manager reconciles the existing objects", async () => {
  await using world = await Managed.start();
  const log: string[] = [];
  const running = await world.run([reconciling(async () => {})]);
  await world.cluster.client.create(Secret, { metadata: { name: "s" } });
  const added = running.add(secrets(log));
  await world.settle();
  await added.ready;
  await world.cluster.client.create(Secret, { metadata: { name: "t" } });
  await world.settle();
  expect([added.name, log]).toEqual(["secret", ["secret s", "secret t"]]);
});

test("a controller added before the run starts with the others, and readiness waits for it", async () => {
  await using world = await Managed.start();
  const log: string[] = [];
  await world.cluster.client.create(Secret, { metadata: { name: "s" } });
  const made = world.manager([]);
  const added = made.add(secrets(log));
  const withdrawn = made.add(reconciling(async (name) => void log.push(name)));
  await withdrawn.stop();
  world.over = made.run({ signal: world.ended.signal });
  await world.settle();
  await Promise.all([made.ready, added.ready]);
  await expect(withdrawn.ready).rejects.toThrow("controller configmap is stopped");
  expect(log).toEqual(["secret s"]);
});

test("a stopped controller completes running reconciles and starts no new one", async () => {
  await using world = await Managed.start();
  const log: string[] = [];
  const slow = reconciling(async (name) => {
    log.push(`begin ${name}`);
    await new Promise<void>((resolve) => void world.clock.timer(10_000, resolve));
    log.push(`end ${name}`);
  });
  await names(world);
  const running = await world.run([]);
  const added = running.add(slow);
  await world.settle();
  const stopped = added.stop();
  await world.clock.advance(10_000);
  await stopped;
  await world.clock.advance(60_000);
  expect([log, running.idle]).toEqual([["begin a", "end a"], true]);
});

test("a stopped controller that does not end is cancelled, then named, and the manager continues", async () => {
  await using world = await Managed.start();
  const aborted: string[] = [];
  const stuck = reconciling(async (name, { signal }) => {
    signal.addEventListener("abort", () => aborted.push(name));
    await new Promise(() => {});
  });
  await names(world);
  const running = await world.run([], { drainMs: 5000 });
  const added = running.add(stuck);
  await world.settle();
  const stopped = added.stop().catch((error: Error) => error.message);
  await world.clock.advance(6000);
  expect([aborted, await stopped]).toEqual([
    ["a"],
    "still running after cancellation: configmap default/a; " +
      "pass its signal to everything that it awaits",
  ]);
});

test("added controllers share caches, which are released with their last user", async () => {
  await using world = await Managed.start();
  const kinds = (): string[] =>
    [ConfigMap, Secret].flatMap((kind) => (declared(running, kind) ? [kind.kind] : []));
  const first = reconciling(async () => {}, "first");
  const running = await world.run([]);
  const [one, two] = [running.add(first), running.add(secrets([]))];
  await world.settle();
  const lister = running.cache.of(Secret);
  expect(kinds()).toEqual(["ConfigMap", "Secret"]);
  await one.stop();
  expect([kinds(), running.cache.of(Secret) === lister]).toEqual([["Secret"], true]);
  await two.stop();
  expect(kinds()).toEqual([]);
});

test("a name is free again when its controller has been stopped", async () => {
  await using world = await Managed.start();
  const log: string[] = [];
  const running = await world.run([]);
  await names(world);
  const first = running.add(reconciling(async (name) => void log.push(`first ${name}`)));
  await world.settle();
  expect(() => running.add(reconciling(async () => {}))).toThrow('got two controllers named "configmap"');
  await first.stop();
  await first.stop();
  running.add(reconciling(async (name) => void log.push(`second ${name}`)));
  await world.settle();
  expect(log).toEqual(["first a", "first b", "second a", "second b"]);
});

test("a failed start rejects the handle of the added controller, and the others continue", async () => {
  await using world = await Managed.start();
  const log: string[] = [];
  const running = await world.run([reconciling(async (name) => void log.push(name))], {
    namespaces: ["default"],
  });
  const lost = running.add(
    controller({ name: "secret", for: Secret, view: { namespaces: ["nowhere"] }, reconcile: async () => {} }),
  );
  await world.clock.advance(3000);
  await expect(lost.ready).rejects.toThrow("kubectl create namespace nowhere");
  await world.cluster.client.create(ConfigMap, { metadata: { name: "a" } });
  await world.settle();
  expect([log, world.messages("error")]).toEqual([["a"], ["added part failed to start"]]);
});

test("add throws after the manager has ended", async () => {
  await using world = await Managed.start();
  const running = await world.run([]);
  await world.end();
  expect(() => running.add(secrets([]))).toThrow("manager has ended; cannot add secret");
});

test("a controller added to a standby waits for leadership with a synced cache", async () => {
  await using world = await Managed.start();
  const log: string[] = [];
  const leading = world.manager([], { leaderElection: { name: "operator", identity: "one" } });
  const first = new AbortController();
  const one = leading.run({ signal: first.signal });
  await world.settle();
  const standby = await world.run([], { leaderElection: { name: "operator", identity: "two" } });
  const added = standby.add(reconciling(async (name) => void log.push(name)));
  await world.cluster.client.create(ConfigMap, { metadata: { name: "a" } });
  await world.settle();
  await added.ready;
  expect([log, standby.cache.of(ConfigMap).list().length]).toEqual([[], 1]);
  first.abort(new Error("received SIGTERM"));
  await world.clock.advance(10_000);
  await one;
  expect(log).toEqual(["a"]);
});
