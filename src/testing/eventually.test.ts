import { expect, test } from "vitest";
import { ConfigMap } from "../api/types/core/v1.ts";
import { silentLogger, sleep, VirtualClock } from "../base/index.ts";
import { type Controller, controller, TerminalError } from "../controller/index.ts";
import { type Cluster, startCluster } from "./index.ts";

const names = ["a", "b", "c", "d", "e", "f", "g"];

/** A controller for ConfigMaps that calls `reconcile` with the name of each. */
function maps(reconcile: (name: string) => void): Controller {
  return controller({ name: "maps", for: ConfigMap, reconcile: async ({ name }) => reconcile(name) });
}

interface Waited {
  readonly controller: Controller;
  /** Names of the ConfigMaps in the cluster. */
  readonly maps: readonly string[];
}

/** Returns the error of an `eventually` whose check always throws, on a cluster that runs the controller. */
async function errorOf({ controller: running, maps: existing }: Waited): Promise<Error> {
  const clock = new VirtualClock();
  await using cluster = await startCluster({ clock });
  for (const name of existing) await cluster.client.create(ConfigMap, { metadata: { name } });
  await cluster.run({ controllers: [running], log: silentLogger });
  return await timedOut(cluster);
}

async function timedOut(cluster: Cluster): Promise<Error> {
  const check = (): never => {
    throw new RangeError("expected a Secret, got none");
  };
  return (await cluster.eventually(check).catch((error: unknown) => error)) as Error; // the check never passes
}

test("eventually gives up a second before vitest's default timeout of 5 s", async () => {
  const clock = new VirtualClock();
  await using cluster = await startCluster({ clock });
  const failing = cluster.eventually(() => Promise.reject(new Error("not yet")));
  await expect(failing).rejects.toThrow("not yet");
  expect(clock.monotonic()).toBe(4_000);
});

test("eventually does not move the clock if the check passes once everything has come to rest", async () => {
  const clock = new VirtualClock();
  await using cluster = await startCluster({ clock });
  const seen: string[] = [];
  await cluster.run({ controllers: [maps((name) => void seen.push(name))] });
  await cluster.client.create(ConfigMap, { metadata: { name: "a" } });
  await cluster.eventually(() => expect(seen).toEqual(["a"]));
  expect(clock.monotonic()).toBe(0);
});

test("eventually moves the clock from timer to timer until the check passes", async () => {
  const clock = new VirtualClock();
  await using cluster = await startCluster({ clock });
  const fired: number[] = [];
  for (const ms of [10, 20, 30, 1_000]) clock.timer(ms, () => void fired.push(ms));
  await cluster.eventually(() => expect(fired).toContain(20));
  expect([fired, clock.monotonic()]).toEqual([[10, 20], 20]);
});

test("eventually also moves the clock while the check itself waits for it", async () => {
  const clock = new VirtualClock();
  await using cluster = await startCluster({ clock });
  await cluster.eventually(() => sleep(120, { clock }));
  expect(clock.monotonic()).toBe(120);
});

test("the error keeps its type and is unchanged if no reconcile failed", async () => {
  const error = await errorOf({ controller: maps(() => {}), maps: ["a"] });
  expect(error).toEqual(new RangeError("expected a Secret, got none"));
});

test("the error names the reconciles that failed meanwhile, with the number of attempts and the last message", async () => {
  const failing = maps((name) => {
    if (name !== "b") throw new Error(`no bucket for ${name}`);
  });
  const error = await errorOf({ controller: failing, maps: ["a", "b", "c"] });
  const text = [
    "expected a Secret, got none",
    "",
    "Reconciles that failed meanwhile:",
    "  maps default/a failed 10 times: no bucket for a",
    "  maps default/c failed 10 times: no bucket for c",
  ].join("\n");
  expect([error.name, error.message]).toEqual(["RangeError", text]);
  expect(error.stack?.startsWith(`RangeError: ${text}\n    at `)).toBe(true);
});

test("the error says which failed reconciles succeeded later, and which are not retried", async () => {
  let attempts = 0;
  const flaky = maps((name) => {
    attempts += 1;
    if (name === "a") throw new TerminalError("no such region");
    if (attempts <= 3) throw new Error("conflict");
  });
  const error = await errorOf({ controller: flaky, maps: ["a", "b"] });
  expect(error.message.split("\n").slice(3)).toEqual([
    "  maps default/a failed, and is not retried: no such region",
    "  maps default/b failed 2 times, then succeeded: conflict",
  ]);
});

test("a reconcile that failed and recovered before the wait is not named", async () => {
  const clock = new VirtualClock();
  await using cluster = await startCluster({ clock });
  await cluster.client.create(ConfigMap, { metadata: { name: "a" } });
  let attempts = 0;
  const once = maps(() => {
    attempts += 1;
    if (attempts === 1) throw new Error("conflict");
  });
  await cluster.run({ controllers: [once], log: silentLogger });
  await clock.advance(1_000);
  expect([attempts, (await timedOut(cluster)).message]).toEqual([2, "expected a Secret, got none"]);
});

test("five reconciles are named, and the others counted", async () => {
  const failing = maps(() => {
    throw new Error(`x\n${"y".repeat(1_000)}`);
  });
  const error = await errorOf({ controller: failing, maps: names });
  const lines = error.message.split("\n").slice(3);
  expect([lines.length, lines[0], lines.at(-1)]).toEqual([
    6,
    `  maps default/a failed 10 times: x ${"y".repeat(298)}…`,
    "  and 2 more",
  ]);
});

test("a failing cleanup is named too", async () => {
  const clock = new VirtualClock();
  await using cluster = await startCluster({ clock });
  const { client } = cluster;
  await client.create(ConfigMap, { metadata: { name: "a" } });
  const cleaning = controller({
    name: "maps",
    for: ConfigMap,
    reconcile: async () => {},
    finalizer: "example.dev/maps",
    async cleanup() {
      throw new Error("bucket not empty");
    },
  });
  await cluster.run({ controllers: [cleaning], log: silentLogger });
  await clock.advance(100);
  await client.delete(ConfigMap, "a");
  expect((await timedOut(cluster)).message).toContain("maps default/a failed 10 times: bucket not empty");
});

test("a manager that fails while a check waits is named, and closing the cluster does not throw it again", async () => {
  const clock = new VirtualClock();
  const cluster = await startCluster({ clock });
  const runnable = {
    name: "exporter",
    async run(): Promise<void> {
      throw new Error("no route to host");
    },
  };
  await cluster.run({ controllers: [], runnables: [runnable], log: silentLogger });
  const { message } = await timedOut(cluster);
  expect(message).toBe("expected a Secret, got none\n\nA manager of this cluster failed: no route to host");
  await cluster.close();
});
