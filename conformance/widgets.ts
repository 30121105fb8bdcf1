import { setTimeout as sleep } from "node:timers/promises";
import { type AnyKind, conditionOf, type KubeObject, kind } from "trimtab/api";
import { CustomResourceDefinition, type CustomResourceDefinitionSpec } from "trimtab/api/apiextensions/v1";
import { type Client, UnknownKindError } from "trimtab/client";
import type { Stage } from "./scenario.ts";

/** An object of a custom kind. */
export interface Widget extends KubeObject {
  spec?: { size?: number; colour?: string; tags?: string[] } | undefined;
  status?: { seen?: number } | undefined;
}

/** A kind of this scenario. Disposing it deletes the kind. */
export interface Widgets extends AsyncDisposable {
  /** The kind by name only. The server resolves plural and scope. */
  readonly Widget: AnyKind<Widget>;
  readonly group: string;
  readonly definition: CustomResourceDefinition;
}

/** Defines the kind Widget in a group named after the scenario's namespace, and waits until it is served. */
export async function widgets({ namespace, cluster, signal }: Stage): Promise<Widgets> {
  const { client } = cluster;
  const group = `${namespace}.example.dev`;
  const Widget = kind<Widget>({ group, version: "v1", kind: "Widget" });
  const metadata = { name: `widgets.${group}` };
  const definition = await client.create(CustomResourceDefinition, { metadata, spec: specOf(group) });
  await established(client, definition, signal);
  await served(client, Widget, signal);
  return {
    Widget,
    group,
    definition,
    async [Symbol.asyncDispose]() {
      await client.delete(CustomResourceDefinition, metadata);
    },
  };
}

async function established(
  client: Client,
  { metadata }: CustomResourceDefinition,
  signal: AbortSignal,
): Promise<void> {
  const fields = { "metadata.name": metadata.name };
  for await (const event of client.watch(CustomResourceDefinition, { fields, signal })) {
    if (event.type === "bookmark") continue;
    if (conditionOf(event.object.status?.conditions, "Established")?.status === "True") return;
  }
}

/** Discovery may list a kind shortly after it is established. */
async function served(client: Client, wanted: AnyKind, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      await client.resolve(wanted, { signal });
      return;
    } catch (error) {
      if (!(error instanceof UnknownKindError)) throw error;
    }
    await sleep(50, undefined, { signal });
  }
}

function specOf(group: string): CustomResourceDefinitionSpec {
  const size = { type: "integer", minimum: 1, default: 1 };
  const colour = { type: "string", enum: ["red", "blue"] };
  const tags = { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } };
  return {
    group,
    scope: "Namespaced",
    names: { plural: "widgets", singular: "widget", kind: "Widget", shortNames: ["wd"], categories: ["all"] },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: {
          status: {},
          scale: { specReplicasPath: ".spec.size", statusReplicasPath: ".status.seen" },
        },
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: { type: "object", properties: { size, colour, tags } },
              status: { type: "object", properties: { seen: { type: "integer" } } },
            },
          },
        },
      },
    ],
  };
}
