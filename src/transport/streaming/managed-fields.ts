import type { KubeObject } from "../../api/index.ts";

/** Removes the managedFields of a parsed object. */
export function withoutManagedFields<T extends Partial<KubeObject> | null>(object: T): T {
  if (object?.metadata?.managedFields) delete object.metadata.managedFields;
  return object;
}
