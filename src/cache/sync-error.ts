import { type AnyKind, isDiscovered, kindName } from "../api/index.ts";
import { isForbidden, isNotFound, isUnauthorized, UnknownKindError } from "../client/index.ts";

/** A cache could not be filled in time. It says what is missing, where that is known. It goes on being tried. */
export class SyncError extends Error {
  override readonly name: string = "SyncError";
  readonly kind: AnyKind;

  constructor(kind: AnyKind, waitedMs: number, cause: Error | undefined) {
    const expected = `expected ${kindName(kind)} to be listed within ${Math.round(waitedMs)} ms`;
    super(`${expected}, got ${cause?.message ?? "no answer"}${adviceOn(cause, kind)}`, { cause });
    this.kind = kind;
  }
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
