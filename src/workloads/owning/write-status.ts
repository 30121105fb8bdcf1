import type { Frozen, Kind, KubeObject } from "../../api/index.ts";
import { type Client, isConflict, isNotFound, type Patch } from "../../client/index.ts";
import { statusPatch } from "./status-patch.ts";

/** An object with a status. */
export interface WithStatus extends KubeObject {
  readonly status?: object | undefined;
}

export interface StatusWrite<T extends WithStatus> {
  readonly object: Frozen<T>;
  /** The whole status. */
  readonly status: NonNullable<T["status"]>;
}

/**
 * Writes the fields of the status that differ from those of `object`, and nothing if none does. Ignores that the object
 * was deleted meanwhile, or replaced by another of the same name.
 */
export async function writeStatus<T extends WithStatus>(
  client: Client,
  kind: Kind<T>,
  { object, status }: StatusWrite<T>,
): Promise<void> {
  const patch = statusPatch(object.status, status);
  if (!patch) return;
  const { metadata } = object as Frozen<KubeObject>;
  const merge = { metadata: { uid: metadata.uid }, ...patch };
  try {
    // The compiler cannot look into the status of a type parameter.
    await client.patch(kind, metadata, { merge } as unknown as Patch<T>, { subresource: "status" });
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}
