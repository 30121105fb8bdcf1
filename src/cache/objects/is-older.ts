import { compareResourceVersions } from "../../api/index.ts";

/**
 * Returns true if a resource version is older than another. Returns false if they cannot be compared, as those of some
 * aggregated API servers: objects of such a server are accepted in the order of arrival.
 */
export function isOlder(version: string, than: string): boolean {
  try {
    return compareResourceVersions(version, than) < 0;
  } catch {
    return false;
  }
}
