import type { DeepReadonly, KubeObject } from "../api/index.ts";

export type WriteVerb = "create" | "update" | "patch" | "apply" | "delete";

/** One write that a reconcile is about to send. */
export interface Write {
  readonly verb: WriteVerb;
  /** Of the object: "Deployment". */
  readonly kind: string;
  /** Of the object, as events have it. `undefined` where the server makes the name. */
  readonly key: string | undefined;
  /** The object or patch. */
  readonly sent?: unknown;
  readonly subresource?: string | undefined;
  /** The object as the cache has it, own writes included; `undefined` where nobody watches it. */
  seen(): DeepReadonly<KubeObject> | undefined;
  /** The object as the server has it, with `managedFields`. */
  ask(): Promise<KubeObject | undefined>;
}

/** Is told of the writes of one reconcile. */
export interface WriteObserver {
  /** Sends the write, once, and gives what `send` gives. What `send` throws is thrown on. */
  around<T extends KubeObject | undefined>(write: Write, send: () => Promise<T>): Promise<T>;
}
