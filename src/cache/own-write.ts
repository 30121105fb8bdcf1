import type { DeepReadonly, KubeObject } from "../api/index.ts";

/** What is known of a response beside its object. */
export interface Response {
  /** That the object was parsed from, if they are at hand. */
  readonly bytes?: Buffer | undefined;
  /** `rewinds` of the overlay when the request was sent. @default none since */
  readonly rewinds?: number | undefined;
}

/** An object that the server has deleted. */
export interface DeletedObject {
  readonly uid: string;
  /** The last version of it, if the server returned that. */
  readonly resourceVersion?: string | undefined;
  /** Whether it may be terminating instead: all that the server sent is a `Status`. */
  readonly uncertain?: boolean | undefined;
}

/** An own write that is not visible here yet. */
export type Pending<T extends KubeObject> =
  /** It made this version, or an earlier one. */
  | { readonly resourceVersion: string }
  /** Its version is unknown. It is visible once this returns true of the newest version. */
  | { readonly isVisible: (newest: DeepReadonly<T> | undefined) => boolean };
