import type { Frozen, Kind, KubeObject } from "../../api/index.ts";
import { type Client, isConflict, isNotFound } from "../../client/index.ts";
import { statusPatch } from "./status-patch.ts";

/** An object with a status. */
export interface WithStatus extends KubeObject {
  readonly status?: object | undefined;
}

/**
 * Writes the fields of the status that differ from those of `object`, and nothing if none does. Ignores that the object
 * was deleted meanwhile, or replaced by another of the same name.
 */
export async function writeStatus<T extends WithStatus>(
  client: Client,
  kind: Kind<T>,
  object: Frozen<T>,
  status: NonNullable<T["status"]>,
): Promise<void> {
  const patch = statusPatch(object.status, status);
  if (!patch) return;
  const { metadata } = object as Frozen<KubeObject>;
  try {
    const merge = { metadata: { uid: metadata.uid }, ...patch };
    await client.patch(kind, metadata, { merge }, { subresource: "status" });
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}
