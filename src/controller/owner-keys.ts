import type { Kind, KubeObject, OwnerReference } from "../api/index.ts";

/**
 * The keys of those that own `object` and are of `kind`: its controller, or with `anyOwner` all of them. References say no
 * namespace: an owner is in the object's own, or in none. One that is not as it should be is nobody's.
 */
export function* ownerKeys(object: KubeObject, kind: Kind, anyOwner: boolean): Generator<string, void, void> {
  const { namespace, ownerReferences } = object.metadata;
  if (!Array.isArray(ownerReferences)) return;
  for (const reference of ownerReferences as readonly Partial<OwnerReference>[]) {
    if (!isOf(reference, kind) || (!anyOwner && reference.controller !== true)) continue;
    yield kind.namespaced && namespace ? `${namespace}/${reference.name}` : reference.name;
  }
}

function isOf(reference: Partial<OwnerReference>, kind: Kind): reference is OwnerReference {
  const { name, kind: said, apiVersion } = reference;
  return said === kind.kind && groupOf(apiVersion) === kind.group && typeof name === "string" && name !== "";
}

/** The version does not matter: the same object is served in several. */
function groupOf(apiVersion: unknown): string | undefined {
  if (typeof apiVersion !== "string") return undefined;
  const slash = apiVersion.indexOf("/");
  return slash < 0 ? "" : apiVersion.slice(0, slash);
}
