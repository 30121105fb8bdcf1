import type { CronJob, CronJobSpec, Job, JobSpec } from "../../api/types/batch/v1.ts";
import type { PodTemplateSpec } from "../../api/types/core/v1.ts";
import type { FieldError } from "../../schema/index.ts";
import { equal, GoStruct, invalid } from "../../schema/index.ts";
import { wasDefaulted } from "../codec/sent-empty.ts";
import { scheduleError } from "./cron-schedule.ts";
import { oneOf } from "./field-choices.ts";
import { internalForm } from "./internal-form.ts";
import { controllingJobErrors, jobErrors, jobLabelsOf, jobStatusErrors, sortedByKey } from "./job-errors.ts";
import { type KindEntry, kindEntry } from "./kind-strategy.ts";
import { defaultPodSpec } from "./pod-defaults.ts";
import { namedTemplateWarnings, nameWarnings, podWarnings } from "./pod-warnings.ts";
import { countErrors, immutableErrors, requiredErrors } from "./value-errors.ts";

export const batch: readonly KindEntry[] = [
  kindEntry<Job>("batch/Job", {
    generation: "spec",
    orphansByDefault: true,
    orphanWarning:
      "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them " +
      "or set propagationPolicy=Orphan to suppress this warning",
    default({ metadata, spec }) {
      defaultJob(spec ?? {});
      const labels = spec?.template?.metadata?.labels;
      if (labels && hasNoLabels(metadata)) metadata.labels = labels;
    },
    distinguishesDefault: ["metadata.labels"],
    prepareCreate: setUidSelector,
    validate: controllingJobErrors,
    validateUpdate: ({ spec }, { spec: before }) =>
      immutableFields.flatMap((field) =>
        equal(spec?.[field], before?.[field]) ? [] : immutableFieldErrors(field, spec?.[field]),
      ),
    validateStatus: jobStatusErrors,
    warnings: namedTemplateWarnings,
    fields: { "status.successful": ({ status }) => String(status?.succeeded ?? 0) },
    unknownField: (field) => `field label "${field}" not supported for Job`,
  }),
  kindEntry<CronJob>("batch/CronJob", {
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

const immutableFields = [
  "completions",
  "selector",
  "template",
  "completionMode",
  "podFailurePolicy",
] as const;

function immutableFieldErrors(field: string, value: unknown): FieldError[] {
  if (field === "template")
    return immutableErrors("spec.template", internalTemplate(value as PodTemplateSpec));
  const isStruct = typeof value === "object" && value !== null;
  return immutableErrors(`spec.${field}`, isStruct ? new GoStruct(value) : (value ?? null));
}

/** Returns a template in Go's internal form. Only its metadata has JSON tags. */
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
 * Sets the selector and the labels of the Pods to the uid of the Job, unless the user sets a manual selector. Labels of
 * the user stay, and validation refuses them. A Job without labels of its own gets all labels of its Pods.
 */
function setUidSelector({ metadata, spec }: Job): void {
  if (!spec || spec.manualSelector) return;
  const labels = spec.template.metadata?.labels ?? {};
  const inherited = hasNoLabels(metadata) || wasDefaulted(metadata, "labels");
  const jobLabels = sortedByKey({ ...jobLabelsOf(metadata), ...labels });
  spec.template.metadata = { ...spec.template.metadata, labels: jobLabels };
  if (inherited) metadata.labels = { ...jobLabels };
  const uidLabel = { "batch.kubernetes.io/controller-uid": metadata.uid };
  const matchLabels = sortedByKey({ ...uidLabel, ...spec.selector?.matchLabels });
  spec.selector = { ...spec.selector, matchLabels };
}

function hasNoLabels({ labels = {} }: Job["metadata"]): boolean {
  return Object.keys(labels).length === 0;
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
  if (schedule === "") return requiredErrors(schedule, field);
  if (/TZ=/.test(schedule)) {
    return [invalid(field, schedule, "cannot use TZ or CRON_TZ in schedule, use timeZone field instead")];
  }
  const error = scheduleError(schedule);
  return error === undefined ? [] : [invalid(field, schedule, error)];
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
  return isTimeZone(zone) ? [] : [invalid(field, zone, `unknown time zone ${zone}`)];
}

function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return true;
  } catch {
    // The platform throws for an unknown time zone.
    return false;
  }
}

/** Limits the name, because the names of its Jobs append eleven characters to it. */
function nameErrors(name: string): FieldError[] {
  return name.length > 52 ? [invalid("metadata.name", name, "must be no more than 52 characters")] : [];
}
