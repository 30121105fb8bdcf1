import type { Kind, KubeObject } from "../api/index.ts";
import { Lease } from "../api/types/coordination/v1.ts";
import { Event as CoreEvent } from "../api/types/core/v1.ts";
import { Event } from "../api/types/events/v1.ts";
import type { View } from "../cache/index.ts";
import type { Controller } from "../controller/index.ts";
import type { Need } from "./need.ts";

/**
 * Returns the requirements that follow from the declaration of a controller: to watch its kinds, and to patch its
 * finalizer. The writes of its reconcile are not known.
 *
 * @param namespaces Namespaces of the manager, for views without namespaces.
 */
export function controllerNeeds(
  { name, options }: Controller,
  namespaces: readonly string[] | undefined,
): Need[] {
  const { for: primary, view, on = [], cleanup } = options;
  const watched = (kind: Kind, of: View<KubeObject> | undefined, verb: string): Need => ({
    kind,
    verbs: ["list", "watch"],
    namespaces: of?.namespaces ?? namespaces,
    why: `controller ${name} ${verb} it`,
  });
  const needs = [watched(primary, view, "is for")];
  if (cleanup) {
    const why = `controller ${name} sets a finalizer on it`;
    needs.push({ kind: primary, verbs: ["patch"], namespaces: view?.namespaces ?? namespaces, why });
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
