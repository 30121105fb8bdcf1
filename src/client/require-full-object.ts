import { type AnyKind, type KubeObject, kindName } from "../api/index.ts";

/** Throws for a metadata-only kind, for writes that send the full object. */
export function requireFullObject<T extends KubeObject>(kind: AnyKind<T>, verb: string): AnyKind<T> {
  if (!kind.metadataOnly) return kind;
  throw new TypeError(
    `expected a kind with full objects for ${verb}, got ${kindName(kind)}; use patch instead`,
  );
}
