import { expect, test } from "vitest";
import { Lease } from "../api/types/coordination/v1.ts";
import { ConfigMap, Secret } from "../api/types/core/v1.ts";
import type { Client } from "../client/index.ts";
import { type Controller, controller, owns } from "../controller/index.ts";
import type { Transport } from "../transport/index.ts";
import { Managed } from "./managed.fixture.ts";

/** Gives each ConfigMap a Secret and a finalizer, and records an event. */
const secrets: Controller = controller({
  name: "secrets",
  for: ConfigMap,
  on: [owns(Secret)],
  async reconcile(key, { client, events }) {
    const map = await client.get(ConfigMap, key);
    if (!map) return;
    await client.apply(Secret, { metadata: { ...key } }, { owner: map });
    events.normal(map, "Kept", "in a Secret");
  },
  finalizer: "example.dev/secrets",
  async cleanup({ metadata }, { client }) {
    await client.delete(Secret, { namespace: metadata.namespace, name: metadata.name });
  },
});

/** Calls `at` before each request is sent and after its response. */
function moments(client: Client, at: () => void): Client {
  const around = async <T>(go: () => Promise<T>): Promise<T> => {
    at();
    try {
      return await go();
    } finally {
      at();
    }
  };
  return client.through(
    (transport): Transport => ({
      server: transport.server,
      send: (request) => around(() => transport.send(request)),
      open: (request) => around(() => transport.open(request)),
      close: () => transport.close(),
    }),
  );
}

/** Starts a world with one live ConfigMap, and one that is being deleted and waits for its finalizer. */
async function startWorld(): Promise<Managed> {
  const world = await Managed.start();
  const { client } = world.cluster;
  await client.create(ConfigMap, { metadata: { name: "here" } });
  await client.create(ConfigMap, { metadata: { name: "going", finalizers: ["example.dev/secrets"] } });
  await client.create(Secret, { metadata: { name: "going" } });
  await client.delete(ConfigMap, "going");
  return world;
}

const election = { leaderElection: { name: "operator", identity: "one" } };

/** Counts the moments until all work is done and the lease has been renewed. */
async function countMoments(): Promise<number> {
  await using world = await startWorld();
  let count = 0;
  const client = moments(world.cluster.client, () => {
    count += 1;
  });
  await world.run([secrets], { ...election, client });
  await world.clock.advance(5000);
  return count;
}

async function state(client: Client): Promise<unknown> {
  const names = (objects: readonly { readonly metadata: { readonly name: string } }[]): string[] =>
    objects.map(({ metadata }) => metadata.name);
  return {
    maps: names(await client.list(ConfigMap)),
    secrets: names(await client.list(Secret)),
    holder: (await client.get(Lease, "operator"))?.spec?.holderIdentity ?? "",
  };
}

test("a manager stopped at any moment ends without an error, and the next one completes its work", async () => {
  const all = await countMoments();
  expect(all).toBeGreaterThan(40);
  for (let moment = 1; moment <= all; moment += 3) {
    // Every third moment: some are before a request, some after one.
    await using world = await startWorld();
    let left = moment;
    const client = moments(world.cluster.client, () => {
      left -= 1;
      if (left === 0) world.ended.abort(new Error("received SIGTERM"));
    });
    await world.run([secrets], { ...election, client });
    await world.clock.advance(35_000); // more than the 25 s of drainMs
    const ended = { over: await world.over, timers: world.clock.timers, left: Math.max(left, 0) };
    expect({ moment, ...ended }).toEqual({ moment, over: "over", timers: 0, left: 0 });
    expect(await state(world.cluster.client)).toMatchObject({ holder: "" });
    const next = new AbortController();
    const over = world.manager([secrets], election).run({ signal: next.signal });
    await world.clock.advance(5000);
    const done = { maps: ["here"], secrets: ["here"], holder: "one" };
    expect({ moment, ...((await state(world.cluster.client)) as object) }).toEqual({ moment, ...done });
    next.abort(new Error("received SIGTERM"));
    await world.clock.advance(0);
    await over;
  }
}, 300_000);
