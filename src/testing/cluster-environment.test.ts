import { afterEach, expect, test, vi } from "vitest";
import { ConfigMap } from "../api/types/core/v1.ts";
import { loggerTo, seededRng, VirtualClock } from "../base/index.ts";
import { controller } from "../controller/index.ts";
import type { ManagerOptions } from "../manager/index.ts";
import { type Cluster, expectIdempotent, startCluster } from "./index.ts";

afterEach(() => vi.unstubAllEnvs());

type Run = (cluster: Cluster, options: ManagerOptions) => Promise<unknown>;

const runs: [string, Run][] = [
  ["cluster.run", (cluster, options) => cluster.run(options)],
  ["expectIdempotent", expectIdempotent],
];

/** Returns the messages about served ports from the managers of two clusters that are open at the same time. */
async function logged(run: Run, options: Partial<ManagerOptions> = {}): Promise<string[]> {
  const messages: string[] = [];
  const log = loggerTo(({ message }) => void messages.push(message));
  await using one = await startCluster();
  await using two = await startCluster();
  for (const cluster of [one, two]) await run(cluster, { controllers: [], log, ...options });
  return messages.filter((message) => message === "serving");
}

test.each(runs)("%s opens no port in a Pod, so that two clusters can run there", async (_name, run) => {
  vi.stubEnv("KUBERNETES_SERVICE_HOST", "10.96.0.1");
  const unset = { metrics: undefined, health: undefined };
  expect([await logged(run), await logged(run, unset)]).toEqual([[], []]);
});

test("a requested port is opened", async () => {
  const free = { port: 0, host: "127.0.0.1" };
  await using cluster = await startCluster();
  const messages: string[] = [];
  const log = loggerTo(({ message }) => void messages.push(message));
  await cluster.run({ controllers: [], metrics: free, health: free, log });
  expect(messages.filter((message) => message === "serving")).toHaveLength(2);
});

/** Returns the ids of all reconciles on a cluster whose random numbers come from `seed`. */
async function reconcileIds(run: Run, seed: number): Promise<string[]> {
  const ids: string[] = [];
  const log = loggerTo(({ fields }) => void ids.push(...Object.values(fields).map(String).filter(isUuid)));
  const clock = new VirtualClock();
  await using cluster = await startCluster({ clock, rng: seededRng(seed) });
  await cluster.client.create(ConfigMap, { metadata: { name: "a" } });
  const maps = controller({
    name: "maps",
    for: ConfigMap,
    reconcile: async (_key, context) => context.log.info("reconciled"),
  });
  let done = false;
  const running = run(cluster, { controllers: [maps], log }).finally(() => {
    done = true;
  });
  while (!done) await clock.advance(100);
  await clock.advance(100);
  await running;
  return ids;
}

const isUuid = (text: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(text);

test.each(runs)(
  "%s runs controllers with the clock and the random numbers of the cluster",
  async (_name, run) => {
    const one = await reconcileIds(run, 1);
    expect(one.length).toBeGreaterThan(0);
    expect(await reconcileIds(run, 1)).toEqual(one);
    expect(await reconcileIds(run, 2)).not.toEqual(one);
  },
);
