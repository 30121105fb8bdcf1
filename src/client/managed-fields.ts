import type { KubeObject } from "../api/index.ts";

/** Takes managedFields off an object that was parsed with them. */
export function withoutManagedFields<T extends KubeObject>(object: T): T {
  if (object.metadata?.managedFields) delete object.metadata.managedFields;
  return object;
}
