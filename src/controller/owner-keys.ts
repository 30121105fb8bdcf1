import type { Kind, KubeObject, OwnerReference } from "../api/index.ts";
import type { ControllerOptions } from "./controller.ts";

/**
 * The keys of those that own an object and are of `kind`: its controller, or with `anyOwner` all of them. References say no
 * namespace: an owner is in the object's own, or in none. One that is not as it should be is nobody's.
 */
export function* ownerKeys(
  { metadata }: Pick<KubeObject, "metadata">,
  kind: Kind,
  anyOwner: boolean,
): Generator<string, void, void> {
  const { namespace, ownerReferences } = metadata;
  if (!Array.isArray(ownerReferences)) return;
  for (const reference of ownerReferences as readonly unknown[]) {
    if (!isOf(reference, kind) || (!anyOwner && reference.controller !== true)) continue;
    yield kind.namespaced && namespace ? `${namespace}/${reference.name}` : reference.name;
  }
}

/** A server looks at little of a reference: at its name only whether there is one. */
function isOf(reference: unknown, kind: Kind): reference is OwnerReference {
  if (typeof reference !== "object" || reference === null) return false;
  const { name, kind: said, apiVersion } = reference as Partial<OwnerReference>;
  return said === kind.kind && groupOf(apiVersion) === kind.group && isName(name);
}

function isName(name: unknown): boolean {
  return typeof name === "string" && name !== "" && !name.includes("/");
}

/** The version does not matter: the same object is served in several. */
function groupOf(apiVersion: unknown): string | undefined {
  if (typeof apiVersion !== "string") return undefined;
  const parts = apiVersion.split("/");
  if (parts.length > 2) return undefined;
  return parts.length === 2 ? parts[0] : "";
}

/** For the detector: whether an object of a kind that the controller `owns` has no owner of the primary kind. */
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
