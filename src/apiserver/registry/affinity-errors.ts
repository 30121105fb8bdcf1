import type { Affinity, NodeSelectorTerm, PodAffinityTerm } from "../../api/types/core/v1.ts";
import { type FieldError, invalid, required } from "../../schema/index.ts";
import { qualifiedNameFaults } from "../name-rules.ts";
import { operatorErrors, selectorErrors } from "./selector-errors.ts";

const must = "requiredDuringSchedulingIgnoredDuringExecution";
const should = "preferredDuringSchedulingIgnoredDuringExecution";

/** What is wrong with where a Pod wants to be. */
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
  const terms = affinity?.[must]?.nodeSelectorTerms;
  const path = `${field}.${must}.nodeSelectorTerms`;
  return [
    ...(affinity?.[must] && !terms?.length
      ? [required(path, "must have at least one node selector term")]
      : []),
    ...(terms ?? []).flatMap((term, at) => termErrors(term, `${path}[${at}]`)),
    ...(affinity?.[should] ?? []).flatMap(({ weight, preference }, at) => [
      ...weightErrors(weight, `${field}.${should}[${at}].weight`),
      ...termErrors(preference, `${field}.${should}[${at}].preference`),
    ]),
  ];
}

function weightErrors(weight: number, field: string): FieldError[] {
  return weight >= 1 && weight <= 100 ? [] : [invalid(field, weight, "must be in the range 1-100")];
}

function termErrors({ matchExpressions = [] }: NodeSelectorTerm, field: string): FieldError[] {
  return matchExpressions.flatMap(({ key, operator, values = [] }, at) => [
    ...nodeOperatorErrors(operator, values, `${field}.matchExpressions[${at}]`),
    ...qualifiedNameFaults(key).map((fault) => invalid(`${field}.matchExpressions[${at}].key`, key, fault)),
  ]);
}

/** Nodes can be told apart by numbers too. */
function nodeOperatorErrors(operator: string, values: readonly string[], field: string): FieldError[] {
  if (operator !== "Gt" && operator !== "Lt") return operatorErrors(operator, values, field);
  return values.length === 1
    ? []
    : [required(`${field}.values`, "must be specified single value when `operator` is 'Lt' or 'Gt'")];
}

function podErrors(affinity: Affinity["podAffinity"], field: string): FieldError[] {
  return [
    ...(affinity?.[must] ?? []).flatMap((term, at) => podTermErrors(term, `${field}.${must}[${at}]`)),
    ...(affinity?.[should] ?? []).flatMap(({ weight, podAffinityTerm }, at) => [
      ...weightErrors(weight, `${field}.${should}[${at}].weight`),
      ...podTermErrors(podAffinityTerm, `${field}.${should}[${at}].podAffinityTerm`),
    ]),
  ];
}

function podTermErrors({ labelSelector, topologyKey = "" }: PodAffinityTerm, field: string): FieldError[] {
  return [
    ...(labelSelector ? selectorErrors(labelSelector, `${field}.labelSelector`) : []),
    ...(topologyKey === "" ? [required(`${field}.topologyKey`, "can not be empty")] : []),
    ...qualifiedNameFaults(topologyKey).map((fault) => invalid(`${field}.topologyKey`, topologyKey, fault)),
  ];
}
