import { expect, test } from "vitest";
import { type AnyKind, type KubeObject, kind } from "../api/index.ts";
import { CustomResourceDefinition } from "../api/types/apiextensions/v1.ts";
import { seededRng, VirtualClock } from "../base/index.ts";
import { serveKinds } from "./custom-kinds.ts";
import { startCluster } from "./start-cluster.ts";

type Site = KubeObject & { readonly spec?: object };

const site = (version: string): AnyKind<Site> => kind({ group: "example.dev", version, kind: "Site" });

interface Version {
  readonly name: string;
  readonly served?: boolean;
  readonly keeps?: boolean;
}

/** Returns a CustomResourceDefinition of kind Site with the given plural. The last version is the storage version. */
function definition(plural: string, ...versions: readonly Version[]) {
  return {
    metadata: { name: `${plural}.example.dev` },
    spec: {
      group: "example.dev",
      scope: "Namespaced",
      names: { plural, kind: "Site" },
      versions: versions.map(({ name, served = true, keeps = false }, index) => ({
        name,
        served,
        storage: index === versions.length - 1,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: { type: "object", ...(keeps && { "x-kubernetes-preserve-unknown-fields": true }) },
            },
          },
        },
      })),
    },
  };
}

/** Serves the kinds of each round on an embedded server, one round after the other, and returns the outcomes. */
async function served(...rounds: readonly Parameters<typeof serveKinds>[1][]) {
  const clock = new VirtualClock();
  const cluster = await startCluster({ clock, rng: seededRng(1) });
  const outcomes: string[] = [];
  for (const kinds of rounds) {
    const round = serveKinds(cluster.client, kinds, { clock }).then(
      () => "served",
      (error: Error) => error.message,
    );
    await clock.advance(30_000);
    outcomes.push(await round);
  }
  return { outcomes, clock, client: cluster.client, [Symbol.asyncDispose]: () => cluster.close() };
}

test("an existing definition is updated to the given one, and objects are kept", async () => {
  await using world = await served([definition("sites", { name: "v1" })]);
  const { client, clock } = world;
  await client.create(site("v1"), { metadata: { name: "a" }, spec: { image: "pruned" } });
  await serveKinds(client, [definition("sites", { name: "v1" }, { name: "v2", keeps: true })], {
    clock,
  });
  expect((await client.get(site("v2"), "a"))?.spec).toEqual({});
  const kept = await client.create(site("v2"), { metadata: { name: "b" }, spec: { image: "kept" } });
  expect(kept.spec).toEqual({ image: "kept" });
});

test("a version that is not served is not waited for", async () => {
  await using world = await served([
    definition("sites", { name: "v1alpha1", served: false }, { name: "v1" }),
  ]);
  expect(world.outcomes).toEqual(["served"]);
  expect(await world.client.list(site("v1"))).toEqual([]);
});

test("the same definition given twice is applied once", async () => {
  const sites = definition("sites", { name: "v1" });
  await using world = await served([sites, sites], [sites]);
  expect(world.outcomes).toEqual(["served", "served"]);
  expect((await world.client.list(CustomResourceDefinition)).length).toBe(1);
});

test("a kind whose name is already in use is an error with the server's message", async () => {
  await using world = await served(
    [definition("sites", { name: "v1" })],
    [definition("places", { name: "v1" })],
  );
  expect(world.outcomes).toEqual([
    "served",
    'expected places.example.dev to be served, got ListKindConflict: "SiteList" is already in use',
  ]);
});
