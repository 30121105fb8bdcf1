import { type AnyKind, isDiscovered, kindName } from "../api/index.ts";
import { isForbidden, isNotFound, isUnauthorized, UnknownKindError } from "../client/index.ts";

/** A cache could not be filled in time. It says what is missing, where that is known. It goes on being tried. */
export class SyncError extends Error {
  override readonly name: string = "SyncError";
  readonly kind: AnyKind;

  constructor(kind: AnyKind, { waitedMs, come, cause }: SyncFailure) {
    const expected = `expected ${kindName(kind)} to be listed within ${Math.round(waitedMs)} ms`;
    super(`${expected}, got ${cause?.message ?? soFar(come)}${adviceOn(cause, kind)}`, { cause });
    this.kind = kind;
  }
}

export interface SyncFailure {
  readonly waitedMs: number;
  /** How many objects have come so far. */
  readonly come: number;
  /** What went wrong last; nothing, where there was no answer, or it is still coming. */
  readonly cause: Error | undefined;
}

function soFar(come: number): string {
  if (come === 0) return "no answer";
  return `${come} object${come === 1 ? "" : "s"} so far, and not yet all; a longer syncTimeoutMs would wait for them`;
}

/** What time alone does not mend: who installs a program has to. */
export function isMissing(error: Error | undefined): boolean {
  if (error instanceof UnknownKindError) return true;
  return error !== undefined && (isForbidden(error) || isUnauthorized(error) || isNotFound(error));
}

function adviceOn(error: Error | undefined, kind: AnyKind): string {
  if (isForbidden(error)) return `; it takes a role with the rule ${ruleFor(kind)}`;
  return isNotFound(error) ? "; is its CustomResourceDefinition installed?" : "";
}

/** As it stands in a role. */
function ruleFor(kind: AnyKind): string {
  const resource = isDiscovered(kind) ? kind.plural : `${kind.kind.toLowerCase()}s`;
  return `{ apiGroups: ["${kind.group}"], resources: ["${resource}"], verbs: ["get", "list", "watch"] }`;
}
