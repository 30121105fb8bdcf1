import { expect, test } from "vitest";
import { ConfigMap } from "../api/types/core/v1.ts";
import { Event } from "../api/types/events/v1.ts";
import { sleep } from "../base/index.ts";
import { type Context, controller } from "../controller/index.ts";
import { Managed } from "./managed.fixture.ts";
import type { RunnableContext } from "./runnable.ts";

const elected = (identity: string) => ({ leaderElection: { name: "operator", identity } });

const by = (name: string) => ({ merge: { data: { [name]: "yes" } } });

test("controllers and runnables that run everywhere write on a standby; the others do not run there", async () => {
  await using world = await Managed.start();
  const { client } = world.cluster;
  await client.create(ConfigMap, { metadata: { name: "x" } });
  const leader = new AbortController();
  const first = world.manager([], elected("leader")).run({ signal: leader.signal });
  await world.settle();
  const writing = (name: string, everywhere?: boolean) =>
    controller({
      name,
      for: ConfigMap,
      everywhere,
      reconcile: async (key, context) => void (await context.client.patch(ConfigMap, key, by(name))),
    });
  const run = async (context: RunnableContext): Promise<void> => {
    await context.client.patch(ConfigMap, "x", by("runnable"));
  };
  const standby = await world.run([writing("everywhere", true), writing("leader-only")], {
    ...elected("standby"),
    runnables: [{ name: "runnable", everywhere: true, run }],
  });
  await world.settle();
  const refused = await standby.client
    .patch(ConfigMap, "x", by("manager"))
    .catch((error: Error) => error.name);
  const data = async () => (await client.get(ConfigMap, "x"))?.data;
  expect([await data(), refused]).toEqual([{ everywhere: "yes", runnable: "yes" }, "NotLeaderError"]);

  leader.abort(new Error("received SIGTERM"));
  await first;
  await world.clock.advance(10_000);
  expect(await data()).toEqual({ everywhere: "yes", runnable: "yes", "leader-only": "yes" });
});

/** Records an event about its object. */
const recording = async (key: { name: string }, { client, events }: Context): Promise<void> => {
  const found = await client.get(ConfigMap, key.name);
  if (found) events.normal(found, "Synced", "all is well");
};

test("events of the last reconciles are delivered on shutdown", async () => {
  await using world = await Managed.start();
  const { client } = world.cluster;
  for (let index = 0; index < 20; index++)
    await client.create(ConfigMap, { metadata: { name: `map-${index}` } });
  const slow = client.through((below) => ({
    server: below.server,
    send: async (request) => {
      if (request.path.includes("/events")) await sleep(500, { clock: world.clock });
      return below.send(request);
    },
    open: (request) => below.open(request),
    close: () => below.close(),
  }));
  let reconciled = 0;
  const configMaps = controller({
    for: ConfigMap,
    name: "configmap",
    reconcile: async (key, context) => {
      await recording(key, context);
      reconciled += 1;
      if (reconciled === 20) world.ended.abort(new Error("received SIGTERM"));
    },
  });
  await world.run([configMaps], { ...elected("leader"), client: slow });
  await world.clock.advance(5000);
  expect(await world.over).toBe("over");
  const events = (await client.list(Event)).filter(({ reason }) => reason === "Synced");
  expect([reconciled, events.length]).toEqual([20, 20]);
});

test("events of the last reconciles are delivered when leadership is lost", async () => {
  await using world = await Managed.start();
  const { client } = world.cluster;
  await client.create(ConfigMap, { metadata: { name: "x" } });
  let lost = false;
  const cutOff = client.through((below) => ({
    server: below.server,
    send: (request) =>
      lost && request.path.includes("/leases/") ? Promise.reject(new Error("cut off")) : below.send(request),
    open: (request) => below.open(request),
    close: () => below.close(),
  }));
  const configMaps = controller({
    for: ConfigMap,
    name: "configmap",
    reconcile: async (key, context) => {
      lost = true;
      const found = await context.client.get(ConfigMap, key);
      await new Promise((resolve) => context.signal.addEventListener("abort", resolve, { once: true }));
      if (found) context.events.warning(found, "Interrupted", "leadership was lost");
    },
  });
  await world.run([configMaps], { ...elected("leader"), client: cutOff });
  await world.clock.advance(12_000);
  expect(await world.over).toContain("expected to renew lease");
  const events = await client.list(Event);
  expect(
    events.filter(({ reason }) => reason === "Interrupted").map(({ regarding }) => regarding?.name),
  ).toEqual(["x"]);
});
