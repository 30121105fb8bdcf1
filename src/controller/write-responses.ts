import {
  type AnyKind,
  apiVersionOf,
  type DeepReadonly,
  type KubeObject,
  type ObjectKey,
} from "../api/index.ts";
import { matcherOf, type View } from "../cache/index.ts";
import type { ApplyOptions, ListOptions } from "../client/index.ts";
import type { WriteVerb } from "../detector/index.ts";
import type { Sent } from "./declared-cache.ts";

/** Returns the list requests that together return the requested objects of a view: one, or one per namespace. */
export function listRequestsOf(view: View<KubeObject>, options: ListOptions): ListOptions[] {
  const labels = [view.labels, options.labels]
    .map((each) => matcherOf(each)?.text)
    .filter(Boolean)
    .join(",");
  const selected = { ...options, labels: labels || undefined, fields: view.fields };
  if (options.namespace || !view.namespaces?.length) return [selected];
  return view.namespaces.map((namespace) => ({ ...selected, namespace }));
}

/** A write of a subresource with its response. */
export interface SubresourceWrite {
  readonly name: string;
  readonly response: unknown;
  readonly sent: Sent;
}

export function isObjectOf(kind: AnyKind, response: unknown): response is KubeObject {
  const { apiVersion, kind: name } = response as Partial<KubeObject>;
  return apiVersion === apiVersionOf(kind) && name === kind.kind;
}

export function isMarkedForDeletion({ metadata }: DeepReadonly<KubeObject>): boolean {
  return metadata.deletionTimestamp !== undefined;
}

export function isBound(pod: DeepReadonly<KubeObject>): boolean {
  const { spec } = pod as { readonly spec?: { readonly nodeName?: string } };
  return Boolean(spec?.nodeName);
}

/** Returns the resource version in a response, if it has one. */
export function versionOf(response: unknown): string | undefined {
  const { metadata } = response as { readonly metadata?: { readonly resourceVersion?: string } };
  return metadata?.resourceVersion || undefined;
}

export function keyOfTarget(
  target: ObjectKey | string | { readonly metadata: ObjectKey },
): ObjectKey | string {
  return typeof target === "object" && target !== null && "metadata" in target ? target.metadata : target;
}

export function forced<O extends Pick<ApplyOptions, "force">>(options: O): O {
  return options.force === undefined ? { ...options, force: true } : options;
}

/** A write of an object. */
export interface ObjectWrite<T extends KubeObject> {
  readonly verb: WriteVerb;
  readonly kind: AnyKind<T>;
  /** Has no name if the server generates it. */
  readonly target: string | { readonly name?: string | undefined; readonly namespace?: string | undefined };
  readonly sent?: unknown;
  /** The cached object before the write, if it was read. */
  readonly before?: DeepReadonly<T> | undefined;
}

/**
 * Returns the fields that an apply or a merge patch sets. Returns `undefined` for an update, which also removes the
 * fields that it omits, and for a JSON patch.
 */
export function fieldsSetBy({ verb, sent }: Pick<ObjectWrite<KubeObject>, "verb" | "sent">): unknown {
  if (verb === "apply") return sent;
  return verb === "patch" && typeof sent === "object" && sent !== null && "merge" in sent
    ? sent.merge
    : undefined;
}
