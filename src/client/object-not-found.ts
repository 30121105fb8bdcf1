import { isNotFound } from "../transport/index.ts";

/** Returns true if the server serves the resource but has no such object. Only then the error's details have a name. */
export function isObjectNotFound(error: unknown): boolean {
  return isNotFound(error) && error.details?.name !== undefined;
}
