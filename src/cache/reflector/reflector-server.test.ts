import fc from "fast-check";
import { expect, test } from "vitest";
import { type Kind, type KubeObject, kind, metadataOnly } from "../../api/index.ts";
import { ConfigMap } from "../../api/types/core/v1.ts";
import type { Client } from "../../client/index.ts";
import type { FaultRule } from "../../testing/index.ts";
import type { ApiRequest } from "../../transport/index.ts";
import { embeddedReflector } from "./embedded-reflector.fixture.ts";
import type { RestartReason } from "./reflector-state.ts";

const watches = { verb: "watch", resource: "configmaps" } as const;
const lists = { verb: "list", resource: "configmaps" } as const;

const make = async (client: Client, ...names: readonly string[]): Promise<void> => {
  for (const name of names) await client.create(ConfigMap, { metadata: { name } });
};
const change = (client: Client, name: string, value: string): Promise<unknown> =>
  client.patch(ConfigMap, name, { merge: { data: { value } } });

/** A server with two objects at the start. */
const two = { prepare: (client: Client) => make(client, "a", "b") };

test("the mirror follows the objects of the server", async () => {
  await using world = await embeddedReflector(two);
  await world.clock.advance(1000);
  await world.expectCaughtUp();
  await make(world.client, "c");
  await change(world.client, "a", "1");
  await world.client.delete(ConfigMap, "b");
  await world.clock.advance(0);
  await world.expectCaughtUp();
  expect(world.mirror.lists).toBe(1);
});

test("an hour takes many watches and one list", async () => {
  await using world = await embeddedReflector(two);
  for (let minute = 0; minute < 60; minute++) {
    await world.clock.advance(60_000);
    await change(world.client, "a", String(minute));
  }
  await world.clock.advance(0);
  await world.expectCaughtUp();
  const { phase, restarts } = world.reflector.health;
  expect({ phase, lists: world.mirror.lists, watches: world.network.paths.length }).toEqual({
    phase: "watching",
    lists: 1,
    watches: restarts + 1,
  });
  expect(restarts).toBeGreaterThanOrEqual(6);
  expect(restarts).toBeLessThanOrEqual(12);
});

interface Faults {
  readonly name: string;
  /** Expected reasons of restarts, besides ends and silence, which always occur. */
  readonly reasons: readonly RestartReason[];
  readonly rules: readonly FaultRule[];
}

type WatchFault = Extract<FaultRule["fault"], { readonly afterEvents?: number | undefined }>;

/** A fault of the first watch. */
const first = (fault: WatchFault): FaultRule => ({ on: watches, which: { nth: 1 }, fault });

const allFaults: readonly Faults[] = [
  { name: "a watch that breaks", reasons: ["broken"], rules: [first({ type: "break", afterEvents: 4 })] },
  { name: "a watch that ends", reasons: [], rules: [first({ type: "close", afterEvents: 4 })] },
  { name: "a watch that expires", reasons: ["expired"], rules: [first({ type: "expire", afterEvents: 4 })] },
  { name: "a watch that freezes", reasons: [], rules: [first({ type: "freeze", afterEvents: 4 })] },
  {
    name: "a first stream that freezes",
    reasons: ["unsupported"],
    rules: [first({ type: "freeze", afterEvents: 1 })],
  },
  {
    name: "first streams that break",
    reasons: ["broken"],
    rules: [{ on: watches, which: { first: 4 }, fault: { type: "break", afterEvents: 1 } }],
  },
  {
    name: "watches that all expire",
    reasons: ["failed", "expired"],
    rules: [{ on: watches, which: { first: 12 }, fault: { type: "expire" } }],
  },
  {
    name: "refused requests",
    reasons: ["throttled"],
    rules: [{ on: watches, which: { first: 5 }, fault: { type: "refuse", code: 503 } }],
  },
  {
    name: "throttled requests",
    reasons: ["throttled"],
    rules: [{ on: watches, which: { first: 15 }, fault: { type: "refuse", code: 429 } }],
  },
  {
    name: "failed requests",
    reasons: ["failed"],
    rules: [{ on: { verb: ["watch", "list"] }, which: { first: 6 }, fault: { type: "refuse", code: 500 } }],
  },
  { name: "slow responses", reasons: [], rules: [{ on: watches, fault: { type: "delay", ms: 20_000 } }] },
  {
    name: "responses that come too late",
    reasons: ["broken"],
    rules: [{ on: watches, which: { first: 2 }, fault: { type: "delay", ms: 100_000 } }],
  },
  {
    name: "lists that are cut",
    reasons: ["failed", "broken"],
    rules: [
      { on: watches, which: { first: 2 }, fault: { type: "refuse", code: 500 } },
      { on: lists, which: { nth: 1 }, fault: { type: "cut", when: "middle" } },
    ],
  },
];

test.each(allFaults)("after $name, the mirror catches up with the server", async ({ rules, reasons }) => {
  await using world = await embeddedReflector({ ...two, faults: rules });
  await world.clock.advance(5000);
  await change(world.client, "a", "1");
  await make(world.client, "c");
  await world.client.delete(ConfigMap, "b");
  await world.clock.advance(600_000);
  await change(world.client, "c", "2");
  await world.clock.advance(100_000);
  await world.expectCaughtUp();
  expect(world.reflector.health.phase).toBe("watching");
  expect([...world.reasons].filter((reason) => reason !== "ended" && reason !== "silent")).toEqual(reasons);
});

test("watches that all expire cause few requests", async () => {
  await using world = await embeddedReflector({
    ...two,
    faults: [{ on: watches, fault: { type: "expire" } }],
  });
  await world.clock.advance(3_600_000);
  await world.expectCaughtUp();
  // a watch, two streams and a list for each backoff, and backoffs of 30 to 60 s
  expect(world.network.paths.length).toBeLessThan(4 * 125);
});

test("requests back off while a server is down, and a watch catches up afterwards", async () => {
  await using world = await embeddedReflector(two);
  await world.clock.advance(120_000);
  world.network.paths.length = 0;
  world.network.fail();
  await change(world.client, "a", "1");
  await make(world.client, "c");
  await world.client.delete(ConfigMap, "b");
  await world.clock.advance(60_000);
  const requests = world.network.paths.length;
  expect(requests).toBeGreaterThanOrEqual(4);
  expect(requests).toBeLessThanOrEqual(8);
  world.network.recover();
  await world.clock.advance(60_000);
  await world.expectCaughtUp();
  const { restarts, phase } = world.reflector.health;
  expect({ lists: world.mirror.lists, phase }).toEqual({ lists: 1, phase: "watching" });
  expect(restarts).toBeGreaterThanOrEqual(requests);
});

test("a server that is down at the start is followed when it is up", async () => {
  await using world = await embeddedReflector({
    async prepare(client) {
      await make(client, "a", "b");
    },
  });
  world.network.fail();
  await world.clock.advance(300_000);
  expect(world.mirror.lists).toBe(0);
  world.network.recover();
  await world.clock.advance(60_000);
  await world.expectCaughtUp();
});

/** Replaces the first continue token by one of a compacted revision. */
function compactedOnce(): (request: ApiRequest) => ApiRequest {
  let compacted = false;
  return (request) => {
    const url = new URL(request.path, "http://host");
    const token = url.searchParams.get("continue");
    if (token === null || compacted) return request;
    compacted = true;
    const continuation: object = JSON.parse(Buffer.from(token, "base64url").toString());
    const forgotten = Buffer.from(JSON.stringify({ ...continuation, rv: 1 })).toString("base64url");
    url.searchParams.set("continue", forgotten);
    return { ...request, path: url.pathname + url.search };
  };
}

test("a compaction during a list costs one more list", async () => {
  const refusesStreams: FaultRule = { on: watches, which: { nth: 1 }, fault: { type: "refuse", code: 500 } };
  await using world = await embeddedReflector({
    prepare: (client) => make(client, "a", "b", "c", "d", "e"),
    faults: [refusesStreams],
    pageSize: 2,
    onRequest: compactedOnce(),
  });
  await world.clock.advance(0);
  await world.expectCaughtUp();
  const queries = world.network.paths.map((path) => new URL(path, "http://host").searchParams);
  const requests = queries.map((query) =>
    [...query.keys()].filter((key) => key !== "timeoutSeconds").join(" "),
  );
  expect(requests).toEqual([
    "watch resourceVersion allowWatchBookmarks sendInitialEvents resourceVersionMatch",
    "limit",
    "limit continue",
    "",
    "watch resourceVersion allowWatchBookmarks",
  ]);
});

test("custom resources and metadata-only objects are listed by pages, too", async () => {
  const kinds = [metadataOnly(ConfigMap), Crontab].map((each) => each as Kind as Kind<KubeObject>);
  for (const each of kinds) {
    await using world = await embeddedReflector({
      kind: each,
      kinds: [crontabs],
      faults: [{ on: { verb: "watch" }, which: { nth: 1 }, fault: { type: "refuse", code: 500 } }],
      pageSize: 2,
      async prepare(client) {
        await make(client, "a", "b", "c");
        for (const name of ["x", "y", "z"]) await client.create(Crontab, { metadata: { name } });
      },
    });
    await world.clock.advance(0);
    await world.expectCaughtUp();
    expect(world.mirror.versions.size).toBeGreaterThanOrEqual(3);
  }
});

const Crontab = kind<KubeObject>({
  group: "example.dev",
  version: "v1",
  kind: "Crontab",
  plural: "crontabs",
  namespaced: true,
});
const crontabs = {
  metadata: { name: "crontabs.example.dev" },
  spec: {
    group: "example.dev",
    scope: "Namespaced" as const,
    names: { kind: "Crontab", plural: "crontabs" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
};

const deeds = {
  async write(client: Client, name: string): Promise<unknown> {
    return (await client.get(ConfigMap, name)) ? change(client, name, "again") : make(client, name);
  },
  delete: (client: Client, name: string): Promise<unknown> => client.delete(ConfigMap, name),
};
/** An event on the server, and the time until the next one. */
const scripts = fc.array(
  fc.record({
    name: fc.constantFrom("a", "b", "c", "d"),
    deed: fc.constantFrom("write" as const, "write" as const, "delete" as const),
    afterMs: fc.constantFrom(0, 500, 30_000, 200_000),
  }),
  { minLength: 1, maxLength: 12 },
);
const chance = fc.constantFrom(0.2, 0.5);
const spoiled = fc.record({
  on: fc.constant(watches),
  which: fc.record({ chance }),
  fault: fc.record({
    type: fc.constantFrom("break" as const, "close" as const, "expire" as const, "freeze" as const),
    afterEvents: fc.nat(5),
  }),
});
const refusing = fc.record({
  on: fc.constantFrom(watches, lists),
  which: fc.record({ chance }),
  fault: fc.oneof(
    fc.record({
      type: fc.constant("refuse" as const),
      code: fc.constantFrom(429 as const, 500 as const, 503 as const),
    }),
    fc.record({
      type: fc.constant("cut" as const),
      when: fc.constantFrom("before" as const, "middle" as const),
    }),
    fc.record({ type: fc.constant("delay" as const), ms: fc.constantFrom(10, 5000, 80_000) }),
  ),
});

const histories = fc.record({
  faults: fc.array(fc.oneof(spoiled, refusing), { maxLength: 3 }),
  script: scripts,
  seed: fc.nat(),
  pageSize: fc.constantFrom(undefined, 2),
});

test("after any events and faults, the mirror catches up with the server and never goes back", async () => {
  const property = fc.asyncProperty(histories, async ({ faults, script, seed, pageSize }) => {
    await using world = await embeddedReflector({ faults, seed, pageSize });
    for (const { name, deed, afterMs } of script) {
      await deeds[deed](world.client, name);
      await world.clock.advance(afterMs);
    }
    for (let attempts = 0; attempts < 200 && !(await world.caughtUp()); attempts++)
      await world.clock.advance(10_000);
    await world.expectCaughtUp();
  });
  await fc.assert(property, { numRuns: 30 });
});
