import { type AnyKind, type Kind, type KubeObject, kindName } from "../api/index.ts";
import type { View } from "../cache/index.ts";
import type { Controller, OtherCluster } from "../controller/index.ts";
import type { CachedPart } from "./cache-config.ts";

/** A kind that a controller watches, as it declares it. */
export interface WatchedKind {
  readonly kind: Kind;
  readonly view?: View<KubeObject> | undefined;
  /** @default the manager's cluster */
  readonly cluster?: OtherCluster | undefined;
}

/** Returns the kinds that a controller watches: its own, and those of its triggers. */
export function watchedKinds({ options: { for: primary, view, on = [] } }: Controller): WatchedKind[] {
  return [{ kind: primary, view }, ...on.filter((trigger) => trigger.kind !== undefined)];
}

/**
 * Returns the part of a kind that a handler of the cache receives: the watched part that has everything, or else the
 * only watched part. `otherwise`, the default of the manager, if no controller watches the kind.
 */
export function handledPart(
  kind: AnyKind,
  watched: readonly CachedPart[],
  otherwise: CachedPart,
): CachedPart {
  const parts = watched.filter((part) => kindName(part.kind) === kindName(otherwise.kind));
  const [first, ...others] = parts;
  if (!first) return otherwise;
  const complete = parts.find(({ view }) => isEverything(view, otherwise.view));
  if (complete) return complete;
  if (others.every(({ view }) => isSameView(view, first.view))) return first;
  throw new TypeError(
    `expected one view of ${kindName(kind)} for a handler of the cache, got ${parts.length}; ` +
      "pass `view` to select one",
  );
}

function isEverything({ labels, fields, namespaces }: View<KubeObject>, full: View<KubeObject>): boolean {
  const everywhere = !namespaces?.length || textOf(namespaces) === textOf(full.namespaces);
  return !labels && !fields && everywhere;
}

function isSameView(one: View<KubeObject>, other: View<KubeObject>): boolean {
  const selection = ({ namespaces, labels, fields }: View<KubeObject>): string =>
    JSON.stringify([textOf(namespaces), labels, fields]);
  return one.transform === other.transform && selection(one) === selection(other);
}

function textOf(namespaces: readonly string[] = []): string {
  return namespaces.toSorted().join(" ");
}
