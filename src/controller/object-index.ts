import { inspect } from "node:util";
import { type AnyKind, type KubeObject, keyText, type ObjectKey } from "../api/index.ts";

/** A value under which an index finds objects. A key object and its text, `namespace/name`, are the same value. */
export type IndexValue = string | ObjectKey;

/** Finds the objects of a kind by values that a function computes from them. Made by `index`. */
export interface Index<T extends KubeObject, V extends IndexValue = IndexValue> {
  readonly kind: AnyKind<T>;
  /** Returns the values of an object of `kind`. */
  readonly values: (object: never) => Iterable<V>;
}

/** The values that can be looked up: those of the index, and texts of keys if these are keys. */
export type IndexLookup<V extends IndexValue> = V | (V extends ObjectKey ? ObjectKey | string : never);

/**
 * Describes an index of a kind. It exists in the caches once a controller lists it in `indexes`; `cache.by` reads it.
 *
 * `values` returns none, one or many values, and is called once for each version of an object. It must depend on the
 * object alone. Values are compared as text: a key needs the namespace that lookups have.
 *
 * ```ts
 * const bySecret = index(Deployment, (deployment) => secretsOf(deployment)); // keys of Secrets
 * controller({
 *   name: "reloader",
 *   for: Deployment,
 *   indexes: [bySecret],
 *   on: [watches(Secret, (secret, { cache }) => cache.by(bySecret, keyOf(secret)))],
 *   reconcile,
 * });
 * ```
 */
export function index<T extends KubeObject, const V extends IndexValue>(
  kind: AnyKind<T>,
  values: (object: T) => Iterable<V>,
): Index<T, V> {
  if (typeof values === "function") return { kind, values };
  throw new TypeError(
    `expected a function that returns the values of an object, got ${inspect(values, { depth: 0 })}; ` +
      `write index(${kind.kind}, (object) => [...])`,
  );
}

/** Returns the text of a value, which indexes compare. Throws for a value that is neither a text nor a key. */
export function indexText(value: IndexValue): string {
  if (typeof value === "string") return value;
  if (typeof (value as ObjectKey | undefined)?.name === "string") return keyText(value);
  throw new TypeError(
    `expected a string or an object key as the value of an index, got ${inspect(value, { depth: 0 })}`,
  );
}
