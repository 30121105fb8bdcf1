import type { PodSpec } from "../../api/types/core/v1.ts";
import type { RuntimeClass } from "../../api/types/node/v1.ts";
import { equal, goJson } from "../../schema/index.ts";
import type { WriteContext } from "../types/resource.ts";

/**
 * Sets overhead and scheduling of a Pod from its runtime class. Returns why the Pod is forbidden if its own values
 * conflict.
 */
export function admitRuntime(spec: PodSpec, { stored }: Pick<WriteContext, "stored">): string | undefined {
  const { runtimeClassName: name, overhead } = spec;
  // Only runtime classes are stored under this prefix.
  const runtimeClass =
    name === undefined ? undefined : (stored(`runtimeclasses/${name}`) as RuntimeClass | undefined);
  if (name !== undefined && !runtimeClass) return `pod rejected: RuntimeClass "${name}" not found`;
  const classOverhead = runtimeClass?.overhead?.podFixed;
  if (overhead && !classOverhead)
    return "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead";
  if (overhead && !equal(overhead, classOverhead))
    return "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";
  if (classOverhead) spec.overhead = classOverhead;
  return mergeScheduling(spec, runtimeClass?.scheduling);
}

function mergeScheduling(spec: PodSpec, scheduling: RuntimeClass["scheduling"]): string | undefined {
  const { nodeSelector = {}, tolerations = [] } = scheduling ?? {};
  for (const [key, value] of Object.entries(nodeSelector)) {
    const podValue = spec.nodeSelector?.[key] ?? value;
    if (podValue !== value) {
      const classValue = `runtimeClass.scheduling.nodeSelector[${key}] = ${value}`;
      return `conflict: ${classValue}; pod.spec.nodeSelector[${key}] = ${podValue}`;
    }
  }
  if (Object.keys(nodeSelector).length > 0) spec.nodeSelector = { ...spec.nodeSelector, ...nodeSelector };
  if (tolerations.length === 0) return undefined;
  const existing = new Set((spec.tolerations ?? []).map(goJson));
  const added = tolerations.filter((toleration) => !existing.has(goJson(toleration)));
  if (added.length > 0) spec.tolerations = [...(spec.tolerations ?? []), ...added];
  return undefined;
}
