import type { KubeObject, ListMeta } from "../api/index.ts";
import type { Clock } from "../base/index.ts";
import { goQuoted } from "../schema/index.ts";
import type { ListShape } from "./list-shape.ts";
import type { Transform } from "./negotiation.ts";
import { type PartialVersion, partialMetadata, partialMetadataList } from "./partial-metadata.ts";
import { printerOf } from "./printers/printers.ts";
import {
  eventTable,
  type IncludeObject,
  listTable,
  objectTable,
  type TableOptions,
} from "./printers/table.ts";
import type { Resource, ServedSubresource } from "./resource.ts";
import { badRequest, notConvertible, unknownError } from "./status-error.ts";

/** Shows objects as something else: what an `Accept` header with `as=` asks for. */
export interface ResponseTransformer {
  object(object: KubeObject): object;
  /** A list with these metadata. Its items are shown one by one. */
  list(metadata: ListMeta): ListShape<KubeObject>;
  /** The object of a watch event, bookmarks as well. `first`: no event of that watch came before. */
  event(object: KubeObject, first: boolean): object;
}

export interface ResponseTransformerOptions {
  readonly resource: Resource;
  readonly subresource?: ServedSubresource | undefined;
  readonly as: Transform;
  readonly query: URLSearchParams;
  /** Ages are told from its time. */
  readonly clock: Clock;
}

/** Throws a `StatusError` for what is asked of a Table that there is not. */
export function responseTransformer(options: ResponseTransformerOptions): ResponseTransformer {
  // The transform was read from a header that knows these two.
  const version = options.as.version as PartialVersion;
  if (options.as.kind === "Table") return tableView(options, version);
  return options.as.kind === "PartialObjectMetadata"
    ? objectView(options, version)
    : listView(options, version);
}

/**
 * Whether a Table may be asked for. Not of what is only sent and answered (reviews, evictions, tokens): there the
 * clause of the header is passed over.
 */
export function showsTable(resource: Resource, subresource?: ServedSubresource): boolean {
  if (!subresource) return resource.verbs.includes("get");
  return subresource.kind === resource.kind || subresource.kind === "Scale";
}

function tableView(
  { resource, subresource, query, clock }: ResponseTransformerOptions,
  version: PartialVersion,
): ResponseTransformer {
  const [printer, include] = [printerOf(resource, subresource), includeObject(query)];
  const options = (): TableOptions => ({ printer, include, version, now: clock.now() });
  return {
    object: (object) => objectTable(object, options()),
    list: (metadata) => listTable(metadata, options()),
    event: (object, first) => eventTable(object, { ...options(), first }),
  };
}

function includeObject(query: URLSearchParams): IncludeObject {
  const asked = query.get("includeObject") || "Metadata";
  if (asked === "Metadata" || asked === "Object" || asked === "None") return asked;
  const fault = `Invalid value: ${goQuoted(asked)}: must be 'Metadata', 'Object', 'None', or empty`;
  throw badRequest(`Unable to convert to Table as requested: includeObject: ${fault}`);
}

function objectView({ resource }: ResponseTransformerOptions, version: PartialVersion): ResponseTransformer {
  const object = (shown: KubeObject): object => partialMetadata(shown, version);
  const list = (): never => {
    const what = `the requested object is a list (*${goType(resource, "List")})`;
    throw notConvertible(`you requested PartialObjectMetadata, but ${what}`);
  };
  return { object, list, event: object };
}

function listView({ resource }: ResponseTransformerOptions, version: PartialVersion): ResponseTransformer {
  const object = (): never => {
    if (resource.custom) throw unknownError("content is not a list"); // the real server has not foreseen it
    const what = `the requested object is not a list (*${goType(resource, "")})`;
    throw notConvertible(`you requested PartialObjectMetadataList, but ${what}`);
  };
  return { object, list: (metadata) => partialMetadataList(metadata, version), event: object };
}

/** The type of the kind in the real server, which its errors name. */
function goType({ custom, group, kind }: Resource, suffix: "List" | ""): string {
  if (custom) return `unstructured.Unstructured${suffix}`;
  return `${goPackages[group] ?? group.split(".")[0]}.${kind}${suffix}`;
}

/** Where it is not the first word of the group. */
const goPackages: Readonly<Record<string, string>> = {
  "": "core",
  "events.k8s.io": "core",
  "internal.apiserver.k8s.io": "apiserverinternal",
};
