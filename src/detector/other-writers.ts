import type { KubeObject } from "../api/index.ts";
import type { FieldPath } from "./field-changes.ts";
import { fieldOwners } from "./field-owners.ts";
import type { KeyHistory } from "./key-history.ts";

export interface OtherWritersOptions {
  /** Who of this manager made the version that was there. */
  readonly writer: KeyHistory | undefined;
  /** What was there, with who manages its fields. */
  readonly owned: KubeObject | undefined;
  /** What our write made of it. */
  readonly answer: KubeObject;
  readonly path: FieldPath;
}

/** Who had set a field that we have set back, in words. */
export function otherWriters({ writer, owned, answer, path }: OtherWritersOptions): string {
  if (writer) return `controller ${JSON.stringify(writer.controller)} of this manager, for ${writer.key}`;
  const before = owned ? fieldOwners(owned, path) : [];
  const ours = fieldOwners(answer, path);
  const others = before.filter((manager) => !ours.includes(manager));
  if (others.length > 0) return `field manager ${named(others)}`;
  if (before.length > 0) return `somebody else as field manager ${named(before)}, which is also ours`;
  return "somebody who does not say";
}

function named(managers: readonly string[]): string {
  return managers.map((manager) => JSON.stringify(manager)).join(" and ");
}
