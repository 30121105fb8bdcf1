import { compareResourceVersions } from "../../api/index.ts";

/**
 * The server contradicts what it has sent before: resource versions went back, or one version has two contents. The cause is a
 * storage that was restored from a backup, or a server bug. Only a new consistent list shows the current state.
 */
export class RollbackError extends Error {
  override readonly name: string = "RollbackError";
}

/** Returns true if `version` is older than `than`. Versions that are not numbers cannot be compared. */
export function isOlder(version: string, than: string): boolean {
  try {
    return compareResourceVersions(version, than) < 0;
  } catch {
    return false; // not comparable, so not known to be older
  }
}
