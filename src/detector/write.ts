import type { DeepReadonly, KubeObject } from "../api/index.ts";

export type WriteVerb = "create" | "update" | "patch" | "apply" | "delete";

/** One write that a reconcile is about to send. */
export interface Write {
  readonly verb: WriteVerb;
  /** Kind of the object: "Deployment". */
  readonly kind: string;
  /** Key of the object, as in events. `undefined` if the server generates the name. */
  readonly key: string | undefined;
  /** The object or patch sent. */
  readonly sent?: unknown;
  readonly subresource?: string | undefined;
  /** Returns the object from the cache with own writes applied, or `undefined` if it is not watched. */
  cached(): DeepReadonly<KubeObject> | undefined;
  /** Reads the object from the server, with `managedFields`. */
  fetch(): Promise<KubeObject | undefined>;
}

/** Observes the writes of one reconcile. */
export interface WriteObserver {
  /** Sends the write once and returns the result of `send`. Errors of `send` are rethrown. */
  around<T extends KubeObject | undefined>(write: Write, send: () => Promise<T>): Promise<T>;
}
