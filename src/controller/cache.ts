import type { AnyKind, DeepReadonly, KubeObject, Owner } from "../api/index.ts";
import type { Lister } from "../cache/index.ts";

/** Reads what the controllers of a manager have declared that they watch. */
export interface Cache {
  /** Throws for a kind that no controller declares. */
  of<T extends KubeObject>(kind: AnyKind<T>): Lister<T>;
  /** Objects of `kind` whose controller is `owner`, by its uid. */
  owned<T extends KubeObject>(kind: AnyKind<T>, owner: Pick<Owner, "metadata">): DeepReadonly<T>[];
}
