import type { KubeObject } from "../../api/index.ts";
import type { FieldError } from "../../schema/index.ts";
import type { Strategy, WriteContext } from "../types/resource.ts";

/** A strategy for objects of one kind, typed by that kind. */
export interface KindStrategy<T extends KubeObject>
  extends Omit<
    Strategy,
    keyof TypedHooks<T> | "generation" | "graceSeconds" | "deletion" | "parts" | "admit"
  > {
  readonly generation?: "spec" | ((object: T, before: T) => boolean) | undefined;
  readonly graceSeconds?: ((object: T, requested: number | undefined) => number) | undefined;
  readonly deletion?: { held(object: T): boolean; mark(object: T, now: string): void } | undefined;
  readonly parts?: Readonly<Record<string, TypedPart<T>>> | undefined;
  readonly fromStored?: ((object: KubeObject) => T) | undefined;
  readonly default?: TypedHooks<T>["default"];
  readonly admit?: ((object: T, context: WriteContext) => string | undefined) | undefined;
  readonly prepareCreate?: TypedHooks<T>["prepareCreate"];
  readonly prepareUpdate?: TypedHooks<T>["prepareUpdate"];
  readonly allocate?: TypedHooks<T>["allocate"];
  readonly prepareStatus?: TypedHooks<T>["prepareStatus"];
  readonly validate?: TypedHooks<T>["validate"];
  readonly validateCreate?: TypedHooks<T>["validateCreate"];
  readonly validateUpdate?: TypedHooks<T>["validateUpdate"];
  readonly validateStatus?: TypedHooks<T>["validateStatus"];
  readonly warnings?: TypedHooks<T>["warnings"];
  readonly fields?: TypedHooks<T>["fields"];
}

interface TypedPart<T> {
  take(object: T, before: T): T;
  readonly validate?: ((object: T, before: T) => FieldError[]) | undefined;
}

interface TypedHooks<T> {
  readonly default?: ((object: T) => void) | undefined;
  readonly prepareCreate?: ((object: T, context: WriteContext) => void) | undefined;
  readonly prepareUpdate?: ((object: T, before: T, context: WriteContext) => void) | undefined;
  readonly allocate?: ((object: T, before: T | undefined, context: WriteContext) => FieldError[]) | undefined;
  readonly prepareStatus?: ((object: T, before: T, context: WriteContext) => void) | undefined;
  readonly validate?: ((object: T) => FieldError[]) | undefined;
  readonly validateCreate?: ((object: T) => FieldError[]) | undefined;
  readonly validateUpdate?: ((object: T, before: T) => FieldError[]) | undefined;
  readonly validateStatus?: ((object: T, before: T) => FieldError[]) | undefined;
  readonly warnings?: ((object: T, before?: T) => string[]) | undefined;
  readonly fields?: Readonly<Record<string, (object: T) => string>> | undefined;
}

/** An entry of the map from kinds to strategies. */
export type KindEntry = readonly [kind: string, strategy: Strategy];

/**
 * Returns the entry of a kind (`"apps/Deployment"`). Objects are decoded by the schema of the kind before a strategy
 * gets them, but fields that the types declare as required may be missing if a client omits them.
 */
export function kindEntry<T extends KubeObject>(kind: string, strategy: KindStrategy<T>): KindEntry {
  // The cast is safe because the engine passes only objects of the kind to its strategy.
  return [kind, strategy as unknown as Strategy];
}
