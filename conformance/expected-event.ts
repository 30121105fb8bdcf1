import type { KubeObject } from "trimtab/api";

/** The event that a watch gives of a change to the object. */
export function changed(type: "added" | "modified" | "deleted", object: KubeObject): object {
  const { namespace, name, resourceVersion } = object.metadata;
  const key = namespace === undefined ? { name } : { namespace, name };
  return { type, key, resourceVersion, object: lean(object) };
}

/** The object as lists and watches give it, without its managedFields. */
export function lean<T extends KubeObject>(object: T): T {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}
