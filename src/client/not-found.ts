import { isNotFound } from "../transport/index.ts";

/** Whether the object was not found. The response about a path that is not served has no name in it. */
export function isObjectNotFound(error: unknown): boolean {
  return isNotFound(error) && error.details?.name !== undefined;
}

/** Whether the server serves nothing at the path of the request. */
export function isResourceNotServed(error: unknown): boolean {
  return isNotFound(error) && error.details?.name === undefined;
}
