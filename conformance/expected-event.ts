import type { KubeObject } from "trimtab/api";

/** Returns the event that a watch sends for a change of the object. */
export function changed(type: "added" | "modified" | "deleted", object: KubeObject): object {
  const { namespace, name, resourceVersion } = object.metadata;
  const key = namespace === undefined ? { name } : { namespace, name };
  return { type, key, resourceVersion, object: lean(object) };
}

/** Returns the object as in lists and watches, without its managedFields. */
export function lean<T extends KubeObject>(object: T): T {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}
