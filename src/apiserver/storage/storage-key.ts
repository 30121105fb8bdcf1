import type { Resource } from "../types/resource.ts";

/** Returns the key of an object in storage. */
export function storageKey({ storagePrefix }: Resource, { namespace, name }: ObjectPlace): string {
  return namespace ? `${storagePrefix}${namespace}/${name}` : `${storagePrefix}${name}`;
}

export interface ObjectPlace {
  readonly namespace?: string | undefined;
  readonly name: string;
}
