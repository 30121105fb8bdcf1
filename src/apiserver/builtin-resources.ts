import type { ResourceFacts } from "../api/index.ts";
import { facts } from "../api/types/facts.ts";
import { deducedNode, typedNode, typedSchema } from "../schema/index.ts";
import { strategies } from "./kinds/index.ts";
import type { Codec, Resource, Strategy } from "./resource.ts";
import { typedCodec } from "./typed-codec.ts";

/** A resource for every kind that the pinned release serves, with what the kind does differently. */
export function builtinResources(): Resource[] {
  return facts().resources.map(builtinResource);
}

function builtinResource(fact: ResourceFacts): Resource {
  const strategy = strategies.get(`${fact.group}/${fact.kind}`) ?? {};
  return {
    ...fact,
    listKind: `${fact.kind}List`,
    custom: false,
    storagePrefix: storagePrefixOf(fact),
    node: typedNode(fact) ?? deducedNode,
    codec: codecOf(fact, strategy),
    strategy,
  };
}

function codecOf(fact: ResourceFacts, strategy: Strategy): Codec {
  const type = typedSchema(fact);
  if (!type) throw new Error(`expected a schema of ${fact.kind} in ${fact.group}/${fact.version}, got none`);
  return typedCodec(fact, type, strategy);
}

/** As the real server names its keys, which errors may show. Events of both groups are one and the same. */
function storagePrefixOf({ group, plural }: ResourceFacts): string {
  const path = storagePaths[plural] ?? plural;
  return groupedKeys.has(group) ? `/registry/${group}/${path}/` : `/registry/${path}/`;
}

const groupedKeys: ReadonlySet<string> = new Set(["apiextensions.k8s.io", "apiregistration.k8s.io"]);

const storagePaths: Readonly<Record<string, string | undefined>> = {
  endpoints: "services/endpoints",
  ingresses: "ingress",
  nodes: "minions",
  replicationcontrollers: "controllers",
  services: "services/specs",
};
