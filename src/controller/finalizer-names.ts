import { labelKeyFault } from "../api/index.ts";

export interface FinalizerNames {
  readonly finalizer: string;
  readonly formerFinalizers?: readonly string[] | undefined;
}

/**
 * Throws if the finalizer is not a qualified name with a domain, or if a former finalizer is the same. API servers
 * accept other names only for their own finalizers.
 */
export function checkFinalizers(
  controller: string,
  { finalizer, formerFinalizers = [] }: FinalizerNames,
): void {
  const of = `of controller ${JSON.stringify(controller)}`;
  if (!isQualified(finalizer)) {
    throw new TypeError(
      `expected finalizer ${of} to be a domain, "/" and a name, like "example.dev/websites", got ${JSON.stringify(finalizer)}`,
    );
  }
  for (const former of formerFinalizers) {
    if (typeof former === "string" && former !== "" && former !== finalizer) continue;
    throw new TypeError(
      `expected formerFinalizers ${of} to be other names than finalizer ${JSON.stringify(finalizer)}, got ${JSON.stringify(former)}`,
    );
  }
}

/** Returns true for a label key with a domain: finalizers follow the rules of label keys. */
function isQualified(finalizer: unknown): finalizer is string {
  return typeof finalizer === "string" && finalizer.includes("/") && labelKeyFault(finalizer) === undefined;
}
