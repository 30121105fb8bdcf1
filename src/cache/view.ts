import { type AnyKind, fieldMatcher, isDiscovered, type KubeObject, kindName } from "../api/index.ts";
import type { ListOptions } from "../client/index.ts";
import { matcherOf } from "./objects/selection.ts";

/** Selects the objects of a kind that a cache keeps, and how it keeps them. Informers with the same view are shared. */
export interface View<T extends KubeObject> {
  /**
   * Keeps the objects of these namespaces. Has no effect on cluster-scoped kinds. An empty name is refused: leave the
   * option out for all namespaces. @default the factory's, or all
   */
  readonly namespaces?: readonly string[] | undefined;
  readonly labels?: ListOptions["labels"] | undefined;
  readonly fields?: ListOptions["fields"] | undefined;
  /** Keeps `metadata.managedFields`, a third of the bytes of a busy object. @default false */
  readonly managedFields?: boolean | undefined;
  /** Objects per page of a list. @default 500 */
  readonly pageSize?: number | undefined;
  /**
   * Reduces an object before it is cached. Applied once to every version. It has to keep name, namespace and
   * resourceVersion. If it throws, the object is undecodable. Two functions are two views, even with the same source
   * text.
   */
  readonly transform?: ((object: T) => T) | undefined;
  /** Default of `HandlerOptions.resyncMs`. Informers are shared regardless of it. */
  readonly resyncMs?: number | undefined;
}

/** Returns a readable name of a kind and view: `apps/v1 Deployment in a, b with labels app=web`. */
export function viewText<T extends KubeObject>(kind: AnyKind<T>, view: View<T>): string {
  const { namespaces = [], labels, fields } = view;
  const parts = {
    in: namespaces.join(", "),
    "with labels": selectorText(labels),
    "with fields": selectorText(fields),
  };
  const present = Object.entries(parts).filter(([, text]) => text !== "");
  return [kindName(kind), ...present.flat()].join(" ");
}

/** Normalizes a view, so that equal views have equal names. */
export function normalizedView<T extends KubeObject>(kind: AnyKind<T>, view: View<T>): View<T> {
  const { namespaces = [] } = view;
  checkNamespaces(namespaces);
  const scoped = !isDiscovered(kind) || kind.namespaced;
  return { ...view, namespaces: scoped ? [...new Set(namespaces)].sort() : [] };
}

/**
 * Throws for a value that cannot name a namespace. `""`, which other clients use for all namespaces, would watch all of
 * them while the cache looks for deleted objects in a namespace of that name.
 *
 * @param option name of the option, for the message
 */
export function checkNamespaces(namespaces: readonly string[] | undefined, option = "namespaces"): void {
  for (const [index, name] of (namespaces ?? []).entries()) {
    if (namespaceName.test(name)) continue;
    const hint = name === "" ? `; leave \`${option}\` out for all namespaces` : "";
    throw new TypeError(
      `expected ${option}[${index}] to be the name of a namespace, got ${JSON.stringify(name)}${hint}`,
    );
  }
}

/** A DNS label. */
const namespaceName = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/**
 * Returns true if the view contains the object. `undefined` if its field selector names a field that the object does
 * not have, because the server may use a default (`spec.unschedulable` of a Node is `false` then) or another field (as
 * for `status.successful` of a Job).
 */
export function isInView<T extends KubeObject>(object: T, view: View<T>): boolean | undefined {
  const { namespaces = [], labels, fields } = view;
  const { namespace } = object.metadata;
  if (namespaces.length > 0 && namespace !== undefined && !namespaces.includes(namespace)) return false;
  if (matcherOf(labels)?.matches(object.metadata.labels) === false) return false;
  return fields === undefined ? true : matchesFields(object, fields);
}

function matchesFields(
  object: KubeObject,
  fields: NonNullable<View<KubeObject>["fields"]>,
): boolean | undefined {
  let known = true;
  for (const { field, operator, value } of fieldMatcher(fields).requirements) {
    const found = fieldOf(object, field);
    if (found === undefined) known = false;
    else if ((found === value) !== (operator === "=")) return false;
  }
  return known ? true : undefined;
}

/** Returns the value at a path like `status.phase` as a string, or `undefined` if it has no scalar value. */
function fieldOf(object: unknown, path: string): string | undefined {
  let value = object;
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  const isPlain = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  return isPlain ? String(value) : undefined;
}

function selectorText(selector: View<KubeObject>["labels"]): string {
  if (selector === undefined || typeof selector === "string") return selector ?? "";
  return Object.entries(selector)
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join(",");
}
