import type { CronJob, Job, JobSpec } from "../../api/types/batch/v1.ts";
import { equal, type FieldError, required } from "../../schema/index.ts";
import { entry, type KindEntry } from "./kind-strategy.ts";
import { defaultPodSpec } from "./pod-defaults.ts";
import { oneOf } from "./pod-errors.ts";
import { countErrors, immutableErrors, podTemplateErrors } from "./template-errors.ts";

export const batch: readonly KindEntry[] = [
  entry<Job>("batch/Job", {
    generation: "spec",
    orphansByDefault: true,
    default({ metadata, spec }) {
      defaultJob(spec ?? {});
      if (Object.keys(metadata.labels ?? {}).length === 0) {
        const labels = spec?.template?.metadata?.labels;
        if (labels) metadata.labels = labels;
      }
    },
    prepareCreate: selectByUid,
    validate: ({ spec }) => jobErrors(spec, "spec"),
    validateUpdate: ({ spec }, { spec: before }) =>
      fixed.flatMap((field) =>
        equal(spec?.[field], before?.[field]) ? [] : immutableErrors(`spec.${field}`, spec?.[field]),
      ),
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
    validate: ({ spec }) => [
      ...(spec?.schedule ? [] : [required("spec.schedule")]),
      ...oneOf(spec?.concurrencyPolicy, ["Allow", "Forbid", "Replace"], "spec.concurrencyPolicy"),
      ...countErrors(spec?.successfulJobsHistoryLimit, "spec.successfulJobsHistoryLimit"),
      ...countErrors(spec?.failedJobsHistoryLimit, "spec.failedJobsHistoryLimit"),
      ...jobErrors(spec?.jobTemplate?.spec, "spec.jobTemplate.spec"),
    ],
  }),
];

const fixed = ["completions", "selector", "template", "completionMode", "podFailurePolicy"] as const;

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
 * A Job finds its Pods by its uid, unless the user selects them. A Job that took its labels from its template shares
 * them with it, so these show in both.
 */
function selectByUid({ metadata, spec }: Job): void {
  if (!spec || spec.manualSelector) return;
  spec.template.metadata ??= {};
  spec.template.metadata.labels ??= {};
  Object.assign(spec.template.metadata.labels, {
    "batch.kubernetes.io/controller-uid": metadata.uid,
    "batch.kubernetes.io/job-name": metadata.name,
    "controller-uid": metadata.uid,
    "job-name": metadata.name,
  });
  spec.selector = { matchLabels: { "batch.kubernetes.io/controller-uid": metadata.uid } };
}

function jobErrors(spec: JobSpec | undefined, field: string): FieldError[] {
  const policy = spec?.template?.spec?.restartPolicy;
  const detail = 'valid values: "OnFailure", "Never"';
  return [
    ...countErrors(spec?.parallelism, `${field}.parallelism`),
    ...countErrors(spec?.completions, `${field}.completions`),
    ...countErrors(spec?.backoffLimit, `${field}.backoffLimit`),
    ...podTemplateErrors(spec?.template, `${field}.template`),
    ...(policy === "Always" ? [required(`${field}.template.spec.restartPolicy`, detail)] : []),
  ];
}
