import type { Kind, KubeObject, OwnerReference } from "../api/index.ts";
import type { ControllerOptions } from "./controller.ts";

/**
 * Yields the keys of an object's owners of `kind`: its controller, or all of its owners with `anyOwner`. Owner
 * references have no namespace: an owner is in the namespace of the object, or is cluster-scoped. Skips invalid
 * references.
 */
export function* ownerKeys(
  { metadata }: Pick<KubeObject, "metadata">,
  kind: Kind,
  anyOwner: boolean,
): Generator<string, void, void> {
  const { namespace, ownerReferences } = metadata;
  if (!Array.isArray(ownerReferences)) return;
  for (const reference of ownerReferences as readonly unknown[]) {
    if (!isReferenceTo(kind, reference) || (!anyOwner && reference.controller !== true)) continue;
    yield kind.namespaced && namespace ? `${namespace}/${reference.name}` : reference.name;
  }
}

/** Checks the whole reference, because kube-apiserver only checks that the name is not empty. */
function isReferenceTo(kind: Kind, reference: unknown): reference is OwnerReference {
  if (typeof reference !== "object" || reference === null) return false;
  const { name, kind: ownerKind, apiVersion } = reference as Partial<OwnerReference>;
  return ownerKind === kind.kind && groupOf(apiVersion) === kind.group && isName(name);
}

function isName(name: unknown): boolean {
  return typeof name === "string" && name !== "" && !name.includes("/");
}

/** Returns the group without the version, because an object is served in several versions. */
function groupOf(apiVersion: unknown): string | undefined {
  if (typeof apiVersion !== "string") return undefined;
  const parts = apiVersion.split("/");
  if (parts.length > 2) return undefined;
  return parts.length === 2 ? parts[0] : "";
}

/**
 * Returns the detector's check for objects of a kind that the controller `owns` that have no owner of the primary kind.
 */
export function isUnowned({
  for: primary,
  on = [],
}: Pick<ControllerOptions<KubeObject>, "for" | "on">): (kind: string, object: KubeObject) => boolean {
  const owned = on.filter((trigger) => trigger.type === "owns");
  return (kind, object) => {
    const triggers = owned.filter((trigger) => trigger.kind.kind === kind);
    return (
      triggers.length > 0 &&
      triggers.every(({ anyOwner }) => ownerKeys(object, primary, anyOwner).next().done === true)
    );
  };
}
