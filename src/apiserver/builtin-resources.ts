import type { KubeObject } from "../api/index.ts";
import { facts, type ResourceFacts } from "../api/types/facts.ts";
import { deducedNode, typedNode, typedSchema } from "../schema/index.ts";
import { plainDocument } from "./codec/document.ts";
import { storable } from "./codec/object-meta.ts";
import { typedCodec } from "./codec/typed-codec.ts";
import { strategies } from "./registry/index.ts";
import type { Codec, Resource, Strategy } from "./types/resource.ts";

/**
 * Returns a resource for every kind that the pinned release serves by default, with the strategy of the kind. Alpha and
 * beta versions are not served.
 */
export function builtinResources(): readonly Resource[] {
  builtins ??= facts()
    .resources.filter(({ version }) => stable.test(version))
    .map(builtinResource);
  return builtins;
}

/** Shared by all servers of this process, because resources are immutable. */
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
    fromStored: strategy.fromStored && ((object) => decodeStored(codec, strategy.fromStored?.(object))),
  };
}

/** Decodes an object like one from a client, so that it has all fields that the server writes. */
function decodeStored(codec: Codec, object: unknown): KubeObject {
  return storable(codec.decode(plainDocument(object)).object);
}

function codecOf(fact: ResourceFacts, strategy: Strategy): Codec {
  const type = typedSchema(fact);
  if (!type) throw new Error(`expected a schema of ${fact.kind} in ${fact.group}/${fact.version}, got none`);
  return typedCodec(fact, type, strategy);
}

/**
 * Returns the storage prefix that kube-apiserver uses, because errors contain keys. Events of both groups share one.
 */
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
