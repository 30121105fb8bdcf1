import type { NodeSelectorTerm, PodSpec } from "../../api/types/core/v1.ts";
import { labelValueFaults } from "../name-rules.ts";

/** Labels of nodes that have another name by now. `field` is where the Pod's spec stands. */
export function nodeLabelWarnings({ nodeSelector = {}, affinity }: PodSpec, field: string): string[] {
  const { nodeAffinity } = affinity ?? {};
  const required = nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const preferred = nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  const path = `${field}.affinity.nodeAffinity`;
  return [
    ...Object.keys(nodeSelector).flatMap((label) =>
      deprecation(label).map((text) => `${field}.nodeSelector[${label}]: ${text}`),
    ),
    ...required.flatMap((term, at) =>
      keyWarnings(
        term,
        `${path}.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[${at}]`,
        () => [],
      ),
    ),
    ...preferred.flatMap(({ preference }, at) =>
      keyWarnings(
        preference,
        `${path}.preferredDuringSchedulingIgnoredDuringExecution[${at}].preference`,
        labelValueFaults,
      ),
    ),
  ];
}

/** The warning about one label that is named where topology is meant. */
export function topologyKeyWarnings(key: string, field: string): string[] {
  return deprecation(key).map((text) => `${field}: ${key} is ${text}`);
}

function keyWarnings(
  { matchExpressions = [] }: NodeSelectorTerm,
  field: string,
  faultsOf: (value: string) => readonly string[],
): string[] {
  return matchExpressions.flatMap(({ key, values = [] }, at) => [
    ...topologyKeyWarnings(key, `${field}.matchExpressions[${at}].key`),
    ...values.flatMap((value, index) =>
      faultsOf(value).map(
        (fault) => `${field}.matchExpressions[${at}].values[${index}]: ${value} is invalid, ${fault}`,
      ),
    ),
  ]);
}

function deprecation(label: string): string[] {
  const [since, instead] = oldNodeLabels.get(label) ?? [];
  return since ? [`deprecated since ${since}; use "${instead}" instead`] : [];
}

const oldNodeLabels: ReadonlyMap<string, readonly [since: string, instead: string]> = new Map([
  ["beta.kubernetes.io/arch", ["v1.14", "kubernetes.io/arch"]],
  ["beta.kubernetes.io/os", ["v1.14", "kubernetes.io/os"]],
  ["failure-domain.beta.kubernetes.io/region", ["v1.17", "topology.kubernetes.io/region"]],
  ["failure-domain.beta.kubernetes.io/zone", ["v1.17", "topology.kubernetes.io/zone"]],
  ["beta.kubernetes.io/instance-type", ["v1.17", "node.kubernetes.io/instance-type"]],
]);
