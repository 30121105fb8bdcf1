import type { KubeObject, ListMeta, ObjectMeta } from "../../api/index.ts";
import type { ListShape } from "../types/list-shape.ts";

/** The versions of meta.k8s.io in which metadata can be requested. */
export type PartialVersion = "v1" | "v1beta1";

/** The metadata of an object, with its fields in wire order. */
export interface PartialMetadata {
  readonly kind: "PartialObjectMetadata";
  readonly apiVersion: `meta.k8s.io/${PartialVersion}`;
  readonly metadata: ObjectMeta;
}

export function partialMetadata({ metadata }: KubeObject, version: PartialVersion): PartialMetadata {
  return { kind: "PartialObjectMetadata", apiVersion: `meta.k8s.io/${version}`, metadata };
}

/** Returns the form of a list of metadata. Its `items` are `null` if there are none. */
export function partialMetadataList(metadata: ListMeta, version: PartialVersion): ListShape<KubeObject> {
  return {
    head: {
      kind: "PartialObjectMetadataList",
      apiVersion: `meta.k8s.io/${version}`,
      metadata: listMetadata(metadata),
    },
    field: "items",
    empty: null,
    item: (object) => partialMetadata(object, version),
  };
}

/**
 * Returns the metadata of a list in wire order, without empty fields. Lists of custom kinds have an empty `continue`.
 */
export function listMetadata({ resourceVersion, continue: token, remainingItemCount }: ListMeta): ListMeta {
  return {
    ...(resourceVersion !== undefined && { resourceVersion }),
    ...(token && { continue: token }),
    ...(remainingItemCount !== undefined && { remainingItemCount }),
  };
}
