import type { KubeObject, ListMeta, ObjectMeta } from "../api/index.ts";

/** The versions of group meta.k8s.io that objects may be shown in. */
export type PartialVersion = "v1" | "v1beta1";

/** An object of which only the metadata is shown, in the order of the wire. */
export interface PartialMetadata {
  readonly kind: "PartialObjectMetadata";
  readonly apiVersion: `meta.k8s.io/${PartialVersion}`;
  readonly metadata: ObjectMeta;
}

export interface PartialMetadataList {
  readonly kind: "PartialObjectMetadataList";
  readonly apiVersion: `meta.k8s.io/${PartialVersion}`;
  readonly metadata: ListMeta;
  /** `null`, not an empty list, where there is nothing. */
  readonly items: readonly PartialMetadata[] | null;
}

export function partialMetadata({ metadata }: KubeObject, version: PartialVersion): PartialMetadata {
  return { kind: "PartialObjectMetadata", apiVersion: `meta.k8s.io/${version}`, metadata };
}

export function partialMetadataList(
  list: { readonly metadata: ListMeta; readonly items: readonly KubeObject[] },
  version: PartialVersion,
): PartialMetadataList {
  const items = list.items.map((object) => partialMetadata(object, version));
  return {
    kind: "PartialObjectMetadataList",
    apiVersion: `meta.k8s.io/${version}`,
    metadata: listMetadata(list.metadata),
    items: items.length === 0 ? null : items,
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
