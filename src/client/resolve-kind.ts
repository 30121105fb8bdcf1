import { type AnyKind, apiVersionOf, type Kind, type KubeObject, kind, metadataOnly } from "../api/index.ts";
import type { Transport } from "../transport/index.ts";
import { type Resource, resourceList } from "./discovery.ts";

/** Thrown if the server does not serve the kind. */
export class UnknownKindError extends Error {
  override readonly name: string = "UnknownKindError";
}

/**
 * Returns the kind with its plural and scope, from the discovery of its group and version. `resolve` of a client caches
 * the result. Throws an `UnknownKindError` if the server does not serve the kind.
 */
export async function resolveKind<T extends KubeObject>(
  transport: Transport,
  wanted: AnyKind<T>,
  signal?: AbortSignal,
): Promise<Kind<T>> {
  const resources = await resourceList(transport, wanted, signal);
  const found = resources?.find((resource) => resource.kind === wanted.kind);
  if (!found) throw unknownKindError(wanted, resources);
  const { group, version } = wanted;
  const { name: plural, namespaced } = found;
  const known = kind<T>({ group, version, kind: wanted.kind, plural, namespaced });
  // the objects of a metadata-only kind have the requested type
  return wanted.metadataOnly ? (metadataOnly(known) as Kind as Kind<T>) : known;
}

function unknownKindError(wanted: AnyKind, resources: readonly Resource[] | undefined): UnknownKindError {
  const kinds = resources?.map((resource) => resource.kind).join(", ");
  const got = resources ? `only ${kinds || "an empty list"}` : "no such group and version";
  return new UnknownKindError(
    `expected the server to serve ${wanted.kind} in ${apiVersionOf(wanted)}, got ${got}; ` +
      "is its CustomResourceDefinition installed?",
  );
}
