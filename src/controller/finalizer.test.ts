import { expect, test } from "vitest";
import { ConfigMap, Secret } from "../api/types/core/v1.ts";
import { Controlled } from "./controlled.fixture.ts";
import { type Context, type Controller, controller, owns } from "./index.ts";

const ours = "example.dev/configmap";

function finalizersOf(map: ConfigMap | undefined): readonly string[] | undefined {
  return map && (map.metadata.finalizers ?? []);
}

test("the finalizer is added before the object is reconciled, and other finalizers stay", async () => {
  await using world = await Controlled.start();
  const seen = new Set<string>();
  const reconcile = async ({ name }: { name: string }, { client }: Context): Promise<void> => {
    for (const reader of [client, world.live]) {
      seen.add(`${name} ${finalizersOf(await reader.get(ConfigMap, name))?.join(" ")}`);
    }
  };
  await world.live.create(ConfigMap, { metadata: { name: "a" } });
  await world.live.create(ConfigMap, { metadata: { name: "b", finalizers: ["other.dev/keep"] } });
  await world.run(
    controller({ name: "configmap", for: ConfigMap, reconcile, finalizer: ours, cleanup: async () => {} }),
  );
  expect([...seen].sort()).toEqual([`a ${ours}`, `b other.dev/keep ${ours}`]);
});

test("an object is deleted when its cleanup has succeeded, and is not reconciled until then", async () => {
  await using world = await Controlled.start();
  const log: string[] = [];
  const cleanup = async (map: ConfigMap): Promise<void> => {
    log.push(`cleanup ${map.metadata.name} ${map.data?.x}`);
    if (log.length < 4) throw new Error("not yet");
  };
  const reconcile = async (): Promise<void> => void log.push("reconcile");
  await world.live.create(ConfigMap, { metadata: { name: "a" }, data: { x: "1" } });
  await world.run(controller({ name: "configmap", for: ConfigMap, reconcile, finalizer: ours, cleanup }));
  await world.clock.advance(1000);
  log.splice(0);
  await world.live.delete(ConfigMap, "a");
  await world.settle();
  expect(finalizersOf(await world.live.get(ConfigMap, "a"))).toEqual([ours]);
  await world.clock.advance(10_000);
  expect(await world.live.get(ConfigMap, "a")).toBe(undefined);
  expect(log).toEqual(["cleanup a 1", "cleanup a 1", "cleanup a 1", "cleanup a 1", "reconcile"]);
});

test("a cleanup that requeues is called again, and the object stays until then", async () => {
  await using world = await Controlled.start();
  let calls = 0;
  const cleanup = async (): Promise<{ requeueAfterMs: number } | undefined> => {
    calls += 1;
    return calls < 3 ? { requeueAfterMs: 5000 } : undefined;
  };
  await world.live.create(ConfigMap, { metadata: { name: "a" } });
  await world.run(
    controller({ name: "configmap", for: ConfigMap, reconcile: async () => {}, finalizer: ours, cleanup }),
  );
  await world.live.delete(ConfigMap, "a");
  await world.clock.advance(9999);
  expect([calls, finalizersOf(await world.live.get(ConfigMap, "a"))]).toEqual([2, [ours]]);
  await world.clock.advance(1);
  expect([calls, await world.live.get(ConfigMap, "a")]).toEqual([3, undefined]);
});

test("other finalizers stay, and an object that they keep is not cleaned up twice", async () => {
  await using world = await Controlled.start();
  let calls = 0;
  const cleanup = async (): Promise<void> => {
    calls += 1;
  };
  await world.live.create(ConfigMap, { metadata: { name: "a", finalizers: ["other.dev/keep"] } });
  await world.run(
    controller({ name: "configmap", for: ConfigMap, reconcile: async () => {}, finalizer: ours, cleanup }),
  );
  await world.live.delete(ConfigMap, "a");
  await world.clock.advance(60_000);
  expect([calls, finalizersOf(await world.live.get(ConfigMap, "a"))]).toEqual([1, ["other.dev/keep"]]);
});

test("an object that is terminating before the finalizer was added is not kept", async () => {
  await using world = await Controlled.start();
  const log: string[] = [];
  await world.live.create(ConfigMap, { metadata: { name: "a", finalizers: ["other.dev/keep"] } });
  await world.live.delete(ConfigMap, "a");
  const cleanup = async (): Promise<void> => void log.push("cleanup");
  const reconcile = async (): Promise<void> => void log.push("reconcile");
  await world.run(controller({ name: "configmap", for: ConfigMap, reconcile, finalizer: ours, cleanup }));
  await world.clock.advance(60_000);
  expect([log, finalizersOf(await world.live.get(ConfigMap, "a"))]).toEqual([[], ["other.dev/keep"]]);
});

test("two controllers clean up an object independently, and a failing one does not block the other", async () => {
  await using world = await Controlled.start();
  const log: string[] = [];
  let fails = true;
  const tidy = (name: string, cleanup: () => void): Controller =>
    controller({
      name,
      for: ConfigMap,
      reconcile: async () => {},
      finalizer: `example.dev/${name}`,
      async cleanup() {
        log.push(name);
        cleanup();
      },
    });
  const failing = tidy("failing", () => {
    if (fails) throw new Error("not yet");
  });
  await world.run(
    failing,
    tidy("fine", () => {}),
  );
  await world.live.create(ConfigMap, { metadata: { name: "a" } });
  await world.clock.advance(5000);
  const both = ["example.dev/failing", "example.dev/fine"];
  expect([...(finalizersOf(await world.live.get(ConfigMap, "a")) ?? [])].sort()).toEqual(both);
  await world.live.delete(ConfigMap, "a");
  await world.clock.advance(60_000);
  expect(finalizersOf(await world.live.get(ConfigMap, "a"))).toEqual(["example.dev/failing"]);
  expect(log.filter((name) => name === "fine")).toEqual(["fine"]);
  fails = false;
  await world.clock.advance(120_000);
  expect(await world.live.get(ConfigMap, "a")).toBe(undefined);
});

test("a live object gets the new finalizer in place of former ones, in one patch", async () => {
  await using world = await Controlled.start();
  const finalizers = ["trimtab.dev/configmap", "other.dev/keep", "example.dev/old"];
  const { metadata } = await world.live.create(ConfigMap, { metadata: { name: "a", finalizers } });
  const seen: unknown[] = [];
  const reconcile = async (): Promise<void> => {
    const map = await world.live.get(ConfigMap, "a");
    const managers = map?.metadata.managedFields?.map(({ manager }) => manager);
    seen.push([finalizersOf(map), managers, map?.metadata.resourceVersion === metadata.resourceVersion]);
  };
  const formerFinalizers = ["trimtab.dev/configmap", "example.dev/old"];
  const cleanup = async (): Promise<void> => {};
  await world.run(
    controller({ name: "maps", for: ConfigMap, reconcile, finalizer: ours, formerFinalizers, cleanup }),
  );
  expect(seen[0]).toEqual([["other.dev/keep", ours], ["trimtab"], false]);
  expect(world.sent).toEqual(["PATCH /api/v1/namespaces/default/configmaps/a"]);
});

test("an object with both finalizers loses only the former one", async () => {
  await using world = await Controlled.start();
  const finalizers = [ours, "trimtab.dev/configmap"];
  await world.live.create(ConfigMap, { metadata: { name: "a", finalizers } });
  await world.run(formerly(async () => {}));
  expect(finalizersOf(await world.live.get(ConfigMap, "a"))).toEqual([ours]);
});

test.each([
  [["trimtab.dev/configmap"]],
  [["trimtab.dev/configmap", ours]],
  [["other.dev/keep", ours, "trimtab.dev/configmap"]],
])(
  "a terminating object with %j is cleaned up once, and then loses the former finalizer too",
  async (finalizers) => {
    await using world = await Controlled.start();
    await world.live.create(ConfigMap, { metadata: { name: "a", finalizers } });
    await world.live.delete(ConfigMap, "a");
    const cleaned: unknown[] = [];
    await world.run(formerly(async (map) => void cleaned.push(map.metadata.finalizers)));
    await world.clock.advance(60_000);
    const left = finalizers.includes("other.dev/keep") ? ["other.dev/keep"] : undefined;
    expect([cleaned, finalizersOf(await world.live.get(ConfigMap, "a"))]).toEqual([[finalizers], left]);
  },
);

function formerly(cleanup: (map: ConfigMap) => Promise<void>): Controller {
  const formerFinalizers = ["trimtab.dev/configmap"];
  const reconcile = async (): Promise<void> => {};
  return controller({ name: "maps", for: ConfigMap, reconcile, finalizer: ours, formerFinalizers, cleanup });
}

test.each([
  "",
  "websites",
  "example.dev/",
  "/websites",
  "Example.dev/websites",
  "a/b/c",
  `a.dev/${"n".repeat(64)}`,
])("the finalizer %j is rejected", (finalizer) => {
  const reconcile = async (): Promise<void> => {};
  expect(() =>
    controller({ name: "maps", for: ConfigMap, reconcile, finalizer, cleanup: reconcile }),
  ).toThrow(
    new TypeError(
      'expected finalizer of controller "maps" to be a domain, "/" and a name, like "example.dev/websites", ' +
        `got ${JSON.stringify(finalizer)}`,
    ),
  );
});

test("a former finalizer must differ from the current one", () => {
  const reconcile = async (): Promise<void> => {};
  const make = (formerFinalizers: string[]): Controller =>
    controller({
      name: "maps",
      for: ConfigMap,
      reconcile,
      finalizer: ours,
      formerFinalizers,
      cleanup: reconcile,
    });
  for (const former of [ours, ""]) {
    expect(() => make(["trimtab.dev/maps", former])).toThrow(
      `expected formerFinalizers of controller "maps" to be other names than finalizer "${ours}", got "${former}"`,
    );
  }
});

test("while the cache is behind, the patch of the finalizer backs off", async () => {
  const frozen = {
    on: { verb: "watch" as const, resource: "configmaps" },
    which: { nth: 1 },
    fault: { type: "freeze" as const, afterEvents: 3 }, // both objects, and the bookmark that ends the initial events
  };
  await using world = await Controlled.start({ faults: [frozen] });
  for (const name of ["a", "b"]) await world.live.create(ConfigMap, { metadata: { name } });
  const merge = { metadata: { finalizers: ["other.dev/keep"] } };
  const reconcile = async ({ name }: { name: string }): Promise<void> => {
    if (name === "a") await world.live.patch(ConfigMap, "b", { merge });
  };
  await world.run(
    controller({ name: "maps", for: ConfigMap, reconcile, finalizer: ours, cleanup: async () => {} }),
  );
  await world.clock.advance(60_000);
  const patches = world.sent.filter((line) => line.endsWith("/b"));
  expect(patches).toHaveLength(14); // after 0, 5, 10, 20 ms and so on
  expect(finalizersOf(await world.live.get(ConfigMap, "b"))).toEqual(["other.dev/keep"]);
  await world.clock.advance(120_000);
  expect(finalizersOf(await world.live.get(ConfigMap, "b"))).toEqual(["other.dev/keep", ours]);
});

/** Logs the reasons of each reconcile. */
function noting(log: string[]): Controller {
  return controller({
    name: "maps",
    for: ConfigMap,
    reconcile: async (_, { reasons }) =>
      void log.push(reasons.map(({ event, kind }) => `${event} ${kind}`).join()),
    finalizer: ours,
    cleanup: async () => {},
  });
}

test("adding the finalizer does not reconcile the object a second time", async () => {
  await using world = await Controlled.start();
  const log: string[] = [];
  await world.run(noting(log));
  await world.live.create(ConfigMap, { metadata: { name: "a" } });
  await world.clock.advance(60_000);
  expect([log, finalizersOf(await world.live.get(ConfigMap, "a"))]).toEqual([["added ConfigMap"], [ours]]);
  await world.live.patch(ConfigMap, "a", { merge: { data: { x: "1" } } });
  await world.live.patch(ConfigMap, "a", { merge: { metadata: { finalizers: [ours, "other.dev/keep"] } } });
  await world.settle();
  expect(log.slice(1).every((line) => line === "updated ConfigMap") && log.length > 1).toBe(true);
});

test("a change together with the echo of the finalizer, or before it, still reconciles the object", async () => {
  await using world = await Controlled.start();
  const log: string[] = [];
  const change = async ({ metadata: { name } }: ConfigMap): Promise<void> =>
    void (await world.live.patch(ConfigMap, name, { merge: { data: { x: "1" } } }));
  const maps = controller({
    name: "maps",
    for: ConfigMap,
    async reconcile(key, { client, reasons }) {
      const map = await client.get(ConfigMap, key);
      log.push(`${reasons.map(({ event }) => event).join()} ${map?.data?.x}`);
      if (map && log.length === 1) await change(map);
    },
    finalizer: ours,
    cleanup: async () => {},
  });
  await world.run(maps);
  await world.live.create(ConfigMap, { metadata: { name: "a" } });
  await world.clock.advance(60_000);
  expect(log).toEqual(["added undefined", "updated 1"]);
});

test("an event of an owned object besides the echo of the finalizer reconciles the object", async () => {
  await using world = await Controlled.start();
  const log: string[] = [];
  const maps = controller({
    name: "maps",
    for: ConfigMap,
    on: [owns(Secret)],
    async reconcile(key, { client, reasons }) {
      log.push(reasons.map(({ event, kind }) => `${event} ${kind}`).join());
      const owner = await client.get(ConfigMap, key);
      if (owner) await client.apply(Secret, { metadata: { ...key } }, { owner });
    },
    finalizer: ours,
    cleanup: async () => {},
  });
  await world.run(maps);
  await world.live.create(ConfigMap, { metadata: { name: "a" } });
  await world.clock.advance(60_000);
  expect(log).toEqual(["added ConfigMap", "updated ConfigMap,added Secret"]);
});

test("a reconcile that fails after adding the finalizer is retried, whenever the echo of the finalizer arrives", async () => {
  await using world = await Controlled.start();
  const log: string[] = [];
  const maps = controller({
    name: "maps",
    for: ConfigMap,
    async reconcile(_, { attempt, reasons }) {
      log.push(`${attempt} ${reasons.map(({ event }) => event).join()}`);
      if (attempt < 4) throw new Error("not yet");
    },
    finalizer: ours,
    cleanup: async () => {},
  });
  await world.run(maps);
  await world.live.create(ConfigMap, { metadata: { name: "a" } });
  await world.clock.advance(60_000);
  expect(log).toEqual(["1 added", "2 retry", "3 retry", "4 retry"]);
});
