import { expect, test } from "vitest";
import { ConfigMap, Secret } from "../api/types/core/v1.ts";
import { loggerTo, VirtualClock } from "../base/index.ts";
import { controller, owns } from "../controller/index.ts";
import { startCluster } from "./index.ts";

const quiet = loggerTo(() => {});

/** A controller that creates a Secret with the same name for each ConfigMap. */
const secrets = controller({
  name: "configmap",
  for: ConfigMap,
  on: [owns(Secret)],
  async reconcile(key, { client }) {
    const map = await client.get(ConfigMap, key);
    if (map) await client.apply(Secret, { metadata: { ...key } }, { owner: map });
  },
});

test("controllers run on a cluster until it is closed, and a test can wait for their results", async () => {
  await using cluster = await startCluster();
  const running = await cluster.run({ controllers: [secrets], log: quiet });
  await cluster.client.create(ConfigMap, { metadata: { name: "a" } });
  const secret = await cluster.eventually(async () => {
    const found = await cluster.client.get(Secret, "a");
    if (!found) throw new Error("not yet");
    return found.metadata.name;
  });
  await cluster.settled();
  expect([secret, running.idle]).toEqual(["a", true]);
});

test("eventually rejects with the last error of the check when the time is over", async () => {
  const clock = new VirtualClock();
  await using cluster = await startCluster({ clock });
  let tries = 0;
  const check = (): never => {
    tries += 1;
    throw new Error(`never, ${tries} times`);
  };
  const message = await cluster.eventually(check, { withinMs: 100 }).catch((error: Error) => error.message);
  expect([message, clock.timers]).toEqual(["never, 4 times", 0]);
});

test("closing the cluster rejects eventually, with the last error of the check as the cause", async () => {
  const clock = new VirtualClock();
  const cluster = await startCluster({ clock });
  const check = (): never => {
    throw new Error("not yet");
  };
  const waiting = cluster.eventually(check).catch((error: unknown) => error);
  await cluster.close();
  const late = cluster.eventually(check).catch((error: unknown) => error);
  const message = "expected the check to pass, got an abort before that: the cluster is closed";
  expect([await waiting, await late, clock.timers]).toEqual([
    new Error(message, { cause: new Error("not yet") }),
    new Error(message, { cause: new Error("expected the check to finish, got no result yet") }),
    0,
  ]);
});

test("with the real clock, a check runs after every change", async () => {
  await using cluster = await startCluster();
  const runs: number[] = [];
  const found = cluster.eventually(async () => {
    runs.push(performance.now());
    if (!(await cluster.client.get(ConfigMap, "a"))) throw new Error("not yet");
  });
  await cluster.client.create(ConfigMap, { metadata: { name: "a" } });
  await found;
  expect(runs).toHaveLength(2);
});

test("run rejects at once if the manager fails before it is ready", async () => {
  const cluster = await startCluster();
  const twice = { controllers: [secrets], log: quiet, namespaces: ["default"], syncTimeoutMs: 1 };
  const ended = await cluster
    .run({ ...twice, controllers: [secrets, secrets] })
    .catch((error: Error) => error.message);
  await cluster.close();
  expect(ended).toContain("expected unique controller names");
});
