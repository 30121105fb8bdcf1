import { controllerOf } from "../../api/index.ts";
import type {
  ControllerRevision,
  DaemonSet,
  Deployment,
  ReplicaSet,
  StatefulSet,
} from "../../api/types/apps/v1.ts";
import { labelText, orNone, selectorText } from "./cell-text.ts";
import { age, integer, name, type Printers, printer, text, wide } from "./column.ts";
import { replicaColumns, templateColumns } from "./workload-columns.ts";

export const apps: Printers = {
  Deployment: printer<Deployment>(
    name,
    text("Ready", ({ spec, status }) => `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`),
    text("Up-to-date", ({ status }) => status?.updatedReplicas ?? 0),
    text("Available", ({ status }) => status?.availableReplicas ?? 0),
    age,
    ...templateColumns,
    wide("Selector", ({ spec }) => (spec?.selector ? selectorText(spec.selector) : "")),
  ),
  ReplicaSet: printer<ReplicaSet>(
    name,
    ...replicaColumns,
    age,
    ...templateColumns,
    wide("Selector", ({ spec }) => selectorText(spec?.selector)),
  ),
  StatefulSet: printer<StatefulSet>(
    name,
    text("Ready", ({ spec, status }) => `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`),
    age,
    ...templateColumns,
  ),
  DaemonSet: printer<DaemonSet>(
    name,
    integer("Desired", ({ status }) => status?.desiredNumberScheduled ?? 0),
    integer("Current", ({ status }) => status?.currentNumberScheduled ?? 0),
    integer("Ready", ({ status }) => status?.numberReady ?? 0),
    integer("Up-to-date", ({ status }) => status?.updatedNumberScheduled ?? 0),
    integer("Available", ({ status }) => status?.numberAvailable ?? 0),
    text("Node Selector", ({ spec }) => labelText(spec?.template?.spec?.nodeSelector)),
    age,
    ...templateColumns,
    wide("Selector", ({ spec }) => selectorText(spec?.selector)),
  ),
  ControllerRevision: printer<ControllerRevision>(
    name,
    text("Controller", (revision) => orNone(controllerName(revision))),
    text("Revision", ({ revision }) => revision ?? 0),
    age,
  ),
};

/** Returns the controller of a revision: `statefulset.apps/name`. */
function controllerName({ metadata }: Pick<ControllerRevision, "metadata">): string {
  const owner = controllerOf({ metadata });
  if (!owner) return "";
  const [group] = owner.apiVersion.split("/");
  const suffix = owner.apiVersion.includes("/") ? `.${group}` : "";
  return `${owner.kind.toLowerCase()}${suffix}/${owner.name}`;
}
