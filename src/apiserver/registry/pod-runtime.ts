import type { PodSpec } from "../../api/types/core/v1.ts";
import type { RuntimeClass } from "../../api/types/node/v1.ts";
import { equal, goJson } from "../../schema/index.ts";
import type { WriteContext } from "../resource.ts";

/** Gives a Pod what its class of runtime costs and where that runs. Why that is forbidden: it says otherwise. */
export function admitRuntime(spec: PodSpec, { stored }: Pick<WriteContext, "stored">): string | undefined {
  const { runtimeClassName: name, overhead } = spec;
  // Nothing but runtime classes is stored there.
  const found =
    name === undefined ? undefined : (stored(`runtimeclasses/${name}`) as RuntimeClass | undefined);
  if (name !== undefined && !found) return `pod rejected: RuntimeClass "${name}" not found`;
  const fixed = found?.overhead?.podFixed;
  if (overhead && !fixed)
    return "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead";
  if (overhead && !equal(overhead, fixed))
    return "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";
  if (fixed) spec.overhead = fixed;
  return schedule(spec, found?.scheduling);
}

function schedule(spec: PodSpec, scheduling: RuntimeClass["scheduling"]): string | undefined {
  const { nodeSelector = {}, tolerations = [] } = scheduling ?? {};
  for (const [key, value] of Object.entries(nodeSelector)) {
    const own = spec.nodeSelector?.[key] ?? value;
    if (own !== value) {
      const ours = `runtimeClass.scheduling.nodeSelector[${key}] = ${value}`;
      return `conflict: ${ours}; pod.spec.nodeSelector[${key}] = ${own}`;
    }
  }
  if (Object.keys(nodeSelector).length > 0) spec.nodeSelector = { ...spec.nodeSelector, ...nodeSelector };
  if (tolerations.length === 0) return undefined;
  const own = new Set((spec.tolerations ?? []).map(goJson));
  const others = tolerations.filter((one) => !own.has(goJson(one)));
  if (others.length > 0) spec.tolerations = [...(spec.tolerations ?? []), ...others];
  return undefined;
}
