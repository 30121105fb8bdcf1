import type { DeepReadonly, KubeObject } from "../api/index.ts";
import type { FieldPath } from "./field-changes.ts";
import { fieldOwners } from "./field-owners.ts";
import type { KeyHistory } from "./key-history.ts";

export interface OtherWriterOptions {
  /** The key of this manager that made the previous version, if any. */
  readonly writer: KeyHistory | undefined;
  /** The object before the write, with managed fields if it was read from the server. */
  readonly before: DeepReadonly<KubeObject>;
  /** The object after the write. */
  readonly response: KubeObject;
  readonly path: FieldPath;
}

/** Describes the writer of a field that this write has set back. */
export function otherWriter({ writer, before, response, path }: OtherWriterOptions): string {
  if (writer) return `controller ${JSON.stringify(writer.controller)} of this manager, for ${writer.key}`;
  const owners = fieldOwners(before, path);
  const ours = fieldOwners(response, path);
  const others = owners.filter((manager) => !ours.includes(manager));
  if (others.length > 0) return `field manager ${named(others)}`;
  if (owners.length > 0) return `another writer with the same field manager ${named(owners)}`;
  return "unknown, no field manager is recorded";
}

function named(managers: readonly string[]): string {
  return managers.map((manager) => JSON.stringify(manager)).join(" and ");
}
