import { selectorMatcher } from "../../api/index.ts";
import type { Job, JobSpec } from "../../api/types/batch/v1.ts";
import { type FieldError, GoStruct, invalid, notSupported, required } from "../../schema/index.ts";
import { oneOf } from "./field-choices.ts";
import { selectorErrors } from "./selector-errors.ts";
import { podTemplateErrors } from "./template-errors.ts";
import { countErrors } from "./value-errors.ts";

/** Returns the errors of a Job, including its selector. */
export function controllingJobErrors({ metadata, spec }: Job): FieldError[] {
  return [...selectionErrors(metadata.uid ?? "", spec), ...jobErrors(spec, "spec"), ...matchErrors(spec)];
}

function selectionErrors(uid: string, spec: JobSpec | undefined): FieldError[] {
  if (!spec?.selector) return [required("spec.selector")];
  const { selector, manualSelector } = spec;
  const selectsUid = selector.matchLabels?.["batch.kubernetes.io/controller-uid"] === uid;
  const single = Object.keys(selector.matchLabels ?? {}).length === 1 && !selector.matchExpressions?.length;
  return [
    ...selectorErrors(selector, "spec.selector"),
    ...(manualSelector || (selectsUid && single)
      ? []
      : [
          invalid("spec.selector", new GoStruct(withSortedLabels(selector)), "`selector` not auto-generated"),
        ]),
  ];
}

function withSortedLabels<T extends { matchLabels?: Record<string, string> | undefined }>(selector: T): T {
  const labels = Object.entries(selector.matchLabels ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return { ...selector, matchLabels: Object.fromEntries(labels) };
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
