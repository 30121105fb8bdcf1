import type { DeepReadonly, KubeObject } from "../api/index.ts";

/** Details of a response besides its object. */
export interface Response {
  /** The body that the object was parsed from, if it is at hand. */
  readonly bytes?: Buffer | undefined;
  /** `rollbacks` of the overlay when the request was sent. @default the current value */
  readonly rollbacks?: number | undefined;
}

/** An object that the server has deleted. */
export interface DeletedObject {
  readonly uid: string;
  /** Its last resource version, if the server returned it. */
  readonly resourceVersion?: string | undefined;
  /** True if it may be terminating instead, because the server returned only a `Status`. */
  readonly uncertain?: boolean | undefined;
}

/** An own write that is not visible here yet. */
export type Pending<T extends KubeObject> =
  /** It created this version or an earlier one. */
  | { readonly resourceVersion: string }
  /** Its version is unknown. It is visible once this returns true for the newest version. */
  | { readonly isVisible: (newest: DeepReadonly<T> | undefined) => boolean };
