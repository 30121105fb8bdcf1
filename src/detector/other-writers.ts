import type { DeepReadonly, KubeObject } from "../api/index.ts";
import type { FieldPath } from "./field-changes.ts";
import { fieldOwners } from "./field-owners.ts";
import type { KeyHistory } from "./key-history.ts";

export interface OtherWritersOptions {
  /** Who of this manager made the version that was there. */
  readonly writer: KeyHistory | undefined;
  /** What was there, with who manages its fields where that was asked for. */
  readonly before: DeepReadonly<KubeObject>;
  /** What our write made of it. */
  readonly answer: KubeObject;
  readonly path: FieldPath;
}

/** Who had set a field that we have set back, in words. */
export function otherWriters({ writer, before, answer, path }: OtherWritersOptions): string {
  if (writer) return `controller ${JSON.stringify(writer.controller)} of this manager, for ${writer.key}`;
  const owners = fieldOwners(before, path);
  const ours = fieldOwners(answer, path);
  const others = owners.filter((manager) => !ours.includes(manager));
  if (others.length > 0) return `field manager ${named(others)}`;
  if (owners.length > 0) return `somebody else as field manager ${named(owners)}, which is also ours`;
  return "somebody who does not say";
}

function named(managers: readonly string[]): string {
  return managers.map((manager) => JSON.stringify(manager)).join(" and ");
}
