import { type AnyKind, kindName, metadataOnly } from "../api/index.ts";

/** The kinds and namespaces of a cache that does not have the objects of a read. */
export interface CachedKinds {
  /** The namespace of the read. @default all */
  readonly namespace: string | undefined;
  /** The namespaces in which the kind is watched. Empty if it is not watched, or everywhere. */
  readonly namespaces: readonly string[];
  /** Names of all watched kinds. */
  readonly watched: readonly string[];
}

/** Returns the error of a read of objects that no view of the cache has, with what to do. */
export function notCached(kind: AnyKind, { namespace, namespaces, watched }: CachedKinds): TypeError {
  const name = kindName(kind);
  if (namespaces.length > 0) {
    return new TypeError(
      `expected a namespace that is watched for ${name} (${namespaces.join(", ")}), got ${namespace}; ` +
        "add it to `namespaces`, or read it with the client",
    );
  }
  if (!kind.metadataOnly && watched.includes(kindName(metadataOnly(kind)))) {
    return new TypeError(
      `expected a kind whose objects are cached, got ${name}, of which only the metadata is; ` +
        `read that with metadataOnly(${kind.kind}), or whole objects with the client`,
    );
  }
  return new TypeError(
    `expected a kind that a controller watches (${watched.join(", ") || "none"}), got ${name}; ` +
      "add it to `for`, `owns` or `watches`, or read it with the client",
  );
}
