import { expect, test } from "vitest";
import { ConfigMap, Secret } from "../api/types/core/v1.ts";
import { loggerTo, VirtualClock } from "../base/index.ts";
import { controller, owns } from "../controller/index.ts";
import { startCluster } from "./index.ts";

const quiet = loggerTo(() => {});

/** Gives each ConfigMap a Secret of its name. */
const secrets = controller({
  name: "configmap",
  for: ConfigMap,
  on: [owns(Secret)],
  async reconcile(key, { client }) {
    const map = await client.get(ConfigMap, key);
    if (map) await client.apply(Secret, { metadata: { ...key } }, { owner: map });
  },
});

test("controllers run on a cluster until it is closed, and a test waits for what they bring about", async () => {
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

test("a check that never passes is told with its own words, when the time is over", async () => {
  const clock = new VirtualClock();
  await using cluster = await startCluster({ clock });
  let tries = 0;
  const told = cluster
    .eventually(
      () => {
        tries += 1;
        throw new Error(`never, ${tries} times`);
      },
      { withinMs: 100 },
    )
    .catch((error: Error) => error.message);
  await clock.advance(100);
  expect([await told, clock.timers]).toEqual(["never, 2 times", 0]);
});

test("a check that has not passed when the cluster is closed is told so, with its own words as the cause", async () => {
  const clock = new VirtualClock();
  const cluster = await startCluster({ clock });
  const check = (): never => {
    throw new Error("not yet");
  };
  const waiting = cluster.eventually(check).catch((error: unknown) => error);
  await cluster.close();
  const late = cluster.eventually(check).catch((error: unknown) => error);
  const told = "expected a check to pass, got an end before that: the cluster is closed";
  expect([await waiting, await late, clock.timers]).toEqual([
    new Error(told, { cause: new Error("not yet") }),
    new Error(told, { cause: new Error("expected a check to end, got none that did") }),
    0,
  ]);
});

test("a check is tried after every change", async () => {
  const clock = new VirtualClock();
  await using cluster = await startCluster({ clock });
  const found = cluster.eventually(async () => {
    const map = await cluster.client.get(ConfigMap, "a");
    if (!map) throw new Error("not yet");
    return clock.monotonic();
  });
  await clock.advance(10);
  await cluster.client.create(ConfigMap, { metadata: { name: "a" } });
  await clock.advance(0);
  expect(await found).toBe(10);
});

test("what a manager fails with before it is ready is told at once", async () => {
  const cluster = await startCluster();
  const twice = { controllers: [secrets], log: quiet, namespaces: ["default"], syncTimeoutMs: 1 };
  const ended = await cluster
    .run({ ...twice, controllers: [secrets, secrets] })
    .catch((error: Error) => error.message);
  await cluster.close();
  expect(ended).toContain("a name of its own");
});
