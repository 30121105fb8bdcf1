import type { KubeObject, ListMeta, ObjectMeta } from "../api/index.ts";
import type { ListShape } from "./list-shape.ts";

/** The versions of group meta.k8s.io that objects may be shown in. */
export type PartialVersion = "v1" | "v1beta1";

/** An object of which only the metadata is shown, in the order of the wire. */
export interface PartialMetadata {
  readonly kind: "PartialObjectMetadata";
  readonly apiVersion: `meta.k8s.io/${PartialVersion}`;
  readonly metadata: ObjectMeta;
}

export function partialMetadata({ metadata }: KubeObject, version: PartialVersion): PartialMetadata {
  return { kind: "PartialObjectMetadata", apiVersion: `meta.k8s.io/${version}`, metadata };
}

/** The list of the metadata of objects. Its `items` are `null`, not an empty list, where there are none. */
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

/** Metadata of a list in the order of the wire, without what is empty: lists of custom kinds have an empty `continue`. */
export function listMetadata({ resourceVersion, continue: token, remainingItemCount }: ListMeta): ListMeta {
  return {
    ...(resourceVersion !== undefined && { resourceVersion }),
    ...(token && { continue: token }),
    ...(remainingItemCount !== undefined && { remainingItemCount }),
  };
}
