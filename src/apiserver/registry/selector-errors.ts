import { type LabelSelector, selectorMatcher } from "../../api/index.ts";
import { type FieldError, forbidden, invalid, required } from "../../schema/index.ts";
import { labelErrors } from "../meta-validation.ts";
import { qualifiedNameFaults } from "../name-rules.ts";

/** What is wrong with a label selector. */
export function selectorErrors(selector: LabelSelector, field: string): FieldError[] {
  return [
    ...labelErrors(selector.matchLabels ?? {}, `${field}.matchLabels`),
    ...(selector.matchExpressions ?? []).flatMap((requirement, at) =>
      requirementErrors(requirement, `${field}.matchExpressions[${at}]`),
    ),
  ];
}

type Requirement = NonNullable<LabelSelector["matchExpressions"]>[number];

function requirementErrors({ key, operator, values = [] }: Requirement, field: string): FieldError[] {
  return [
    ...operatorErrors(operator, values, field),
    ...qualifiedNameFaults(key).map((fault) => invalid(`${field}.key`, key, fault)),
  ];
}

/** What is wrong with how many values there are for an operator. */
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

export function selectsNothingInParticular(selector: LabelSelector | undefined): boolean {
  const { matchLabels = {}, matchExpressions = [] } = selector ?? {};
  return Object.keys(matchLabels).length === 0 && matchExpressions.length === 0;
}

export function selects(selector: LabelSelector, labels: Readonly<Record<string, string>>): boolean {
  return selectorMatcher(selector).matches(labels);
}
