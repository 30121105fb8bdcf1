import { controllerOf } from "../../api/index.ts";
import type {
  ControllerRevision,
  DaemonSet,
  Deployment,
  ReplicaSet,
  StatefulSet,
} from "../../api/types/apps/v1.ts";
import type { CronJob, Job } from "../../api/types/batch/v1.ts";
import { ageOf, humanDuration, parseTime } from "./age.ts";
import {
  type ContainerList,
  capitalBoolean,
  containerImages,
  containerNames,
  labelText,
  orNone,
  selectorText,
} from "./cell-text.ts";
import {
  age,
  boolean,
  type Column,
  integer,
  name,
  type Printable,
  type Printers,
  printer,
  text,
  wide,
} from "./column.ts";

interface Replicated {
  readonly spec?: { readonly replicas?: number | undefined } | undefined;
  readonly status?:
    | { readonly replicas?: number | undefined; readonly readyReplicas?: number | undefined }
    | undefined;
}

/** The columns of kinds that keep a number of Pods. */
export const replicaColumns: ReadonlyArray<Column<Replicated>> = [
  integer("Desired", ({ spec }) => spec?.replicas ?? 0),
  integer("Current", ({ status }) => status?.replicas ?? 0),
  integer("Ready", ({ status }) => status?.readyReplicas ?? 0),
];

interface Templated {
  readonly spec?:
    | { readonly template?: { readonly spec?: ContainerList | undefined } | undefined }
    | undefined;
}

/** The columns of wide output for kinds with a Pod template. */
export const templateColumns: ReadonlyArray<Column<Templated>> = [
  wide("Containers", ({ spec }) => containerNames(spec?.template?.spec)),
  wide("Images", ({ spec }) => containerImages(spec?.template?.spec)),
];

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

export const batch: Printers = {
  Job: printer<Job>(
    name,
    text("Status", jobStatus),
    text("Completions", completionsOf),
    text("Duration", durationOf),
    age,
    ...templateColumns,
    wide("Selector", ({ spec }) => selectorText(spec?.selector)),
  ),
  CronJob: printer<CronJob>(
    name,
    text("Schedule", ({ spec }) => spec?.schedule ?? ""),
    text("Timezone", ({ spec }) => orNone(spec?.timeZone)),
    boolean("Suspend", ({ spec }) =>
      spec?.suspend === undefined ? "<unset>" : capitalBoolean(spec.suspend),
    ),
    integer("Active", ({ status }) => (status?.active ?? []).length),
    text("Last Schedule", ({ status }, now) =>
      status?.lastScheduleTime ? ageOf(status.lastScheduleTime, now) : "<none>",
    ),
    age,
    wide("Containers", ({ spec }) => containerNames(spec?.jobTemplate?.spec?.template?.spec)),
    wide("Images", ({ spec }) => containerImages(spec?.jobTemplate?.spec?.template?.spec)),
    wide("Selector", ({ spec }) => selectorText(spec?.jobTemplate?.spec?.selector)),
  ),
};

/** Returns the first condition that is true, in this order. A deleted Job that has not finished is Terminating. */
function jobStatus({ metadata, status }: Printable<Job>): string {
  const conditions = (status?.conditions ?? []).filter((condition) => condition.status === "True");
  const isTrue = (expected: string): boolean => conditions.some(({ type }) => type === expected);
  const finished = ["Complete", "Failed"].find(isTrue);
  if (finished !== undefined) return finished;
  if (metadata.deletionTimestamp) return "Terminating";
  return ["Suspended", "FailureTarget", "SuccessCriteriaMet"].find(isTrue) ?? "Running";
}

function completionsOf({ spec, status }: Printable<Job>): string {
  const succeeded = status?.succeeded ?? 0;
  const parallel = spec?.parallelism ?? 0;
  if (spec?.completions !== undefined) return `${succeeded}/${spec.completions}`;
  return parallel > 1 ? `${succeeded}/1 of ${parallel}` : `${succeeded}/1`;
}

function durationOf({ status }: Printable<Job>, now: number): string {
  const start = parseTime(status?.startTime ?? "");
  if (start === undefined) return "";
  return humanDuration((parseTime(status?.completionTime ?? "") ?? now) - start);
}
