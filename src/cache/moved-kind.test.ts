import { expect, test } from "vitest";
import { type AnyKind, type Draft, keyOf, kind, type Unstructured } from "../api/index.ts";
import { CustomResourceDefinition } from "../api/types/apiextensions/v1.ts";
import { loggerTo, seededRng, VirtualClock } from "../base/index.ts";
import { startCluster } from "../testing/index.ts";
import { informers } from "./index.ts";

const Website: AnyKind<Unstructured> = kind({ group: "example.dev", version: "v1", kind: "Website" });

function definition(plural: string, scope: "Namespaced" | "Cluster"): Draft<CustomResourceDefinition> {
  const versions = [
    { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } },
  ];
  return {
    metadata: { name: `${plural}.example.dev` },
    spec: { group: "example.dev", scope, names: { plural, kind: "Website" }, versions },
  };
}

test("an informer follows a kind whose CRD is replaced by one with another plural and scope", async () => {
  const clock = new VirtualClock();
  await using cluster = await startCluster({ clock, rng: seededRng(1) });
  const { client } = cluster;
  await client.apply(CustomResourceDefinition, definition("websites", "Namespaced"));
  await client.create(Website, { metadata: { name: "a" } });
  const log = loggerTo(() => {});
  await using factory = informers({ client, clock, rng: seededRng(2), log });
  const websites = factory.for(Website);
  const ended = new AbortController();
  factory.start({ signal: ended.signal });
  await clock.advance(0);
  expect(websites.lister.list().map(keyOf)).toEqual(["default/a"]);
  await client.delete(CustomResourceDefinition, "websites.example.dev");
  await clock.advance(1000);
  await client.apply(CustomResourceDefinition, definition("sites", "Cluster"));
  const Site = kind({
    group: "example.dev",
    version: "v1",
    kind: "Website",
    plural: "sites",
    namespaced: false,
  });
  await client.create(Site, { metadata: { name: "b" } });
  await clock.advance(60_000);
  expect(websites.lister.list().map(keyOf)).toEqual(["b"]);
  ended.abort();
});
