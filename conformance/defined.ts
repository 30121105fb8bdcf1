import { setTimeout as sleep } from "node:timers/promises";
import { conditionOf } from "trimtab/api";
import { CustomResourceDefinition, type CustomResourceDefinitionSpec } from "trimtab/api/apiextensions/v1";
import type { Client } from "trimtab/client";
import type { Stage } from "./scenario.ts";

type Version = CustomResourceDefinitionSpec["versions"][number];

/** A version with a schema for `spec`. It is served and stored by default. */
export function version(
  name: string,
  spec: Readonly<Record<string, object>>,
  more: Partial<Version> = {},
): Version {
  const schema = {
    type: "object",
    properties: { spec: { type: "object", properties: spec }, status: anything },
  };
  return { name, served: true, storage: true, schema: { openAPIV3Schema: schema }, ...more };
}

const anything = { type: "object", "x-kubernetes-preserve-unknown-fields": true };

/** A kind Thing of this scenario. Disposing it deletes the kind. */
export interface Things extends AsyncDisposable {
  readonly group: string;
  /** Name of the definition. */
  readonly name: string;
  /** Path of its objects in the scenario's namespace. */
  path(version: string): `/${string}`;
  /** Returns an object of the kind to send. */
  thing(name: string, spec: object, version?: string): object;
}

/** Defines the kind Thing in a group named after the scenario's namespace, and waits until it is served. */
export async function things(
  { namespace, cluster: { client }, signal }: Stage,
  versions: Version[],
  more: Partial<CustomResourceDefinitionSpec> = {},
): Promise<Things> {
  const group = `${namespace}.example.dev`;
  const metadata = { name: `things.${group}` };
  const names = { plural: "things", kind: "Thing" };
  const spec = { group, scope: "Namespaced", names, versions, ...more };
  await client.create(CustomResourceDefinition, { metadata, spec });
  await untilServed(client, metadata.name, signal);
  return {
    group,
    name: metadata.name,
    path: (of) => `/apis/${group}/${of}/namespaces/${namespace}/things`,
    thing: (name, content, of = "v1") => ({
      apiVersion: `${group}/${of}`,
      kind: "Thing",
      metadata: { name },
      spec: content,
    }),
    async [Symbol.asyncDispose]() {
      await client.delete(CustomResourceDefinition, metadata);
    },
  };
}

/** Waits until the server serves the current definition, which may take a moment. */
export async function untilServed(client: Client, name: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const definition = await client.get(CustomResourceDefinition, name);
    if (!definition) throw new Error(`expected a definition ${name}, got none`);
    const { spec, status } = definition;
    const established = conditionOf(status?.conditions, "Established")?.status === "True";
    const paths = spec.versions
      .filter(({ served }) => served)
      .map((one) => `/apis/${spec.group}/${one.name}`);
    const responses = await Promise.all(paths.map((path) => client.transport.send({ method: "GET", path })));
    if (established && responses.every(({ body }) => body.includes(`"${spec.names.plural}"`))) return;
    await sleep(50, undefined, { signal });
  }
}
