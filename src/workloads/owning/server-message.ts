import { asError } from "../../base/index.ts";
import { ApiError } from "../../client/index.ts";

/** Returns the message of a refused request as the API server wrote it, for events and conditions. */
export function serverMessage(error: unknown): string {
  return (error instanceof ApiError ? error.statusMessage : undefined) ?? asError(error).message;
}
