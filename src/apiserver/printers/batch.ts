import type { CronJob, Job } from "../../api/types/batch/v1.ts";
import { ageOf, humanDuration, parseTime } from "./age.ts";
import { capitalBoolean, containerImages, containerNames, orNone, selectorText } from "./cell-text.ts";
import { age, boolean, integer, name, type Printable, type Printers, printer, text, wide } from "./column.ts";
import { templateColumns } from "./workload-columns.ts";

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
