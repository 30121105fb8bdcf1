import type { ListMeta } from "./object.ts";

/** How the server answers when it has no object to give: every failure, and some deletions. */
export interface Status {
  apiVersion: "v1";
  kind: "Status";
  metadata: ListMeta;
  status: "Success" | "Failure";
  message?: string | undefined;
  /** Kubernetes' one word for the failure, like `NotFound`. Empty or absent where it has none. */
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
  /** A path like `spec.containers[0].image`. */
  field?: string | undefined;
}
