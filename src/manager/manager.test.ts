import { expect, test, vi } from "vitest";
import { type Kind, kind } from "../api/index.ts";
import { Lease } from "../api/types/coordination/v1.ts";
import { ConfigMap } from "../api/types/core/v1.ts";
import { Event } from "../api/types/events/v1.ts";
import { loggerTo, seededRng } from "../base/index.ts";
import { controller } from "../controller/index.ts";
import { manager } from "./index.ts";
import { Managed, reconciling } from "./managed.fixture.ts";

test("controllers run on one manager, and their caches are shared", async () => {
  await using world = await Managed.start();
  const log: string[] = [];
  await world.cluster.client.create(ConfigMap, { metadata: { name: "a" } });
  const one = reconciling(async (name) => void log.push(`one ${name}`), "one");
  const two = reconciling(async (name) => void log.push(`two ${name}`), "two");
  const running = await world.run([one, two]);
  await running.ready;
  expect(log.sort()).toEqual(["one a", "two a"]);
  expect(
    running.cache
      .of(ConfigMap)
      .list({ namespace: "default" })
      .map(({ metadata }) => metadata.name),
  ).toEqual(["a"]);
  expect(running.idle).toBe(true);
});

test("run resolves when the signal has aborted and all work has ended", async () => {
  await using world = await Managed.start();
  await world.run([reconciling(async () => {})]);
  world.ended.abort(new Error("received SIGTERM"));
  await world.clock.advance(0);
  expect(await world.over).toBe("over");
  expect(world.clock.timers).toBe(0);
});

test("running reconciles may end, and no new one starts", async () => {
  await using world = await Managed.start();
  const log: string[] = [];
  const slow = reconciling(async (name, { signal }) => {
    log.push(`begin ${name}`);
    await new Promise<void>((resolve) => void world.clock.timer(10_000, resolve));
    log.push(`end ${name} ${signal.aborted}`);
  });
  for (const name of ["a", "b"]) await world.cluster.client.create(ConfigMap, { metadata: { name } });
  await world.run([slow]);
  world.ended.abort(new Error("received SIGTERM"));
  await world.clock.advance(20_000);
  expect([log, await world.over]).toEqual([["begin a", "end a false"], "over"]);
});

test("a reconcile that takes too long is cancelled, and named if it still runs", async () => {
  await using world = await Managed.start();
  const signals: boolean[] = [];
  const stuck = reconciling(async (_, { signal }) => {
    signal.addEventListener("abort", () => signals.push(true));
    await new Promise(() => {});
  });
  await world.cluster.client.create(ConfigMap, { metadata: { name: "a" } });
  await world.run([stuck], { drainMs: 5000 });
  world.ended.abort(new Error("received SIGTERM"));
  await world.clock.advance(4999);
  expect(signals).toEqual([]);
  await world.clock.advance(2000);
  expect([signals, await world.over]).toEqual([
    [true],
    "still running after cancellation: configmap default/a; " +
      "pass its signal to everything that it awaits",
  ]);
});

test("one of two replicas with one lease works, and the other takes over when it ends", async () => {
  await using world = await Managed.start();
  const log: string[] = [];
  const { clock, cluster } = world;
  const replica = (name: string, ended: AbortController): Promise<unknown> =>
    manager({
      controllers: [reconciling(async (key) => void log.push(`${name} ${key}`))],
      client: cluster.client,
      leaderElection: { name: "operator", identity: name },
      clock,
      rng: seededRng(3),
      log: loggerTo(() => {}),
    }).run({ signal: ended.signal });
  const [first, second] = [new AbortController(), new AbortController()];
  const one = replica("one", first);
  await clock.advance(0);
  const two = replica("two", second);
  await cluster.client.create(ConfigMap, { metadata: { name: "a" } });
  await clock.advance(10_000);
  expect(log).toEqual(["one a"]);
  first.abort(new Error("received SIGTERM"));
  await clock.advance(0);
  await one;
  expect((await cluster.client.get(Lease, "operator"))?.spec?.holderIdentity ?? "").toBe("");
  await clock.advance(10_000);
  expect(log).toEqual(["one a", "two a"]);
  second.abort(new Error("received SIGTERM"));
  await clock.advance(0);
  await two;
});

test("leader changes are recorded as Events about the Lease", async () => {
  await using world = await Managed.start();
  const agents = new Set<string | undefined>();
  const client = world.cluster.client.through((below) => ({
    ...below,
    send: (request) => {
      if (request.path.includes("/leases")) agents.add(request.component);
      return below.send(request);
    },
  }));
  await world.run([], { client, leaderElection: { name: "operator", identity: "one" } });
  await world.end();
  const events = await world.cluster.client.list(Event, { namespace: "default" });
  expect(
    events.map(({ type, reason, note, regarding }) => [type, reason, note, regarding?.kind, regarding?.name]),
  ).toEqual([
    ["Normal", "LeaderElection", "one became leader", "Lease", "operator"],
    ["Normal", "LeaderElection", "one stopped leading", "Lease", "operator"],
  ]);
  expect([...agents]).toEqual(["leader-election"]);
});

test("a manager runs once, and controller names are unique", async () => {
  await using world = await Managed.start();
  const running = await world.run([reconciling(async () => {})]);
  await expect(running.run({ signal: world.ended.signal })).rejects.toThrow("manager already started");
  const twice = [reconciling(async () => {}), reconciling(async () => {})];
  expect(() => manager({ controllers: twice })).toThrow('got two controllers named "configmap"');
});

test("a manager that has not started has no client", () => {
  expect(() => manager({ controllers: [] }).client).toThrow("await its `ready` first");
});

test("a missing cluster configuration fails the run with the places that were searched", async () => {
  const made = manager({ controllers: [], log: loggerTo(() => {}) });
  const before = process.env.KUBECONFIG;
  process.env.KUBECONFIG = "/nowhere/at/all";
  try {
    await expect(made.run({ signal: new AbortController().signal })).rejects.toThrow("/nowhere/at/all");
    await expect(made.ready).rejects.toThrow("/nowhere/at/all");
  } finally {
    if (before === undefined) delete process.env.KUBECONFIG;
    else process.env.KUBECONFIG = before;
  }
});

test("metrics and health are served while the manager runs, and readiness waits for the caches", async () => {
  await using world = await Managed.start();
  await world.run([reconciling(async () => {})], { metrics: { port: 0 }, health: { port: 0 } });
  await portOf(world, "health");
  await world.clock.advance(0);
  const [metrics, health] = await Promise.all([portOf(world, "metrics"), portOf(world, "health")]);
  const read = async (port: number, path: string): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    return [response.status, await response.text()];
  };
  await vi.waitFor(async () => {
    await world.clock.advance(0);
    expect(await read(health, "/readyz")).toEqual([200, "ok"]);
  }, patience);
  expect(await read(health, "/healthz")).toEqual([200, "ok"]);
  const [status, text] = (await read(metrics, "/metrics")) as [number, string];
  expect([
    status,
    text.includes('controller_runtime_reconcile_total{controller="configmap",result="success"}'),
  ]).toEqual([200, true]);
});

/** Limit for real sockets, which do not use virtual time. It is long enough for a slow machine. */
const patience = { timeout: 30_000 };

async function portOf(world: Managed, server: string): Promise<number> {
  return vi.waitFor(() => {
    const served = world.logged.filter(({ message }) => message === "serving");
    const port = served.find(({ fields }) => fields.server === server)?.fields.port;
    if (typeof port !== "number") throw new Error("the server does not listen yet");
    return port;
  }, patience);
}

test("a missing kind fails the run with the command that fixes it", async () => {
  await using world = await Managed.start();
  const Website = kind({ group: "example.dev", version: "v1", kind: "Website" }) as Kind;
  await world.run([controller({ name: "website", for: Website, reconcile: async () => {} })]);
  await world.clock.advance(10_000);
  expect(await world.over).toMatch(/example\.dev.*Website/s);
});
