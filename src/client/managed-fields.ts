import type { KubeObject } from "../api/index.ts";

/** Removes the managedFields of a parsed object. */
export function withoutManagedFields<T extends KubeObject>(object: T): T {
  if (object.metadata?.managedFields) delete object.metadata.managedFields;
  return object;
}
