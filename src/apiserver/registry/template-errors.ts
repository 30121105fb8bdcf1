import { type LabelSelector, selectorMatcher } from "../../api/index.ts";
import type { PodTemplateSpec } from "../../api/types/core/v1.ts";
import { type FieldError, forbidden, GoStruct, invalid, notSupported, required } from "../../schema/index.ts";
import { wasSentEmpty } from "../codec/sent-empty.ts";
import { annotationErrors, labelErrors } from "../validation/meta-validation.ts";
import { podSpecErrors } from "./pod-errors.ts";
import { isEmptySelector, selectorErrors } from "./selector-errors.ts";

/** A spec with a Pod template and a selector. */
export interface TemplateSpec {
  readonly selector?: LabelSelector | undefined;
  readonly template?: PodTemplateSpec | undefined;
}

/** The path of the template labels. Messages distinguish empty labels from missing ones. */
export const templateLabels: readonly string[] = ["spec.template.metadata.labels"];

/** Returns the errors in the selector. `kind` is the kind in messages: `deployment`. */
export function requiredSelectorErrors({ selector }: TemplateSpec, kind: string): FieldError[] {
  if (!selector) return [required("spec.selector")];
  return [
    ...selectorErrors(selector, "spec.selector"),
    ...(isEmptySelector(selector)
      ? [invalid("spec.selector", new GoStruct(selector), `empty selector is invalid for ${kind}`)]
      : []),
  ];
}

/**
 * Returns the errors in a template of Pods with restartPolicy Always. If the selector is invalid, that is the only
 * error.
 */
export function templateErrors({ selector, template }: TemplateSpec, kind: string): FieldError[] {
  if (selector && selectorErrors(selector, "").length > 0) {
    return [invalid("spec.selector", new GoStruct(selector), "invalid label selector")];
  }
  return [...matchErrors({ selector, template }), ...alwaysRestartedErrors({ template }, kind)];
}

/** Returns the errors in the Pod spec of a template whose Pods always restart. */
export function alwaysRestartedErrors(
  { template }: Pick<TemplateSpec, "template">,
  kind: string,
): FieldError[] {
  return [
    ...podTemplateErrors(template, "spec.template"),
    ...restartErrors(template),
    ...deadlineErrors(template, kind),
  ];
}

/** Returns an error unless the selector matches the labels of the template. */
export function matchErrors({ selector, template }: TemplateSpec): FieldError[] {
  const labels = template?.metadata?.labels;
  const emptyLabels = wasSentEmpty(template?.metadata ?? {}, "labels") ? {} : null;
  if (selector && (isEmptySelector(selector) || selectorMatcher(selector).matches(labels))) return [];
  const detail = "`selector` does not match template `labels`";
  return [invalid("spec.template.metadata.labels", labels ?? emptyLabels, detail)];
}

export function podTemplateErrors(template: PodTemplateSpec | undefined, field: string): FieldError[] {
  return [
    ...labelErrors(template?.metadata?.labels ?? {}, `${field}.labels`),
    ...annotationErrors(template?.metadata?.annotations ?? {}, `${field}.annotations`),
    ...podSpecErrors(template?.spec ?? { containers: [] }, `${field}.spec`),
  ];
}

/** Returns an error if the Pods have a deadline, which Pods that always restart cannot have. */
function deadlineErrors(template: PodTemplateSpec | undefined, kind: string): FieldError[] {
  if (template?.spec?.activeDeadlineSeconds === undefined) return [];
  const detail = `activeDeadlineSeconds in ${kind} is not Supported`;
  return [forbidden("spec.template.spec.activeDeadlineSeconds", detail)];
}

function restartErrors(template: PodTemplateSpec | undefined): FieldError[] {
  const policy = template?.spec?.restartPolicy ?? "Always";
  return policy === "Always" ? [] : [notSupported("spec.template.spec.restartPolicy", policy, ["Always"])];
}
