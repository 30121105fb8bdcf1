import { type AnyKind, kindName } from "../api/index.ts";
import { isForbidden, isNotFound, isUnauthorized, UnknownKindError } from "../client/index.ts";

/** A cache could not be filled in time. Its `cause` says what is missing, where that is known. It goes on being tried. */
export class SyncError extends Error {
  override readonly name: string = "SyncError";
  readonly kind: AnyKind;

  constructor(kind: AnyKind, waitedMs: number, cause: Error | undefined) {
    const got = cause ? cause.message : "no answer";
    super(`expected ${kindName(kind)} to be listed within ${Math.round(waitedMs)} ms, got ${got}`, { cause });
    this.kind = kind;
  }
}

/** What time alone does not mend: who installs a program has to. */
export function isMissing(error: Error | undefined): boolean {
  if (error instanceof UnknownKindError) return true;
  return error !== undefined && (isForbidden(error) || isUnauthorized(error) || isNotFound(error));
}
