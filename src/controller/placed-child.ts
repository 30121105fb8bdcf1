import {
  type Draft,
  type Kind,
  type KubeObject,
  keyText,
  kindName,
  type Owner,
  withOwner,
} from "../api/index.ts";
import type { Child } from "./child.ts";

/** A child with its complete key. */
export interface PlacedChild {
  readonly kind: Kind;
  readonly draft: Draft<KubeObject>;
  /** Identifies the object in all versions of its kind. */
  readonly id: string;
}

/**
 * Returns a child in the namespace of its owner, unless it names one. Adds labels.
 *
 * @throws {TypeError} if the owner cannot own it, or if it is namespaced and neither has a namespace
 */
export function placedChild(
  { kind, draft }: Child,
  owner: Owner,
  labels: Readonly<Record<string, string>>,
): PlacedChild {
  const { metadata } = draft;
  const namespace = kind.namespaced ? (metadata.namespace ?? owner.metadata.namespace) : undefined;
  const placed = { ...metadata, namespace, labels: { ...metadata.labels, ...labels } };
  withOwner({ kind: kind.kind, metadata: placed }, owner); // throws
  if (kind.namespaced && !namespace) {
    throw new TypeError(
      `expected a namespace for ${kind.kind} ${metadata.name}, because its owner ${owner.kind} ` +
        `${owner.metadata.name} is cluster-scoped, got none; set metadata.namespace`,
    );
  }
  return { kind, draft: { ...draft, metadata: placed }, id: childId(kind, placed) };
}

/** Returns the identity of an object: its group, kind and key, without the version. */
export function childId(
  { group, kind }: Kind,
  key: { readonly namespace?: string | undefined; readonly name: string },
): string {
  return `${group}/${kind} ${keyText(key)}`;
}

/** Throws if two children are the same object. */
export function checkDistinct(children: readonly PlacedChild[]): void {
  const seen = new Set<string>();
  for (const { kind, draft, id } of children) {
    if (seen.has(id)) {
      throw new TypeError(
        `expected each child once, got ${kindName(kind)} ${keyText(draft.metadata)} twice; merge the two drafts`,
      );
    }
    seen.add(id);
  }
}
