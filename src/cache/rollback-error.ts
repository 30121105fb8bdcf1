import { compareResourceVersions } from "../api/index.ts";

/**
 * The server contradicts what it has sent before: its storage was restored from a backup, or it is confused. Resource versions went
 * back, or one of them has two contents. Only a new, consistent list shows what the server has now.
 */
export class RollbackError extends Error {
  override readonly name: string = "RollbackError";
}

/** Whether `version` is older than `than`. Versions that are not numbers have no order. */
export function isOlder(version: string, than: string): boolean {
  try {
    return compareResourceVersions(version, than) < 0;
  } catch {
    return false; // without an order, nothing can be said to go back
  }
}
