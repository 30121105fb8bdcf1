import type { Affinity, NodeSelectorTerm, PodAffinityTerm } from "../../api/types/core/v1.ts";
import { type FieldError, invalid, required } from "../../schema/index.ts";
import { qualifiedNameProblems } from "../validation/name-rules.ts";
import { operatorErrors, selectorErrors } from "./selector-errors.ts";

const requiredTerms = "requiredDuringSchedulingIgnoredDuringExecution";
const preferredTerms = "preferredDuringSchedulingIgnoredDuringExecution";

/** Returns the errors in the affinity of a Pod. */
export function affinityErrors(
  { nodeAffinity, podAffinity, podAntiAffinity }: Affinity,
  field: string,
): FieldError[] {
  return [
    ...nodeErrors(nodeAffinity, `${field}.nodeAffinity`),
    ...podErrors(podAffinity, `${field}.podAffinity`),
    ...podErrors(podAntiAffinity, `${field}.podAntiAffinity`),
  ];
}

function nodeErrors(affinity: Affinity["nodeAffinity"], field: string): FieldError[] {
  const terms = affinity?.[requiredTerms]?.nodeSelectorTerms;
  const path = `${field}.${requiredTerms}.nodeSelectorTerms`;
  return [
    ...(affinity?.[requiredTerms] && !terms?.length
      ? [required(path, "must have at least one node selector term")]
      : []),
    ...(terms ?? []).flatMap((term, index) => termErrors(term, `${path}[${index}]`)),
    ...(affinity?.[preferredTerms] ?? []).flatMap(({ weight, preference }, index) => [
      ...weightErrors(weight, `${field}.${preferredTerms}[${index}].weight`),
      ...termErrors(preference, `${field}.${preferredTerms}[${index}].preference`),
    ]),
  ];
}

function weightErrors(weight: number, field: string): FieldError[] {
  return weight >= 1 && weight <= 100 ? [] : [invalid(field, weight, "must be in the range 1-100")];
}

function termErrors({ matchExpressions = [] }: NodeSelectorTerm, field: string): FieldError[] {
  return matchExpressions.flatMap(({ key, operator, values = [] }, index) => [
    ...nodeOperatorErrors(operator, values, `${field}.matchExpressions[${index}]`),
    ...qualifiedNameProblems(key).map((problem) =>
      invalid(`${field}.matchExpressions[${index}].key`, key, problem),
    ),
  ]);
}

/** Returns the errors in an operator of a node selector. Node selectors also have `Gt` and `Lt`. */
function nodeOperatorErrors(operator: string, values: readonly string[], field: string): FieldError[] {
  if (operator !== "Gt" && operator !== "Lt") return operatorErrors(operator, values, field);
  return values.length === 1
    ? []
    : [required(`${field}.values`, "must be specified single value when `operator` is 'Lt' or 'Gt'")];
}

function podErrors(affinity: Affinity["podAffinity"], field: string): FieldError[] {
  return [
    ...(affinity?.[requiredTerms] ?? []).flatMap((term, index) =>
      podTermErrors(term, `${field}.${requiredTerms}[${index}]`),
    ),
    ...(affinity?.[preferredTerms] ?? []).flatMap(({ weight, podAffinityTerm }, index) => [
      ...weightErrors(weight, `${field}.${preferredTerms}[${index}].weight`),
      ...podTermErrors(podAffinityTerm, `${field}.${preferredTerms}[${index}].podAffinityTerm`),
    ]),
  ];
}

function podTermErrors({ labelSelector, topologyKey = "" }: PodAffinityTerm, field: string): FieldError[] {
  return [
    ...(labelSelector ? selectorErrors(labelSelector, `${field}.labelSelector`) : []),
    ...(topologyKey === "" ? [required(`${field}.topologyKey`, "can not be empty")] : []),
    ...qualifiedNameProblems(topologyKey).map((problem) =>
      invalid(`${field}.topologyKey`, topologyKey, problem),
    ),
  ];
}
