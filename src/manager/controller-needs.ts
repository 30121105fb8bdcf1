import type { Kind, KubeObject } from "../api/index.ts";
import { Lease } from "../api/types/coordination/v1.ts";
import type { View } from "../cache/index.ts";
import type { Controller } from "../controller/index.ts";
import type { Need } from "./need.ts";

/**
 * What a controller cannot do without: watching its kinds, and its finalizer. What its reconcile writes, nobody knows
 * beforehand.
 *
 * @param namespaces those of the manager, for views that name none
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
    const why = `controller ${name} keeps a finalizer on it`;
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

/** What an election on a Lease of that namespace needs. */
export function electionNeed(namespace: string): Need {
  const verbs = ["get", "create", "update"];
  return { kind: Lease, verbs, namespaces: [namespace], why: "leader election is by it" };
}
