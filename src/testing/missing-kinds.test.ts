import { expect, test } from "vitest";
import { type Kind, kind } from "../api/index.ts";
import { CustomResourceDefinition } from "../api/types/apiextensions/v1.ts";
import { ConfigMap } from "../api/types/core/v1.ts";
import { silentLogger, VirtualClock } from "../base/index.ts";
import { ConfigError } from "../client/index.ts";
import { type Controller, controller, owns } from "../controller/index.ts";
import { type Cluster, expectIdempotent, startCluster } from "./index.ts";

const place = { group: "example.dev", version: "v1", namespaced: true } as const;

/** Website is a kind as `defineResource` makes it. Gadget is a kind of another program's CustomResourceDefinition. */
const Website: Kind = { ...kind({ ...place, kind: "Website", plural: "websites" }), definedHere: true };
const Gadget: Kind = kind({ ...place, kind: "Gadget", plural: "gadgets" });

const websites = controller({ for: Website, on: [owns(Gadget)], reconcile: async () => {} });
const maps = controller({ name: "maps", for: ConfigMap, on: [owns(Website)], reconcile: async () => {} });

function definition({ kind: name, plural, group, version }: Kind) {
  const schema = { openAPIV3Schema: { type: "object" } };
  return {
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural, kind: name },
      versions: [{ name: version, served: true, storage: true, schema }],
    },
  };
}

/** Runs controllers on a cluster that serves only `kinds`, as a test that has forgotten some does. */
async function onCluster(kinds: readonly Kind[], run: (cluster: Cluster) => Promise<unknown>): Promise<void> {
  await using cluster = await startCluster({ clock: new VirtualClock(), kinds: kinds.map(definition) });
  await run(cluster);
}

const runs = (controllers: readonly Controller[]) => (cluster: Cluster) =>
  cluster.run({ controllers, log: silentLogger });

test("a missing CustomResourceDefinition is a single error that names the fix, without waiting", async () => {
  const error: unknown = await onCluster([Gadget], runs([websites])).catch((thrown: unknown) => thrown);
  expect(error).toEqual(
    new ConfigError(
      "expected the cluster to have the CustomResourceDefinition of example.dev/v1 Website (controller website), " +
        "got none; add it where the test starts the cluster:\n    startCluster({ kinds: [Website] })",
    ),
  );
  expect(error).toBeInstanceOf(ConfigError);
});

test("all missing kinds are named, with the controllers that watch them", async () => {
  await expect(onCluster([], runs([websites, maps]))).rejects.toThrow(
    "example.dev/v1 Website (controller website, controller maps) and example.dev/v1 Gadget (controller website), " +
      "got none; add it where the test starts the cluster:\n" +
      "    startCluster({ kinds: [Website, <the CustomResourceDefinition gadgets.example.dev>] })",
  );
});

test("expectIdempotent names the fix too", async () => {
  const run = (cluster: Cluster) => expectIdempotent(cluster, { controllers: [websites] });
  await expect(onCluster([Gadget], run)).rejects.toThrow("startCluster({ kinds: [Website] })");
});

test("a definition that the test itself creates is accepted", async () => {
  await onCluster([Gadget], async (cluster) => {
    await cluster.client.create(CustomResourceDefinition, definition(Website));
    const running = await runs([websites])(cluster);
    expect(running.cache.of(Website).list()).toEqual([]);
  });
});

test("missing kinds are accepted with missingKinds: wait", async () => {
  const clock = new VirtualClock();
  await using cluster = await startCluster({ clock, kinds: [definition(Gadget)] });
  const ready = cluster.run({ controllers: [websites], missingKinds: "wait", log: silentLogger });
  await clock.advance(0);
  await cluster.client.create(CustomResourceDefinition, definition(Website));
  await clock.advance(15_000);
  expect((await ready).cache.of(Website).list()).toEqual([]);
});

test("run rejects with a failure before the caches have synced, and close does not reject again", async () => {
  const run = (cluster: Cluster) =>
    cluster.run({ controllers: [maps], namespaces: ["absent"], client: cluster.client, log: silentLogger });
  const clock = new VirtualClock();
  const test = async (): Promise<void> => {
    await using cluster = await startCluster({ clock, kinds: [definition(Website)] });
    await run(cluster);
  };
  const failed = test().catch((error: unknown) => error);
  await clock.advance(5_000);
  const error = await failed;
  expect([error instanceof ConfigError, String(error)]).toEqual([
    true,
    expect.stringContaining("expected namespace absent"),
  ]);
});
