import { type LabelSelector, selectorMatcher } from "../../api/index.ts";
import type { Job, JobSpec } from "../../api/types/batch/v1.ts";
import { type FieldError, GoStruct, invalid, notSupported, required } from "../../schema/index.ts";
import { oneOf } from "./field-choices.ts";
import { selectorErrors } from "./selector-errors.ts";
import { podTemplateErrors } from "./template-errors.ts";
import { countErrors } from "./value-errors.ts";

/** Returns the errors of a Job, including its selector. */
export function controllingJobErrors({ metadata, spec }: Job): FieldError[] {
  return [...selectionErrors(metadata, spec), ...jobErrors(spec, "spec"), ...matchErrors(spec)];
}

/** Returns the labels that the Pods of a Job get. Only they match its selector. */
export function jobLabelsOf({ name, uid }: Job["metadata"]): Record<string, string> {
  const [jobName, jobUid] = [name ?? "", uid ?? ""];
  return {
    "batch.kubernetes.io/controller-uid": jobUid,
    "batch.kubernetes.io/job-name": jobName,
    "controller-uid": jobUid,
    "job-name": jobName,
  };
}

function selectionErrors(metadata: Job["metadata"], spec: JobSpec | undefined): FieldError[] {
  if (!spec?.selector) return [required("spec.selector")];
  const invalidFields = selectorErrors(spec.selector, "spec.selector");
  return spec.manualSelector || invalidFields.length > 0
    ? invalidFields
    : generatedErrors(metadata, spec, spec.selector);
}

/** Returns the errors of a selector and of labels that the server generates, which a user may not set differently. */
function generatedErrors(
  metadata: Job["metadata"],
  { template }: JobSpec,
  selector: LabelSelector,
): FieldError[] {
  const expected = jobLabelsOf(metadata);
  const labels = template.metadata?.labels ?? {};
  const different = labelOrder.filter((key) => labels[key] !== expected[key]);
  const message = "`selector` not auto-generated";
  return [
    ...different.map((key) =>
      invalid(`spec.template.metadata.labels[${key}]`, labels, `must be '${expected[key]}'`),
    ),
    ...(selectorMatcher(selector).matches(expected)
      ? []
      : [invalid("spec.selector", new GoStruct(withSortedLabels(selector)), message)]),
  ];
}

/** The order of the errors. */
const labelOrder = [
  "controller-uid",
  "job-name",
  "batch.kubernetes.io/controller-uid",
  "batch.kubernetes.io/job-name",
];

function withSortedLabels(selector: LabelSelector): LabelSelector {
  return { ...selector, matchLabels: sortedByKey(selector.matchLabels ?? {}) };
}

/** Returns labels in the order of responses. */
export function sortedByKey(labels: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function matchErrors(spec: JobSpec | undefined): FieldError[] {
  const labels = spec?.template?.metadata?.labels;
  if (spec?.selector && selectorMatcher(spec.selector).matches(labels)) return [];
  const detail = "`selector` does not match template `labels`";
  return [invalid("spec.template.metadata.labels", labels ?? null, detail)];
}

const replacementPolicies = ["Failed", "TerminatingOrFailed"];
const completionModes = ["NonIndexed", "Indexed"];

/** Returns the errors in the spec of a Job or of a Job template. */
export function jobErrors(spec: JobSpec | undefined, field: string): FieldError[] {
  const { completionMode, podReplacementPolicy } = spec ?? {};
  return [
    ...counts.flatMap((name) => countErrors(spec?.[name], `${field}.${name}`)),
    ...(completionMode === undefined || completionModes.includes(completionMode)
      ? []
      : [notSupported(`${field}.completionMode`, completionMode, completionModes)]),
    ...(podReplacementPolicy
      ? oneOf(podReplacementPolicy, replacementPolicies, `${field}.podReplacementPolicy`)
      : []),
    ...podTemplateErrors(spec?.template, `${field}.template`),
    ...restartErrors(spec?.template?.spec?.restartPolicy, `${field}.template.spec.restartPolicy`),
  ];
}

const counts = [
  "parallelism",
  "completions",
  "activeDeadlineSeconds",
  "backoffLimit",
  "ttlSecondsAfterFinished",
  "backoffLimitPerIndex",
  "maxFailedIndexes",
] as const;

function restartErrors(policy: string | undefined, field: string): FieldError[] {
  return policy === "Always" || policy === undefined
    ? [required(field, 'valid values: "OnFailure", "Never"')]
    : [];
}

/** Returns the errors in the status of a Job. Its counters cannot decrease. */
export function jobStatusErrors({ status = {} }: Job, { status: before = {} }: Job): FieldError[] {
  const names = ["active", "succeeded", "failed"] as const;
  return [
    ...names.flatMap((name) => countErrors(status[name], `status.${name}`)),
    ...(["succeeded", "failed"] as const)
      .filter((name) => (status[name] ?? 0) < (before[name] ?? 0))
      .map((name) => invalid(`status.${name}`, status[name] ?? 0, `cannot decrease the ${name} counter`)),
  ];
}
