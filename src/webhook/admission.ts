import type { UserInfo } from "../api/types/authentication/v1.ts";
import type { Logger } from "../base/index.ts";
import type { Client } from "../client/index.ts";
import type { Cache } from "../controller/index.ts";
import type { AdmissionRequest, Operation } from "./admission-review.ts";

/** The context of every handler. */
export interface AdmissionContext {
  readonly operation: Operation;
  /** The user who sent the request. */
  readonly user: UserInfo;
  /** True if nothing will be stored: the handler must not have side effects. */
  readonly dryRun: boolean;
  /** The request as the API server sent it. */
  readonly request: AdmissionRequest;
  /** Shows a warning to the user who sent the request. The API server cuts it after 256 characters. */
  warn(text: string): void;
  /** Adds an annotation to the audit log of the API server. The server puts the webhook's name before the key. */
  audit(key: string, value: string): void;
  /**
   * Reads kinds that controllers of the manager declare from their caches, and everything else from the server. It
   * writes on every replica. A write must not lead to the same webhook again, or it waits for itself.
   */
  readonly client: Client;
  /** Reads the kinds that controllers of the manager declare, without waiting. Throws until their caches have synced. */
  readonly cache: Cache;
  /** Has the fields `webhook`, `resource`, `namespace`, `name`, `user` and `requestId`. */
  readonly log: Logger;
  /** Aborted when the API server no longer waits, or the server stops. */
  readonly signal: AbortSignal;
}

/** A request to create or update an object. */
export interface Admission<T> extends AdmissionContext {
  /** The new object. */
  readonly object: T;
  /** The existing object. `undefined` on CREATE. */
  readonly previous: T | undefined;
}

/** A request to delete an object. */
export interface DeletionAdmission<T> extends AdmissionContext {
  readonly operation: "DELETE";
  /** The object that is deleted. */
  readonly previous: T;
}
