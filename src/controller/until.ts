import { inspect } from "node:util";
import type { AnyKind, Frozen, KubeObject, ObjectKey } from "../api/index.ts";

/** Decides whether an awaited object has the expected state. `undefined` means that the object does not exist. */
export type AwaitedState<T extends KubeObject> = (object: Frozen<T> | undefined) => boolean;

export interface UntilOptions {
  /** The key is queued after this time in any case. */
  readonly timeoutMs: number;
}

/** Returns what a reconcile returns to wait for an object. */
export type UntilOf = <T extends KubeObject>(
  ...wait: [
    kind: AnyKind<T>,
    key: ObjectKey | string,
    predicate: AwaitedState<NoInfer<T>>,
    options: UntilOptions,
  ]
) => { readonly requeueAfterMs: number };

/** The object that a reconcile waits for. Made by `context.until`. */
export class Until {
  readonly kind: AnyKind;
  readonly key: string;
  readonly holds: AwaitedState<KubeObject>;
  /** The timeout. */
  readonly requeueAfterMs: number;

  constructor(kind: AnyKind, key: string, { holds, timeoutMs }: UntilSetup) {
    if (!(timeoutMs > 0 && Number.isFinite(timeoutMs))) {
      throw new RangeError(`expected timeoutMs of until to be a number above 0, got ${inspect(timeoutMs)}`);
    }
    this.kind = kind;
    this.key = key;
    this.holds = holds;
    this.requeueAfterMs = timeoutMs;
  }
}

interface UntilSetup extends UntilOptions {
  readonly holds: AwaitedState<KubeObject>;
}
