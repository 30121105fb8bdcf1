import type { NodeSelectorTerm, PodSpec } from "../../api/types/core/v1.ts";
import { labelValueProblems } from "../validation/name-rules.ts";

/** Returns the warnings for deprecated node labels in a Pod spec at the path `field`. */
export function nodeLabelWarnings({ nodeSelector = {}, affinity }: PodSpec, field: string): string[] {
  const { nodeAffinity } = affinity ?? {};
  const required = nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const preferred = nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  const path = `${field}.affinity.nodeAffinity`;
  return [
    ...Object.keys(nodeSelector).flatMap((label) =>
      deprecation(label).map((text) => `${field}.nodeSelector[${label}]: ${text}`),
    ),
    ...required.flatMap((term, index) =>
      keyWarnings(
        term,
        `${path}.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[${index}]`,
        () => [],
      ),
    ),
    ...preferred.flatMap(({ preference }, index) =>
      keyWarnings(
        preference,
        `${path}.preferredDuringSchedulingIgnoredDuringExecution[${index}].preference`,
        labelValueProblems,
      ),
    ),
  ];
}

/** Returns the warning for a deprecated label that is used as a topology key. */
export function topologyKeyWarnings(key: string, field: string): string[] {
  return deprecation(key).map((text) => `${field}: ${key} is ${text}`);
}

function keyWarnings(
  { matchExpressions = [] }: NodeSelectorTerm,
  field: string,
  problemsOf: (value: string) => readonly string[],
): string[] {
  return matchExpressions.flatMap(({ key, values = [] }, index) => [
    ...topologyKeyWarnings(key, `${field}.matchExpressions[${index}].key`),
    ...values.flatMap((value, valueIndex) =>
      problemsOf(value).map(
        (problem) =>
          `${field}.matchExpressions[${index}].values[${valueIndex}]: ${value} is invalid, ${problem}`,
      ),
    ),
  ]);
}

function deprecation(label: string): string[] {
  const [since, replacement] = deprecatedLabels.get(label) ?? [];
  return since ? [`deprecated since ${since}; use "${replacement}" instead`] : [];
}

const deprecatedLabels: ReadonlyMap<string, readonly [since: string, replacement: string]> = new Map([
  ["beta.kubernetes.io/arch", ["v1.14", "kubernetes.io/arch"]],
  ["beta.kubernetes.io/os", ["v1.14", "kubernetes.io/os"]],
  ["failure-domain.beta.kubernetes.io/region", ["v1.17", "topology.kubernetes.io/region"]],
  ["failure-domain.beta.kubernetes.io/zone", ["v1.17", "topology.kubernetes.io/zone"]],
  ["beta.kubernetes.io/instance-type", ["v1.17", "node.kubernetes.io/instance-type"]],
]);
