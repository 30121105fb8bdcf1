import {
  controllerOf,
  type Frozen,
  type KubeObject,
  type LabelSelector,
  type ObjectKey,
  selectorMatcher,
} from "../../api/index.ts";

/** An object that selects others by labels. */
export interface Selecting extends KubeObject {
  readonly spec: { readonly selector?: LabelSelector | undefined };
}

/** Returns the namespace of an object without a controller: the value of the index of orphans. */
export function namespaceOfOrphan(object: Frozen<KubeObject>): string[] {
  return controllerOf(object) ? [] : [object.metadata.namespace ?? ""];
}

/** Returns the keys of the objects that select `object`, if it is an orphan that one of them may adopt. */
export function possibleOwners(
  object: Frozen<KubeObject>,
  selecting: () => readonly Frozen<Selecting>[],
): ObjectKey[] {
  const labels = object.metadata.labels ?? {};
  if (controllerOf(object) || object.metadata.deletionTimestamp) return [];
  const owners = selecting().filter(({ spec }) => selectorMatcher(spec.selector).matches(labels));
  return owners.map(({ metadata: { namespace, name } }) => ({ namespace, name }));
}
