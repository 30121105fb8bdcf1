import type { KubeObject, ResourceFacts } from "../api/index.ts";
import { facts } from "../api/types/facts.ts";
import { deducedNode, typedNode, typedSchema } from "../schema/index.ts";
import { plainDocument } from "./document.ts";
import { storable } from "./object-meta.ts";
import { strategies } from "./registry/index.ts";
import type { Codec, Resource, Strategy } from "./resource.ts";
import { typedCodec } from "./typed-codec.ts";

/**
 * A resource for every kind that the pinned release serves unless it is told otherwise, with what the kind does
 * differently. Alpha and beta versions are served on request alone.
 */
export function builtinResources(): readonly Resource[] {
  builtins ??= facts()
    .resources.filter(({ version }) => stable.test(version))
    .map(builtinResource);
  return builtins;
}

/** The same for all servers of this process: nothing in them ever changes. */
let builtins: readonly Resource[] | undefined;

const stable = /^v\d+$/;

function builtinResource(fact: ResourceFacts): Resource {
  const { group, version, kind } = fact;
  const strategy = strategies.get(`${group}/${version}/${kind}`) ?? strategies.get(`${group}/${kind}`) ?? {};
  const codec = codecOf(fact, strategy);
  return {
    ...fact,
    listKind: `${fact.kind}List`,
    custom: false,
    storagePrefix: storagePrefixOf(fact),
    node: typedNode(fact) ?? deducedNode,
    codec,
    strategy,
    fromStored: strategy.fromStored && ((object) => rewritten(codec, strategy.fromStored?.(object))),
  };
}

/** Read like what a client sends, so that it has all that the server writes. */
function rewritten(codec: Codec, object: unknown): KubeObject {
  return storable(codec.decode(plainDocument(object)).object);
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
