import { type AnyKind, isDiscovered, type KubeObject, kindName } from "../api/index.ts";
import type { ListOptions } from "../client/index.ts";
import { matcherOf } from "./store.ts";

/** Which objects of a kind are kept, and how. Informers are shared by those who say the same. */
export interface View<T extends KubeObject> {
  /**
   * Keeps the objects of these namespaces. Has no effect on cluster-scoped kinds. An empty name is refused: leave the
   * option out for all namespaces. @default the factory's, or all
   */
  readonly namespaces?: readonly string[] | undefined;
  readonly labels?: ListOptions["labels"] | undefined;
  readonly fields?: ListOptions["fields"] | undefined;
  /** With `metadata.managedFields`, a third of the bytes of a busy object. @default false */
  readonly managedFields?: boolean | undefined;
  /** Objects asked for at a time. @default 500 */
  readonly pageSize?: number | undefined;
  /**
   * What is kept of an object: applied once, to every version of it. It has to keep name, namespace and resourceVersion.
   * An object for which it throws is set aside. Two functions are two views, though they read alike.
   */
  readonly transform?: ((object: T) => T) | undefined;
  /** How often handlers are told of everything again, where they do not say. Not part of what is shared. */
  readonly resyncMs?: number | undefined;
}

/** A kind and view as people read it: `apps/v1 Deployment in a, b with labels app=web`. */
export function viewText<T extends KubeObject>(kind: AnyKind<T>, view: View<T>): string {
  const { namespaces = [], labels, fields } = view;
  const parts = {
    in: namespaces.join(", "),
    "with labels": selectorText(labels),
    "with fields": selectorText(fields),
  };
  const said = Object.entries(parts).filter(([, text]) => text !== "");
  return [kindName(kind), ...said.flat()].join(" ");
}

/** The view with each thing said in one way. */
export function settledView<T extends KubeObject>(kind: AnyKind<T>, view: View<T>): View<T> {
  const { namespaces = [] } = view;
  checkNamespaces(namespaces);
  const scoped = !isDiscovered(kind) || kind.namespaced;
  return { ...view, namespaces: scoped ? [...new Set(namespaces)].sort() : [] };
}

/**
 * Throws for a value that cannot name a namespace. `""`, which other clients use for all namespaces, would watch all of
 * them while the cache looks for deleted objects in a namespace of that name.
 *
 * @param option where the names were given, for the message
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

/** Whether an object would be asked for, as far as that can be told here: what field selectors choose cannot. */
export function isInView<T extends KubeObject>(
  { metadata }: T,
  { namespaces = [], labels }: View<T>,
): boolean {
  const { namespace } = metadata;
  if (namespaces.length > 0 && namespace !== undefined && !namespaces.includes(namespace)) return false;
  return matcherOf(labels)?.matches(metadata.labels) ?? true;
}

function selectorText(selector: View<KubeObject>["labels"]): string {
  if (selector === undefined || typeof selector === "string") return selector ?? "";
  return Object.entries(selector)
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join(",");
}
