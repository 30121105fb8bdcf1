import { expect, test } from "vitest";
import { Lease } from "../../api/types/coordination/v1.ts";
import { ConfigMap, Event as CoreEvent, Pod, Secret } from "../../api/types/core/v1.ts";
import { Event } from "../../api/types/events/v1.ts";
import type { Client } from "../../client/index.ts";
import { controller, otherCluster, owns, poll, watches } from "../../controller/index.ts";
import { controllerNeeds, electionNeeds, type WatchedNamespaces } from "./needs.ts";

const reconcile = async (): Promise<void> => {};
/** The namespaces of a manager, for views without namespaces. */
const within =
  (...namespaces: string[]): WatchedNamespaces =>
  (_, view) =>
    view?.namespaces ?? (namespaces.length > 0 ? namespaces : undefined);
const look = ["list", "watch"];

test("a controller needs to list and watch its kind and those that trigger it", () => {
  const on = [owns(Pod), watches(Secret, () => []), poll({ everyMs: 1000 })];
  expect(controllerNeeds(controller({ name: "web", for: ConfigMap, on, reconcile }), within())).toEqual([
    { kind: ConfigMap, verbs: look, namespaces: undefined, why: "controller web is for it" },
    { kind: Pod, verbs: look, namespaces: undefined, why: "controller web owns it" },
    { kind: Secret, verbs: look, namespaces: undefined, why: "controller web watches it" },
  ]);
});

test("a controller with cleanup needs to patch its kind", () => {
  const made = controller({
    name: "web",
    for: ConfigMap,
    reconcile,
    finalizer: "example.dev/web",
    cleanup: reconcile,
  });
  expect(controllerNeeds(made, within("shop"))).toEqual([
    { kind: ConfigMap, verbs: look, namespaces: ["shop"], why: "controller web is for it" },
    {
      kind: ConfigMap,
      verbs: ["patch"],
      namespaces: ["shop"],
      why: "controller web sets a finalizer on it",
    },
  ]);
});

test("namespaces of a view take precedence over the manager's", () => {
  const on = [owns(Pod, { view: { namespaces: ["other"] } })];
  const made = controller({
    name: "configmap",
    for: ConfigMap,
    view: { labels: { app: "web" } },
    on,
    reconcile,
  });
  expect(controllerNeeds(made, within("shop")).map(({ namespaces }) => namespaces)).toEqual([
    ["shop"],
    ["other"],
  ]);
});

test("an election needs its Lease in its namespace; permission for Events is optional", () => {
  expect(electionNeeds("operator", "shop")).toEqual([
    {
      kind: Lease,
      verbs: ["get", "create", "update"],
      name: "operator",
      namespaces: ["shop"],
      why: "leader election uses it",
    },
    {
      kind: Event,
      verbs: ["create", "patch"],
      namespaces: ["shop"],
      optional: true,
      fallback: CoreEvent,
      why: "leader election records events with it",
    },
  ]);
});

test("a kind watched in another cluster is needed there, and the manager's namespaces do not apply to it", () => {
  const cluster = otherCluster({ name: "remote", client: {} as Client }); // no request is sent
  const on = [watches(Pod, () => [], { cluster })];
  expect(
    controllerNeeds(controller({ name: "web", for: ConfigMap, on, reconcile }), within("shop"))[1],
  ).toEqual({
    kind: Pod,
    verbs: look,
    namespaces: undefined,
    why: "controller web watches it",
    cluster,
  });
});
