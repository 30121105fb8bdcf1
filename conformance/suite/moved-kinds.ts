import { setTimeout as sleep } from "node:timers/promises";
import { kind } from "trimtab/api";
import { CustomResourceDefinition } from "trimtab/api/apiextensions/v1";
import { untilServed, version } from "../defined.ts";
import { type Stage, scenario } from "../scenario.ts";

/** Defines the kind Thing, and waits until the server serves it there. */
async function define(
  { cluster: { client }, namespace, signal }: Stage,
  plural: string,
  scope: string,
): Promise<string> {
  const group = `${namespace}.example.dev`;
  const name = `${plural}.${group}`;
  const spec = { group, scope, names: { plural, kind: "Thing" }, versions: [version("v1", {})] };
  await client.create(CustomResourceDefinition, { metadata: { name }, spec });
  await untilServed(client, name, signal);
  return name;
}

/** Deletes a definition, and waits until the server has removed it. */
async function remove({ cluster: { client }, signal }: Stage, name: string): Promise<void> {
  await client.delete(CustomResourceDefinition, name);
  while (await client.get(CustomResourceDefinition, name)) await sleep(50, undefined, { signal });
}

scenario("a kind is resolved again after its definition is replaced with another plural", async (stage) => {
  const { client, namespace, expect } = stage;
  const Thing = kind({ group: `${namespace}.example.dev`, version: "v1", kind: "Thing" });
  const first = await define(stage, "things", "Namespaced");
  await client.create(Thing, { metadata: { name: "a" } });
  await remove(stage, first);
  const second = await define(stage, "items", "Namespaced");
  await client.create(Thing, { metadata: { name: "b" } });
  const names = (await client.list(Thing)).map(({ metadata }) => metadata.name);
  await remove(stage, second);
  expect(names).toEqual(["b"]);
});

scenario("a kind is resolved again after its definition is replaced with another scope", async (stage) => {
  const { client, namespace, expect } = stage;
  const Thing = kind({ group: `${namespace}.example.dev`, version: "v1", kind: "Thing" });
  const first = await define(stage, "things", "Namespaced");
  await client.create(Thing, { metadata: { name: "a" } });
  await remove(stage, first);
  const second = await define(stage, "things", "Cluster");
  const cluster = await client.apply(Thing, { metadata: { name: "b" } });
  await remove(stage, second);
  const third = await define(stage, "things", "Namespaced");
  const inNamespace = await client.create(Thing, { metadata: { name: "c" } });
  await remove(stage, third);
  expect([cluster.metadata.namespace, inNamespace.metadata.namespace]).toEqual([undefined, namespace]);
});
