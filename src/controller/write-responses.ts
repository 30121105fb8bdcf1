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

/** The lists that have what a view has of what is asked for. */
export function listsOf(view: View<KubeObject>, options: ListOptions): ListOptions[] {
  const labels = [view.labels, options.labels]
    .map((each) => matcherOf(each)?.text)
    .filter(Boolean)
    .join(",");
  const selected = { ...options, labels: labels || undefined, fields: view.fields };
  if (options.namespace || !view.namespaces?.length) return [selected];
  return view.namespaces.map((namespace) => ({ ...selected, namespace }));
}

/** A write of a subresource, and what the server responded. */
export interface WrittenSubresource {
  readonly name: string;
  readonly response: unknown;
  readonly sent: Sent;
}

export function isOf(kind: AnyKind, response: unknown): response is KubeObject {
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

/** Resource version of the object that was written to, if the response has it. */
export function versionOf(answer: unknown): string | undefined {
  const { metadata } = answer as { readonly metadata?: { readonly resourceVersion?: string } };
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

export interface Written<T extends KubeObject> {
  readonly verb: WriteVerb;
  readonly kind: AnyKind<T>;
  /** Without a name where the server makes it. */
  readonly target: string | { readonly name?: string | undefined; readonly namespace?: string | undefined };
  readonly sent?: unknown;
  /** As it was known, where that was looked up. */
  readonly before?: DeepReadonly<T> | undefined;
}

/** What is to be so after it. An update says what is to be absent too, by leaving it out; a list of steps says nothing. */
export function saidBy({ verb, sent }: Pick<Written<KubeObject>, "verb" | "sent">): unknown {
  if (verb === "apply") return sent;
  return verb === "patch" && typeof sent === "object" && sent !== null && "merge" in sent
    ? sent.merge
    : undefined;
}
