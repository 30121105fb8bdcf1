import type { ListMeta } from "./object.ts";

/** The response of the server without an object: every failure, and some deletions. */
export interface Status {
  apiVersion: "v1";
  kind: "Status";
  metadata: ListMeta;
  status: "Success" | "Failure";
  message?: string | undefined;
  /** The machine-readable reason of a failure, such as `NotFound`. Empty or absent if there is no reason. */
  reason?: string | undefined;
  details?: StatusDetails | undefined;
  /** The HTTP status code. */
  code?: number | undefined;
}

export interface StatusDetails {
  name?: string | undefined;
  group?: string | undefined;
  /** A resource (plural) or a kind: the server uses both. */
  kind?: string | undefined;
  uid?: string | undefined;
  causes?: StatusCause[] | undefined;
  retryAfterSeconds?: number | undefined;
}

export interface StatusCause {
  reason?: string | undefined;
  message?: string | undefined;
  /** A path such as `spec.containers[0].image`. */
  field?: string | undefined;
}
