import { expect, onTestFinished, test, vi } from "vitest";
import { ConfigMap, Secret } from "../api/types/core/v1.ts";
import { onAbort, settled } from "../base/index.ts";
import type { Client } from "../client/index.ts";
import { Controlled } from "./controlled.fixture.ts";
import { CachingClient, type Context, controller, type RunningController } from "./index.ts";

type Transport = Client["transport"];

/** A server that never responds to requests for Secrets. They end when their signal aborts. */
function hanging(transport: Transport): Transport {
  const hang = (signal: AbortSignal | undefined): Promise<never> =>
    new Promise((_, reject) => void onAbort(signal, (reason) => reject(reason as Error)));
  return {
    server: transport.server,
    send: (request) => (request.path.includes("/secrets") ? hang(request.signal) : transport.send(request)),
    open: (request) => (request.path.includes("/secrets") ? hang(request.signal) : transport.open(request)),
    close: () => transport.close(),
  };
}

interface ReconcileOptions {
  readonly reconcile: (name: string, context: Context) => Promise<void>;
  readonly timeoutMs?: number;
  readonly concurrency?: number;
  readonly names?: readonly string[];
}

/** Reconciles ConfigMaps, with a client whose requests for Secrets hang. */
async function reconciling(world: Controlled, options: ReconcileOptions): Promise<RunningController[]> {
  const { reconcile, names = ["a"], ...rest } = options;
  const live = world.live.through(hanging);
  const { cache } = world.environment;
  Object.assign(world.environment, { client: new CachingClient({ live, cache }) });
  for (const name of names) await world.live.create(ConfigMap, { metadata: { name } });
  return world.run(
    controller({
      name: "maps",
      for: ConfigMap,
      when: ({ metadata }) => metadata.namespace === "default",
      reconcile: (key, context) => reconcile(key.name, context),
      ...rest,
    }),
  );
}

test("each reconcile has its own signal, which its normal end does not abort, nor a later stop", async () => {
  await using world = await Controlled.start();
  const signals: AbortSignal[] = [];
  await reconciling(world, {
    names: ["a", "b"],
    reconcile: async (_, context) => void signals.push(context.signal, context.signal),
  });
  await world.stop();
  const [first, again, second] = signals;
  expect([first === again, first === second]).toEqual([true, false]);
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, false, false, false]);
});

test("a request of context.client aborts when the reconcile takes too long", async () => {
  await using world = await Controlled.start();
  const ended: unknown[] = [];
  await reconciling(world, {
    timeoutMs: 3000,
    async reconcile(_, { client, attempt }) {
      if (attempt > 1) return;
      const calls = [
        client.get(Secret, "a"),
        client.inNamespace("other").get(Secret, "a"),
        client.watch(Secret, { resourceVersion: "1" })[Symbol.asyncIterator]().next(),
      ];
      for (const call of calls) ended.push(await call.catch(({ message }: Error) => message));
    },
  });
  await world.clock.advance(3000);
  const message = "reconcile of default/a exceeded its timeout of 3000 ms";
  expect(ended).toEqual([message, message, message]);
});

test("a request of context.client aborts when the controller is stopped", async () => {
  await using world = await Controlled.start();
  const ended: unknown[] = [];
  await reconciling(world, {
    async reconcile(_, { client }) {
      ended.push(await client.get(Secret, "a").catch(({ message }: Error) => message));
    },
  });
  await world.stop();
  expect(ended).toEqual(["the test is over"]);
});

test("a request that adds or removes the finalizer aborts when the reconcile takes too long", async () => {
  await using world = await Controlled.start();
  const aborted: unknown[] = [];
  const hang = ({ method, signal }: Parameters<Transport["send"]>[0]): Promise<never> | undefined => {
    if (method !== "PATCH") return undefined;
    return new Promise((_, reject) => {
      onAbort(signal, (reason) => {
        aborted.push((reason as Error).message);
        reject(reason as Error);
      });
    });
  };
  const live = world.live.through((transport) => ({
    server: transport.server,
    send: (request) => hang(request) ?? transport.send(request),
    open: (request) => hang(request) ?? transport.open(request),
    close: () => transport.close(),
  }));
  const { cache } = world.environment;
  Object.assign(world.environment, { client: new CachingClient({ live, cache }) });
  const finalizer = "example.dev/maps";
  await world.live.create(ConfigMap, { metadata: { name: "a" } });
  await world.live.create(ConfigMap, { metadata: { name: "b", finalizers: [finalizer] } });
  await world.live.delete(ConfigMap, "b");
  await world.run(
    controller({
      name: "maps",
      for: ConfigMap,
      when: ({ metadata }) => metadata.namespace === "default",
      concurrency: 2,
      timeoutMs: 3000,
      reconcile: async () => {},
      finalizer,
      cleanup: async () => {},
    }),
  );
  await world.clock.advance(3000);
  const message = (name: string): string => `reconcile of default/${name} exceeded its timeout of 3000 ms`;
  expect(aborted.toSorted()).toEqual([message("a"), message("b")]);
});

test("a request that is in flight after its reconcile is not aborted with a later one", async () => {
  await using world = await Controlled.start();
  const ended: string[] = [];
  await reconciling(world, {
    names: ["a", "b"],
    timeoutMs: 1000,
    async reconcile(name, { client, attempt }) {
      if (attempt > 1) return;
      const call = client.get(Secret, name).catch(() => void ended.push(name));
      if (name === "b") await call;
    },
  });
  await world.clock.advance(1000);
  expect(ended).toEqual(["b"]);
});

test("a request that is sent after the end of its reconcile goes on", async () => {
  await using world = await Controlled.start();
  const clients: Client[] = [];
  await reconciling(world, { reconcile: async (_, { client }) => void clients.push(client) });
  await world.stop();
  const found = await clients[0]?.get(ConfigMap, "a", { resourceVersion: "0" });
  expect(found?.metadata.name).toBe("a");
});

test("a request with its own signal aborts with either", async () => {
  await using world = await Controlled.start();
  const ended: unknown[] = [];
  const own = new AbortController();
  await reconciling(world, {
    timeoutMs: 3000,
    async reconcile(_, { client, attempt }) {
      if (attempt > 1) return;
      const message = (error: Error): string => error.message;
      ended.push(await client.get(Secret, "a", { signal: own.signal }).catch(message));
      const another = new AbortController();
      ended.push(await client.get(Secret, "a", { signal: another.signal }).catch(message));
    },
  });
  own.abort(new Error("enough"));
  await world.clock.advance(3000);
  expect(ended).toEqual(["enough", "reconcile of default/a exceeded its timeout of 3000 ms"]);
});

test("a signal that is read after the abort is aborted", async () => {
  await using world = await Controlled.start();
  const seen: unknown[] = [];
  await reconciling(world, {
    timeoutMs: 1000,
    async reconcile(_, context) {
      if (context.attempt > 1) return;
      await new Promise<void>((resolve) => void world.clock.timer(2000, resolve));
      seen.push(context.signal.aborted);
    },
  });
  await world.clock.advance(3000);
  expect(seen).toEqual([true]);
});

test("no use of the signals warns of too many listeners", async () => {
  await using world = await Controlled.start();
  const warnings: string[] = [];
  const onWarning = ({ name }: Error): void => void warnings.push(name);
  process.on("warning", onWarning);
  const names = Array.from({ length: 1000 }, (_, index) => `map-${index}`);
  const own = new AbortController();
  await reconciling(world, {
    names,
    concurrency: names.length,
    timeoutMs: 60_000,
    async reconcile(name, { client, signal }) {
      const requests = name === "map-0" ? 500 : 1;
      for (let index = 0; index < requests; index++) signal.addEventListener("abort", () => {});
      const calls = Array.from({ length: requests }, () => client.get(Secret, "a", { signal: own.signal }));
      const others = Array.from({ length: requests }, () => client.get(Secret, "a"));
      await Promise.allSettled([...calls, ...others]);
    },
  });
  await world.stop();
  await settled();
  await new Promise((resolve) => setImmediate(resolve));
  process.off("warning", onWarning);
  expect(warnings).toEqual([]);
});

/** Counts the AbortControllers that are created while the test runs. */
function countAbortControllers(): () => number {
  let count = 0;
  const Original = AbortController;
  vi.stubGlobal(
    "AbortController",
    class extends Original {
      constructor() {
        super();
        count += 1;
      }
    },
  );
  onTestFinished(() => void vi.unstubAllGlobals());
  return () => count;
}

test("a reconcile that reads from the cache alone creates no AbortController", async () => {
  await using world = await Controlled.start();
  const created: number[] = [];
  let count = (): number => 0;
  await reconciling(world, {
    names: ["a", "b"],
    timeoutMs: 1000,
    async reconcile(name, { client, cache }) {
      if (name === "b") return void created.push(count());
      count = countAbortControllers();
      await client.get(ConfigMap, { name, namespace: "default" });
      await client.list(ConfigMap);
      cache.of(ConfigMap).get({ name, namespace: "default" });
    },
  });
  expect(created).toEqual([0]);
});

test("reconciles one after the other send their requests with one AbortController", async () => {
  await using world = await Controlled.start();
  const names = Array.from({ length: 20 }, (_, index) => `map-${index}`);
  const signals = new Set<unknown>();
  const live = world.live.through((transport) => ({
    ...transport,
    send(request) {
      signals.add(request.signal);
      return transport.send(request);
    },
    open: (request) => transport.open(request),
    close: () => transport.close(),
  }));
  Object.assign(world, { live });
  await reconciling(world, {
    names: [],
    reconcile: async (name, { client }) => {
      await client.patch(ConfigMap, name, { merge: { data: { name } } });
    },
  });
  for (const name of names) await world.live.create(ConfigMap, { metadata: { name } });
  await world.settle();
  signals.delete(undefined);
  expect(signals.size).toBe(1);
});
