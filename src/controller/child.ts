import type { Draft, Kind, KubeObject, Owner } from "../api/index.ts";
import type { CallOptions } from "../client/index.ts";

/** An object that `context.applyOwned` applies. Made by `child`. */
export interface Child<T extends KubeObject = KubeObject> {
  readonly kind: Kind<T>;
  readonly draft: Draft<T>;
}

/** Describes an object to apply with `context.applyOwned`: its kind, and the fields that the controller sets. */
export function child<T extends KubeObject>(kind: Kind<T>, draft: Draft<NoInfer<T>>): Child<T> {
  return { kind, draft };
}

/** An object of an earlier set that the current set does not have. */
export interface PrunedChild {
  readonly kind: Kind;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly uid: string;
}

export interface ApplyOwnedOptions extends CallOptions {
  /** True to write nothing, and to return what would be deleted. @default false */
  readonly dryRun?: boolean | undefined;
}

/** The result of `context.applyOwned`. */
export interface AppliedChildren<C extends readonly Child[]> {
  /** The applied objects, in the order of the set. */
  readonly applied: { readonly [I in keyof C]: C[I] extends Child<infer T> ? T : never };
  /** The deleted objects, in the order of their deletion. They may still be terminating. */
  readonly pruned: readonly PrunedChild[];
}

/** Applies sets of owned objects. */
export interface ApplyOwned {
  <const C extends readonly Child[]>(
    owner: Owner,
    children: C,
    options?: ApplyOwnedOptions & { readonly dryRun?: false | undefined },
  ): Promise<AppliedChildren<C>>;
  (
    owner: Owner,
    children: readonly Child[],
    options: ApplyOwnedOptions,
  ): Promise<Pick<AppliedChildren<readonly Child[]>, "pruned">>;
}
