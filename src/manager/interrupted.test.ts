import { expect, test } from "vitest";
import { Lease } from "../api/types/coordination/v1.ts";
import { ConfigMap, Secret } from "../api/types/core/v1.ts";
import type { Client } from "../client/index.ts";
import { type Controller, controller, owns } from "../controller/index.ts";
import type { Transport } from "../transport/index.ts";
import { Managed } from "./managed.fixture.ts";

/** Gives each ConfigMap a Secret and a finalizer, and says so in an event. */
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

/** Tells of each moment: before a request is sent, and after it was answered. */
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

/** A world with one ConfigMap that is there, and one that is on its way out and waits for its clean-up. */
async function begun(): Promise<Managed> {
  const world = await Managed.start();
  const { client } = world.cluster;
  await client.create(ConfigMap, { metadata: { name: "here" } });
  await client.create(ConfigMap, { metadata: { name: "going", finalizers: ["example.dev/secrets"] } });
  await client.create(Secret, { metadata: { name: "going" } });
  await client.delete(ConfigMap, "going");
  return world;
}

const election = { leaderElection: { name: "operator", identity: "one" } };

/** How many moments there are until all is done and the lease was renewed. */
async function momentsInAll(): Promise<number> {
  await using world = await begun();
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
  const all = await momentsInAll();
  expect(all).toBeGreaterThan(40);
  for (let moment = 1; moment <= all; moment += 3) {
    // of each third, some before a request and some after one
    await using world = await begun();
    let left = moment;
    const client = moments(world.cluster.client, () => {
      left -= 1;
      if (left === 0) world.ended.abort(new Error("received SIGTERM"));
    });
    await world.run([secrets], { ...election, client });
    await world.clock.advance(35_000); // it has 25 s to end, and none of this needs them
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
