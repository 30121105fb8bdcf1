import type { KubeObject } from "../../api/index.ts";
import { type WaitingSteps, waitFor } from "../../base/index.ts";
import type { Resource } from "../types/resource.ts";
import type { WriteOptions } from "../types/write-options.ts";

/**
 * Returns an object in the storage version, or `undefined` if no webhook converts it. A dry run stores nothing, but
 * converts the object there and back, as kube-apiserver does.
 */
export function* convertedForStorage(
  { converter }: Resource,
  object: KubeObject,
  { dryRun }: Pick<WriteOptions, "dryRun">,
): WaitingSteps<KubeObject | undefined> {
  if (!converter) return undefined;
  const stored = yield* waitFor(converter.toStorage(object));
  if (!dryRun || stored === object) return stored;
  const [back = object] = yield* waitFor(converter.fromStorage([stored]));
  const { resourceVersion } = object.metadata;
  return { ...back, metadata: { ...back.metadata, resourceVersion } };
}
