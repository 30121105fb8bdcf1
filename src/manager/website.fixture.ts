import { type Draft, type Kind, type KubeObject, kind } from "../api/index.ts";
import { CustomResourceDefinition } from "../api/types/apiextensions/v1.ts";
import type { Client } from "../client/index.ts";

/** A custom kind that tests install and uninstall. */
export const Website: Kind<KubeObject> = kind({
  group: "example.dev",
  version: "v1",
  kind: "Website",
  plural: "websites",
  namespaced: true,
});

export async function install(client: Client): Promise<void> {
  await client.create(CustomResourceDefinition, definition);
}

export async function uninstall(client: Client): Promise<void> {
  await client.delete(CustomResourceDefinition, definition.metadata.name);
}

const definition = {
  metadata: { name: "websites.example.dev" },
  spec: {
    group: "example.dev",
    scope: "Namespaced",
    names: { plural: "websites", kind: "Website", singular: "website", listKind: "WebsiteList" },
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
  },
} satisfies Draft<CustomResourceDefinition>;
