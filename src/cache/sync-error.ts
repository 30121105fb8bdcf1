import { type AnyKind, isDiscovered, kindName } from "../api/index.ts";
import { isForbidden, isNotFound, isUnauthorized, UnknownKindError } from "../client/index.ts";

/**
 * A cache did not sync in time. The message names the missing permission or kind, if that is the cause. The informer
 * keeps retrying.
 */
export class SyncError extends Error {
  override readonly name: string = "SyncError";
  readonly kind: AnyKind;

  constructor(kind: AnyKind, { waitedMs, received, cause }: SyncFailure) {
    const expected = `expected ${kindName(kind)} to be listed within ${Math.round(waitedMs)} ms`;
    super(`${expected}, got ${cause?.message ?? progress(received)}${adviceOn(cause, kind)}`, { cause });
    this.kind = kind;
  }
}

export interface SyncFailure {
  readonly waitedMs: number;
  /** Number of objects received so far. */
  readonly received: number;
  /** The last failure; `undefined` if there was no response, or the list is still arriving. */
  readonly cause: Error | undefined;
}

function progress(received: number): string {
  if (received === 0) return "no response";
  return `an incomplete list of ${received} object${received === 1 ? "" : "s"}; set a longer syncTimeoutMs`;
}

/** Returns true for a missing permission or kind, which time alone does not fix. */
export function isMissing(error: Error | undefined): boolean {
  if (error instanceof UnknownKindError) return true;
  return error !== undefined && (isForbidden(error) || isUnauthorized(error) || isNotFound(error));
}

function adviceOn(error: Error | undefined, kind: AnyKind): string {
  if (isForbidden(error)) return `; grant it a role with the rule ${ruleFor(kind)}`;
  return isNotFound(error) ? "; is its CustomResourceDefinition installed?" : "";
}

/** Returns the RBAC rule as it is written in a role. */
function ruleFor(kind: AnyKind): string {
  const resource = isDiscovered(kind) ? kind.plural : `${kind.kind.toLowerCase()}s`;
  return `{ apiGroups: ["${kind.group}"], resources: ["${resource}"], verbs: ["get", "list", "watch"] }`;
}
