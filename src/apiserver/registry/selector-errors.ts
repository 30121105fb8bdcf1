import type { LabelSelector } from "../../api/index.ts";
import { type FieldError, forbidden, invalid, required } from "../../schema/index.ts";
import { labelErrors } from "../validation/meta-validation.ts";
import { qualifiedNameProblems } from "../validation/name-rules.ts";

/** Returns the errors in a label selector. */
export function selectorErrors(selector: LabelSelector, field: string): FieldError[] {
  return [
    ...labelErrors(selector.matchLabels ?? {}, `${field}.matchLabels`),
    ...(selector.matchExpressions ?? []).flatMap((requirement, index) =>
      requirementErrors(requirement, `${field}.matchExpressions[${index}]`),
    ),
  ];
}

type Requirement = NonNullable<LabelSelector["matchExpressions"]>[number];

function requirementErrors({ key, operator, values = [] }: Requirement, field: string): FieldError[] {
  return [
    ...operatorErrors(operator, values, field),
    ...qualifiedNameProblems(key).map((problem) => invalid(`${field}.key`, key, problem)),
  ];
}

/** Returns the errors in the number of values of an operator. */
export function operatorErrors(operator: string, values: readonly string[], field: string): FieldError[] {
  switch (operator) {
    case "In":
    case "NotIn":
      return values.length > 0
        ? []
        : [required(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
    case "Exists":
    case "DoesNotExist":
      return values.length === 0
        ? []
        : [
            forbidden(
              `${field}.values`,
              "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
            ),
          ];
    default:
      return [invalid(`${field}.operator`, operator, "not a valid selector operator")];
  }
}

/** Returns true if the selector has no requirements. */
export function isEmptySelector(selector: LabelSelector | undefined): boolean {
  const { matchLabels = {}, matchExpressions = [] } = selector ?? {};
  return Object.keys(matchLabels).length === 0 && matchExpressions.length === 0;
}
