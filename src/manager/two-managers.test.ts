import { expect, test } from "vitest";
import { Lease } from "../api/types/coordination/v1.ts";
import { ConfigMap } from "../api/types/core/v1.ts";
import { type Client, ConnectionError } from "../client/index.ts";
import type { Context } from "../controller/index.ts";
import { Managed, reconciling } from "./managed.fixture.ts";

const elected = (identity: string) => ({ leaderElection: { name: "operator", identity } });

/** A client that can be cut off. Requests that it has sent before still arrive. */
class Wire {
  cut = false;
  readonly client: Client;

  constructor(client: Client) {
    const whole = async <T>(path: string, go: () => Promise<T>): Promise<T> => {
      if (this.cut) throw connectionError(path);
      const response = await go();
      if (this.cut) throw connectionError(path);
      return response;
    };
    this.client = client.through((below) => ({
      server: below.server,
      send: (request) => whole(request.path, () => below.send(request)),
      open: (request) => whole(request.path, () => below.open(request)),
      close: () => below.close(),
    }));
  }
}

function connectionError(path: string): ConnectionError {
  const request = { method: "GET", path } as const;
  return new ConnectionError("expected a response, got ECONNRESET", { code: "ECONNRESET", request });
}

/** Writes its name into the ConfigMap, unless it is already there. */
const signing =
  (name: string) =>
  async (key: string, { client }: Context): Promise<void> => {
    const found = await client.get(ConfigMap, key);
    const seen = found?.data?.by ?? "";
    if (seen.endsWith(name)) return;
    await client.patch(ConfigMap, key, { merge: { data: { by: `${seen}${name}` } } });
  };

test("one of two managers with one lease works, and the other logs the leader", async () => {
  await using world = await Managed.start();
  const log: string[] = [];
  const ends = new AbortController();
  const first = world.manager([reconciling(async (key) => void log.push(`a ${key}`))], elected("a"));
  const one = first.run({ signal: ends.signal });
  await world.settle();
  world.logged.length = 0;
  await world.run([reconciling(async (key) => void log.push(`b ${key}`), "another")], elected("b"));
  await world.cluster.client.create(ConfigMap, { metadata: { name: "x" } });
  await world.clock.advance(60_000);
  const elections = world.logged.filter(({ message }) => message === "new leader elected");
  expect([log, elections.map(({ fields }) => [fields.lease, fields.identity, fields.leader])]).toEqual([
    ["a x"],
    [["default/operator", "b", "a"]],
  ]);
  ends.abort(new Error("received SIGTERM"));
  await world.settle();
  await one;
});

test("a leader that is cut off fails and stops writing, and the other takes over", async () => {
  await using world = await Managed.start();
  const { client } = world.cluster;
  await client.create(ConfigMap, { metadata: { name: "x" } });
  const wire = new Wire(client);
  const ended = new AbortController();
  const made = world.manager([reconciling(signing("a"))], { ...elected("a"), client: wire.client });
  const one = made.run({ signal: ended.signal }).then(
    () => "over",
    (error: Error) => error.message,
  );
  await world.settle();
  await world.run([reconciling(signing("b"))], elected("b"));
  const before = (await client.get(ConfigMap, "x"))?.data?.by;
  wire.cut = true;
  await world.clock.advance(12_000);
  expect([before, await one]).toEqual([
    "a",
    "expected to renew lease default/operator within 10000 ms, got no success: expected a response, got ECONNRESET",
  ]);
  await world.clock.advance(15_000);
  const by = (await client.get(ConfigMap, "x"))?.data?.by;
  expect([by, (await client.get(Lease, "operator"))?.spec?.holderIdentity]).toEqual(["ab", "b"]);
});

test("a lost lease aborts running reconciles immediately, and their writes are rejected", async () => {
  await using world = await Managed.start();
  const { client } = world.cluster;
  await client.create(ConfigMap, { metadata: { name: "x" } });
  const wire = new Wire(client);
  const log: string[] = [];
  const slow = reconciling(async (key, context) => {
    await new Promise((resolve) => context.signal.addEventListener("abort", resolve, { once: true }));
    log.push(`aborted at ${world.clock.monotonic()}`);
    wire.cut = false;
    await context.client.patch(ConfigMap, key, { merge: { data: { late: "yes" } } }).catch((error: Error) => {
      log.push(error.name);
    });
  });
  await world.run([slow], { ...elected("a"), client: wire.client });
  wire.cut = true;
  await world.clock.advance(12_000);
  expect(await world.over).toContain("expected to renew lease");
  expect([log, (await client.get(ConfigMap, "x"))?.data]).toEqual([
    ["aborted at 10000", "NotLeaderError"],
    undefined,
  ]);
});
