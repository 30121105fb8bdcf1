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
  const message = cluster
    .eventually(
      () => {
        tries += 1;
        throw new Error(`never, ${tries} times`);
      },
      { withinMs: 100 },
    )
    .catch((error: Error) => error.message);
  await clock.advance(100);
  expect([await message, clock.timers]).toEqual(["never, 2 times", 0]);
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

test("a check runs after every change", async () => {
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

test("run rejects at once if the manager fails before it is ready", async () => {
  const cluster = await startCluster();
  const twice = { controllers: [secrets], log: quiet, namespaces: ["default"], syncTimeoutMs: 1 };
  const ended = await cluster
    .run({ ...twice, controllers: [secrets, secrets] })
    .catch((error: Error) => error.message);
  await cluster.close();
  expect(ended).toContain("expected unique controller names");
});
