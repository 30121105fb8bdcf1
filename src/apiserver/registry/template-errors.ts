import type { LabelSelector } from "../../api/index.ts";
import type { PodTemplateSpec } from "../../api/types/core/v1.ts";
import { type FieldError, forbidden, GoStruct, invalid, notSupported, required } from "../../schema/index.ts";
import { annotationErrors, labelErrors } from "../meta-validation.ts";
import { wasSentEmpty } from "../sent-empty.ts";
import { podSpecErrors } from "./pod-errors.ts";
import { selectorErrors, selects, selectsNothingInParticular } from "./selector-errors.ts";

/** A kind that makes Pods of a template and finds them by a selector. */
export interface Templated {
  readonly selector?: LabelSelector | undefined;
  readonly template?: PodTemplateSpec | undefined;
}

/** Where a template's labels are: whether they were sent shows in a refusal. */
export const templateLabels: readonly string[] = ["spec.template.metadata.labels"];

/** What is wrong with the selector. `kind` is how the message calls it: `deployment`. */
export function ownSelectorErrors({ selector }: Templated, kind: string): FieldError[] {
  if (!selector) return [required("spec.selector")];
  return [
    ...selectorErrors(selector, "spec.selector"),
    ...(selectsNothingInParticular(selector)
      ? [invalid("spec.selector", new GoStruct(selector), `empty selector is invalid for ${kind}`)]
      : []),
  ];
}

/** What is wrong with a template of Pods that run forever. A selector that cannot be read is told of, and nothing else. */
export function templateErrors({ selector, template }: Templated, kind: string): FieldError[] {
  if (selector && selectorErrors(selector, "").length > 0) {
    return [invalid("spec.selector", new GoStruct(selector), "invalid label selector")];
  }
  return [...matchErrors({ selector, template }), ...runningErrors({ template }, kind)];
}

/** What is wrong with the Pods that a template makes, which run forever. */
export function runningErrors({ template }: Pick<Templated, "template">, kind: string): FieldError[] {
  return [
    ...podTemplateErrors(template, "spec.template"),
    ...restartErrors(template),
    ...deadlineErrors(template, kind),
  ];
}

/** Whether the Pods would be found by the selector. None selects nothing. */
export function matchErrors({ selector, template }: Templated): FieldError[] {
  const labels = template?.metadata?.labels;
  const none = wasSentEmpty(template?.metadata ?? {}, "labels") ? {} : null;
  if (selector && (selectsNothingInParticular(selector) || selects(selector, labels ?? {}))) return [];
  const detail = "`selector` does not match template `labels`";
  return [invalid("spec.template.metadata.labels", labels ?? none, detail)];
}

export function podTemplateErrors(template: PodTemplateSpec | undefined, field: string): FieldError[] {
  return [
    ...labelErrors(template?.metadata?.labels ?? {}, `${field}.labels`),
    ...annotationErrors(template?.metadata?.annotations ?? {}, `${field}.annotations`),
    ...podSpecErrors(template?.spec ?? { containers: [] }, `${field}.spec`),
  ];
}

/** Pods that run forever have no end to wait for. */
function deadlineErrors(template: PodTemplateSpec | undefined, kind: string): FieldError[] {
  if (template?.spec?.activeDeadlineSeconds === undefined) return [];
  const detail = `activeDeadlineSeconds in ${kind} is not Supported`;
  return [forbidden("spec.template.spec.activeDeadlineSeconds", detail)];
}

function restartErrors(template: PodTemplateSpec | undefined): FieldError[] {
  const policy = template?.spec?.restartPolicy ?? "Always";
  return policy === "Always" ? [] : [notSupported("spec.template.spec.restartPolicy", policy, ["Always"])];
}
