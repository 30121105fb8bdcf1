import type { KubeObject } from "../../api/index.ts";
import type { FieldError } from "../../schema/index.ts";
import type { Strategy, WriteContext } from "../resource.ts";

/** What one kind does differently, over objects of its own type. */
export interface KindStrategy<T extends KubeObject>
  extends Omit<Strategy, keyof Typed<T> | "generation" | "graceSeconds" | "deletion" | "parts" | "admit"> {
  readonly generation?: "spec" | ((object: T, before: T) => boolean) | undefined;
  readonly graceSeconds?: ((object: T, asked: number | undefined) => number) | undefined;
  readonly deletion?: { held(object: T): boolean; mark(object: T, now: string): void } | undefined;
  readonly parts?: Readonly<Record<string, Part<T>>> | undefined;
  readonly fromStored?: ((object: KubeObject) => T) | undefined;
  readonly default?: Typed<T>["default"];
  readonly admit?: ((object: T, context: WriteContext) => string | undefined) | undefined;
  readonly prepareCreate?: Typed<T>["prepareCreate"];
  readonly prepareUpdate?: Typed<T>["prepareUpdate"];
  readonly allocate?: Typed<T>["allocate"];
  readonly prepareStatus?: Typed<T>["prepareStatus"];
  readonly validate?: Typed<T>["validate"];
  readonly validateCreate?: Typed<T>["validateCreate"];
  readonly validateUpdate?: Typed<T>["validateUpdate"];
  readonly validateStatus?: Typed<T>["validateStatus"];
  readonly warnings?: Typed<T>["warnings"];
  readonly fields?: Typed<T>["fields"];
}

interface Part<T> {
  take(object: T, before: T): T;
  readonly validate?: ((object: T, before: T) => FieldError[]) | undefined;
}

interface Typed<T> {
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
 * Names the kind (`"apps/Deployment"`) that a strategy is for. Objects of that kind are decoded by its schema before
 * a strategy sees them, though fields that the types call required may be missing: clients leave them out.
 */
export function entry<T extends KubeObject>(kind: string, strategy: KindStrategy<T>): KindEntry {
  // Sound by the key: the engine hands a kind's objects to the kind's entry alone.
  return [kind, strategy as unknown as Strategy];
}
