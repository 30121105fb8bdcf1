import type { Toleration } from "../../api/types/core/v1.ts";
import { type FieldError, invalid, notSupported } from "../../schema/index.ts";
import { labelValueProblems, qualifiedNameProblems } from "../validation/name-rules.ts";

const effects = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

/** Returns the errors in the tolerations of a Pod. */
export function tolerationErrors(tolerations: readonly Toleration[], field: string): FieldError[] {
  return tolerations.flatMap((toleration, index) => singleTolerationErrors(toleration, `${field}[${index}]`));
}

function singleTolerationErrors(toleration: Toleration, field: string): FieldError[] {
  const { key = "", effect = "", tolerationSeconds: seconds } = toleration;
  const operator: string = toleration.operator ?? "";
  const emptyKeyDetail =
    'operator must be Exists when `key` is empty, which means "match all values and all keys"';
  return [
    ...(key === "" ? [] : qualifiedNameProblems(key).map((problem) => invalid(`${field}.key`, key, problem))),
    ...(key === "" && operator !== "Exists" ? [invalid(`${field}.operator`, operator, emptyKeyDetail)] : []),
    ...(seconds !== undefined && effect !== "NoExecute"
      ? [invalid(`${field}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set")]
      : []),
    ...operatorErrors(operator, toleration.value ?? "", `${field}.operator`),
    ...(effect === "" || effects.includes(effect) ? [] : [notSupported(`${field}.effect`, effect, effects)]),
  ];
}

function operatorErrors(operator: string, value: string, field: string): FieldError[] {
  switch (operator) {
    case "":
    case "Equal": {
      const problems = labelValueProblems(value);
      return problems.length === 0 ? [] : [invalid(field, value, problems.join(";"))];
    }
    case "Exists":
      return value === "" ? [] : [invalid(field, value, "value must be empty when `operator` is 'Exists'")];
    case "Lt":
    case "Gt":
      return [notSupported(field, operator, ["Equal", "Exists", "Lt", "Gt"])];
    default:
      return [notSupported(field, operator, ["Equal", "Exists"])];
  }
}
