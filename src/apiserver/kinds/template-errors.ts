import type { LabelSelector } from "../../api/index.ts";
import type { PodTemplateSpec } from "../../api/types/core/v1.ts";
import { type FieldError, invalid, notSupported, required } from "../../schema/index.ts";
import { annotationErrors, labelErrors } from "../meta-validation.ts";
import { podSpecErrors } from "./pod-errors.ts";
import { selectorErrors, selects, selectsNothingInParticular } from "./selector-errors.ts";

/** A kind that makes Pods of a template and finds them by a selector. */
export interface Templated {
  readonly selector?: LabelSelector | undefined;
  readonly template?: PodTemplateSpec | undefined;
}

/** What is wrong with the selector. `kind` is how the message calls it: `deployment`. */
export function ownSelectorErrors({ selector }: Templated, kind: string): FieldError[] {
  if (!selector) return [required("spec.selector")];
  return [
    ...selectorErrors(selector, "spec.selector"),
    ...(selectsNothingInParticular(selector)
      ? [invalid("spec.selector", selector, `empty selector is invalid for ${kind}`)]
      : []),
  ];
}

/** What is wrong with a template of Pods that run forever. */
export function templateErrors({ selector, template }: Templated): FieldError[] {
  return [
    ...matchErrors(selector, template),
    ...podTemplateErrors(template, "spec.template"),
    ...restartErrors(template),
  ];
}

/** A selector that cannot be read is told of, and not compared. No selector selects nothing. */
function matchErrors(
  selector: LabelSelector | undefined,
  template: PodTemplateSpec | undefined,
): FieldError[] {
  const labels = template?.metadata?.labels;
  if (selector && selectorErrors(selector, "").length > 0) {
    return [invalid("spec.selector", selector, "invalid label selector")];
  }
  if (selector && (selectsNothingInParticular(selector) || selects(selector, labels ?? {}))) return [];
  const detail = "`selector` does not match template `labels`";
  return [invalid("spec.template.metadata.labels", labels ?? null, detail)];
}

export function podTemplateErrors(template: PodTemplateSpec | undefined, field: string): FieldError[] {
  return [
    ...labelErrors(template?.metadata?.labels ?? {}, `${field}.labels`),
    ...annotationErrors(template?.metadata?.annotations ?? {}, `${field}.annotations`),
    ...podSpecErrors(template?.spec ?? { containers: [] }, `${field}.spec`),
  ];
}

function restartErrors(template: PodTemplateSpec | undefined): FieldError[] {
  const policy = template?.spec?.restartPolicy ?? "Always";
  return policy === "Always" ? [] : [notSupported("spec.template.spec.restartPolicy", policy, ["Always"])];
}

/** The value may not be negative. */
export function countErrors(value: number | undefined, field: string): FieldError[] {
  return (value ?? 0) < 0 ? [invalid(field, value, "must be greater than or equal to 0")] : [];
}

export function immutableErrors(field: string, value: unknown): FieldError[] {
  return [invalid(field, value, "field is immutable")];
}
