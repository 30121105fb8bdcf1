import type { KubeObject, ListMeta } from "../../api/index.ts";
import type { Clock } from "../../base/index.ts";
import { goQuoted } from "../../schema/index.ts";
import type { Transform } from "../codec/negotiation.ts";
import { type PartialVersion, partialMetadata, partialMetadataList } from "../codec/partial-metadata.ts";
import { internalTypeName } from "../types/internal-type-name.ts";
import type { ListShape } from "../types/list-shape.ts";
import type { Resource, ServedSubresource } from "../types/resource.ts";
import { badRequest, notConvertible, unknownError } from "../types/status-error.ts";
import { printerOf } from "./printers.ts";
import { eventTable, type IncludeObject, listTable, objectTable, type TableOptions } from "./table.ts";

/** Transforms objects into the form that an `Accept` header requests with `as=`: a Table or metadata only. */
export interface ResponseTransformer {
  object(object: KubeObject): object;
  /** Returns the form of a list with this metadata. Its items are transformed one by one. */
  list(metadata: ListMeta): ListShape<KubeObject>;
  /** Transforms the object of a watch event, including bookmarks. `first` is true for the first event of the watch. */
  event(object: KubeObject, first: boolean): object;
}

export interface ResponseTransformerOptions {
  readonly resource: Resource;
  readonly subresource?: ServedSubresource | undefined;
  readonly as: Transform;
  readonly query: URLSearchParams;
  /** Determines the ages in a Table. */
  readonly clock: Clock;
}

/** Creates a transformer. Throws a `StatusError` for invalid parameters of a Table. */
export function responseTransformer(options: ResponseTransformerOptions): ResponseTransformer {
  // Content negotiation accepts only these two.
  const version = options.as.version as PartialVersion;
  if (options.as.kind === "Table") return tableTransformer(options, version);
  return options.as.kind === "PartialObjectMetadata"
    ? metadataTransformer(options, version)
    : metadataListTransformer(options, version);
}

/**
 * Returns true if a Table can be requested. For kinds that are never stored (reviews, evictions, tokens) the request is
 * ignored.
 */
export function showsTable(resource: Resource, subresource?: ServedSubresource): boolean {
  if (!subresource) return resource.verbs.includes("get");
  return subresource.kind === resource.kind || subresource.kind === "Scale";
}

function tableTransformer(
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
  const include = query.get("includeObject") || "Metadata";
  if (include === "Metadata" || include === "Object" || include === "None") return include;
  const problem = `Invalid value: ${goQuoted(include)}: must be 'Metadata', 'Object', 'None', or empty`;
  throw badRequest(`Unable to convert to Table as requested: includeObject: ${problem}`);
}

function metadataTransformer(
  { resource }: ResponseTransformerOptions,
  version: PartialVersion,
): ResponseTransformer {
  const object = (original: KubeObject): object => partialMetadata(original, version);
  const list = (): never => {
    const what = `the requested object is a list (*${internalTypeName(resource)}List)`;
    throw notConvertible(`you requested PartialObjectMetadata, but ${what}`);
  };
  return { object, list, event: object };
}

function metadataListTransformer(
  { resource }: ResponseTransformerOptions,
  version: PartialVersion,
): ResponseTransformer {
  const object = (): never => {
    if (resource.custom) throw unknownError("content is not a list"); // kube-apiserver does not handle this case
    const what = `the requested object is not a list (*${internalTypeName(resource)})`;
    throw notConvertible(`you requested PartialObjectMetadataList, but ${what}`);
  };
  return { object, list: (metadata) => partialMetadataList(metadata, version), event: object };
}
