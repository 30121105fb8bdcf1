import type { AnyKind, Kind, KubeObject } from "../../api/index.ts";
import { Lease } from "../../api/types/coordination/v1.ts";
import { Event as CoreEvent } from "../../api/types/core/v1.ts";
import { Event } from "../../api/types/events/v1.ts";
import type { Clock, Logger } from "../../base/index.ts";
import type { View } from "../../cache/index.ts";
import type { Client } from "../../client/index.ts";
import type { Controller, OtherCluster } from "../../controller/index.ts";

/** A kind that must be served, and permissions for it, before a controller starts. */
export interface Need {
  readonly kind: AnyKind;
  /** Verbs that are needed: "list", "watch", "create", "update", "patch", "delete". */
  readonly verbs: readonly string[];
  /** The subresource, such as "status". @default the objects themselves */
  readonly subresource?: string | undefined;
  /** The only object that is accessed: a permission for this name is enough. @default all objects */
  readonly name?: string | undefined;
  /** Namespaces of a namespaced kind. @default all namespaces */
  readonly namespaces?: readonly string[] | undefined;
  /** The cluster. @default the manager's cluster */
  readonly cluster?: OtherCluster | undefined;
  /** True if the manager starts without it and only logs a warning. @default false */
  readonly optional?: boolean | undefined;
  /**
   * The kind that is written instead if `kind` may not be created. The need is met if the same verbs are allowed for
   * it.
   * @default none
   */
  readonly fallback?: Kind | undefined;
  /** The reason, for the message: "controller website watches it". */
  readonly why: string;
}

/** A need whose kind has a known resource name. */
export interface KnownNeed extends Need {
  readonly kind: Kind;
}

/** Dependencies of the startup checks. */
export interface PreflightContext {
  readonly client: Client;
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly clock: Clock;
  /** "fail" if missing kinds are a problem. */
  readonly missingKinds: "fail" | "wait";
}

/** Returns the namespaces of a need; empty for all namespaces and for cluster-scoped kinds. */
export function namespacesOf({ kind, namespaces = [] }: KnownNeed): readonly string[] {
  return kind.namespaced ? namespaces : [];
}

/** Returns the namespaces that are watched for a kind and view. `undefined` for all. */
export type WatchedNamespaces = (
  kind: AnyKind,
  view: View<KubeObject> | undefined,
) => readonly string[] | undefined;

/** Returns the requirement of an event handler of the cache. */
export function handlerNeed(
  kind: AnyKind,
  view: View<KubeObject> | undefined,
  namespacesOf: WatchedNamespaces,
): Need {
  const why = "a handler of the cache watches it";
  return { kind, verbs: ["list", "watch"], namespaces: namespacesOf(kind, view), why };
}

/**
 * Returns the requirements that follow from the declaration of a controller: to watch its kinds, and to patch its
 * finalizer. The writes of its reconcile are not known.
 *
 * @param namespacesOf Returns the namespaces that are watched for a kind and view.
 */
export function controllerNeeds({ name, options }: Controller, namespacesOf: WatchedNamespaces): Need[] {
  const { for: primary, view, on = [], cleanup } = options;
  const watched = (kind: Kind, of: View<KubeObject> | undefined, verb: string): Need => ({
    kind,
    verbs: ["list", "watch"],
    namespaces: namespacesOf(kind, of),
    why: `controller ${name} ${verb} it`,
  });
  const needs = [watched(primary, view, "is for")];
  if (cleanup) {
    const why = `controller ${name} sets a finalizer on it`;
    needs.push({ kind: primary, verbs: ["patch"], namespaces: namespacesOf(primary, view), why });
  }
  for (const trigger of on) {
    if (!trigger.kind) continue;
    const { kind, view: part, type, cluster } = trigger;
    needs.push(
      cluster
        ? { ...watched(kind, part, type), namespaces: part?.namespaces, cluster }
        : watched(kind, part, type),
    );
  }
  return needs;
}

/**
 * Returns the needs of an election by this Lease: the Lease, and Events of either API, which the election can do
 * without.
 */
export function electionNeeds(name: string, namespace: string): Need[] {
  const lease = ["get", "create", "update"];
  const why = "leader election uses it";
  return [
    { kind: Lease, verbs: lease, name, namespaces: [namespace], why },
    {
      kind: Event,
      verbs: ["create", "patch"],
      namespaces: [namespace],
      optional: true,
      fallback: CoreEvent,
      why: "leader election records events with it",
    },
  ];
}
