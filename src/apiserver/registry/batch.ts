import type { CronJob, CronJobSpec, Job, JobSpec } from "../../api/types/batch/v1.ts";
import type { PodTemplateSpec } from "../../api/types/core/v1.ts";
import type { FieldError } from "../../schema/index.ts";
import { equal, GoStruct, invalid } from "../../schema/index.ts";
import { scheduleFault } from "./cron-schedule.ts";
import { oneOf } from "./field-choices.ts";
import { internalForm } from "./internal-form.ts";
import { jobErrors, jobStatusErrors, ownJobErrors } from "./job-errors.ts";
import { entry, type KindEntry } from "./kind-strategy.ts";
import { defaultPodSpec } from "./pod-defaults.ts";
import { namedTemplateWarnings, nameWarnings, podWarnings } from "./pod-warnings.ts";
import { countErrors, immutableErrors, missing } from "./value-errors.ts";

export const batch: readonly KindEntry[] = [
  entry<Job>("batch/Job", {
    generation: "spec",
    orphansByDefault: true,
    orphanWarning:
      "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them " +
      "or set propagationPolicy=Orphan to suppress this warning",
    default({ metadata, spec }) {
      defaultJob(spec ?? {});
      if (Object.keys(metadata.labels ?? {}).length === 0) {
        const labels = spec?.template?.metadata?.labels;
        if (labels) metadata.labels = labels;
      }
    },
    prepareCreate: selectByUid,
    validate: ownJobErrors,
    validateUpdate: ({ spec }, { spec: before }) =>
      fixed.flatMap((field) =>
        equal(spec?.[field], before?.[field]) ? [] : fixedErrors(field, spec?.[field]),
      ),
    validateStatus: jobStatusErrors,
    warnings: namedTemplateWarnings,
    fields: { "status.successful": ({ status }) => String(status?.succeeded ?? 0) },
    unknownField: (field) => `field label "${field}" not supported for Job`,
  }),
  entry<CronJob>("batch/CronJob", {
    generation: "spec",
    default({ spec }) {
      if (!spec) return;
      spec.concurrencyPolicy ??= "Allow";
      spec.suspend ??= false;
      spec.successfulJobsHistoryLimit ??= 3;
      spec.failedJobsHistoryLimit ??= 1;
      const template = spec.jobTemplate?.spec?.template?.spec;
      if (template) defaultPodSpec(template);
    },
    warnings: (job, before) => [
      ...nameWarnings(job, before, "in Pod names and hostnames"),
      ...podWarnings(job.spec?.jobTemplate.spec?.template.spec, "spec.jobTemplate.spec.template.spec"),
    ],
    validate: ({ metadata, spec }) => [...cronErrors(spec), ...nameErrors(metadata.name ?? "")],
  }),
];

const fixed = ["completions", "selector", "template", "completionMode", "podFailurePolicy"] as const;

function fixedErrors(field: string, value: unknown): FieldError[] {
  if (field === "template")
    return immutableErrors("spec.template", internalTemplate(value as PodTemplateSpec));
  const isStruct = typeof value === "object" && value !== null;
  return immutableErrors(`spec.${field}`, isStruct ? new GoStruct(value) : (value ?? null));
}

/** As Go has it: metadata says how it is written as JSON, and the rest does not. */
function internalTemplate({ metadata, spec }: PodTemplateSpec): GoStruct {
  return new GoStruct({ ...metadata, Spec: internalForm("PodSpec", spec) });
}

function defaultJob(spec: Partial<JobSpec>): void {
  if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1;
  spec.parallelism ??= 1;
  spec.manualSelector ??= false;
  spec.completionMode ??= "NonIndexed";
  spec.suspend ??= false;
  spec.backoffLimit ??= spec.backoffLimitPerIndex === undefined ? 6 : 2 ** 31 - 1;
  spec.podReplacementPolicy ??= spec.podFailurePolicy ? "Failed" : "TerminatingOrFailed";
  if (spec.template?.spec) defaultPodSpec(spec.template.spec);
}

/**
 * A Job finds its Pods by its uid, unless the user selects them. A Job that has no labels of its own has those of its
 * template, which are these.
 */
function selectByUid({ metadata, spec }: Job): void {
  if (!spec || spec.manualSelector) return;
  const own = {
    "batch.kubernetes.io/controller-uid": metadata.uid,
    "batch.kubernetes.io/job-name": metadata.name,
    "controller-uid": metadata.uid,
    "job-name": metadata.name,
  };
  const labels = spec.template.metadata?.labels ?? {};
  const inherited = equal(metadata.labels ?? {}, labels);
  spec.template.metadata = { ...spec.template.metadata, labels: { ...labels, ...own } };
  if (inherited) metadata.labels = { ...labels, ...own };
  const matchLabels = { ...spec.selector?.matchLabels, "batch.kubernetes.io/controller-uid": metadata.uid };
  spec.selector = { ...spec.selector, matchLabels };
}

function cronErrors(spec: Partial<CronJobSpec> = {}): FieldError[] {
  return [
    ...scheduleErrors(spec.schedule ?? ""),
    ...countErrors(spec.startingDeadlineSeconds, "spec.startingDeadlineSeconds"),
    ...zoneErrors(spec.timeZone),
    ...oneOf(spec.concurrencyPolicy, ["Allow", "Forbid", "Replace"], "spec.concurrencyPolicy"),
    ...jobErrors(spec.jobTemplate?.spec, "spec.jobTemplate.spec"),
    ...countErrors(spec.successfulJobsHistoryLimit, "spec.successfulJobsHistoryLimit"),
    ...countErrors(spec.failedJobsHistoryLimit, "spec.failedJobsHistoryLimit"),
  ];
}

function scheduleErrors(schedule: string): FieldError[] {
  const field = "spec.schedule";
  if (schedule === "") return missing(schedule, field);
  if (/TZ=/.test(schedule)) {
    return [invalid(field, schedule, "cannot use TZ or CRON_TZ in schedule, use timeZone field instead")];
  }
  const fault = scheduleFault(schedule);
  return fault === undefined ? [] : [invalid(field, schedule, fault)];
}

function zoneErrors(zone: string | undefined): FieldError[] {
  const field = "spec.timeZone";
  if (zone === undefined) return [];
  if (zone === "") return [invalid(field, zone, "timeZone must be nil or non-empty string")];
  if (zone.toLowerCase() === "local")
    return [
      invalid(
        field,
        zone,
        "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones",
      ),
    ];
  return isZone(zone) ? [] : [invalid(field, zone, `unknown time zone ${zone}`)];
}

function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return true;
  } catch {
    // That is how the platform says that it does not know the zone.
    return false;
  }
}

/** Jobs are named after it, with a number of eleven characters behind. */
function nameErrors(name: string): FieldError[] {
  return name.length > 52 ? [invalid("metadata.name", name, "must be no more than 52 characters")] : [];
}
