import { type AnyKind, apiVersionOf, type Kind, type KubeObject, kind, metadataOnly } from "../api/index.ts";
import type { Transport } from "../transport/index.ts";
import { type Resource, resourceList } from "./resource-list.ts";

/** The server serves no such kind. */
export class UnknownKindError extends Error {
  override readonly name: string = "UnknownKindError";
}

/**
 * The kind with its plural and scope, asked for in its own group and version alone; a client's `resolve` asks once and
 * remembers. Throws an `UnknownKindError` where the server has no such kind.
 */
export async function resolveKind<T extends KubeObject>(
  transport: Transport,
  wanted: AnyKind<T>,
  signal?: AbortSignal,
): Promise<Kind<T>> {
  const resources = await resourceList(transport, wanted, signal);
  const found = resources?.find((resource) => resource.kind === wanted.kind);
  if (!found) throw unknown(wanted, resources);
  const { group, version } = wanted;
  const { name: plural, namespaced } = found;
  const known = kind<T>({ group, version, kind: wanted.kind, plural, namespaced });
  // the metadata view of a kind has objects of the type that was asked for
  return wanted.metadataOnly ? (metadataOnly(known) as Kind as Kind<T>) : known;
}

function unknown(wanted: AnyKind, resources: readonly Resource[] | undefined): UnknownKindError {
  const there = resources?.map((resource) => resource.kind).join(", ");
  const got = resources ? `only ${there || "an empty list"}` : "no such group and version";
  return new UnknownKindError(
    `expected the server to know ${wanted.kind} in ${apiVersionOf(wanted)}, got ${got}; ` +
      "is its CustomResourceDefinition installed?",
  );
}
