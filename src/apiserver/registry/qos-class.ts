import { compareQuantities } from "../../api/index.ts";
import type { Container, PodSpec } from "../../api/types/core/v1.ts";
import { containersOf } from "./pod-defaults.ts";

/** Returns the QoS class of a Pod. */
export function qosClassOf(spec: PodSpec): "BestEffort" | "Burstable" | "Guaranteed" {
  const containers = containersOf(spec);
  if (containers.every(({ resources }) => !isSet(resources?.requests) && !isSet(resources?.limits)))
    return "BestEffort";
  return containers.every(isGuaranteed) ? "Guaranteed" : "Burstable";
}

/** Returns true if CPU or memory is set and not zero. */
function isSet(amounts: Readonly<Record<string, string>> | undefined): boolean {
  return ["cpu", "memory"].some((name) => compareQuantities(amounts?.[name] ?? "0", "0") > 0);
}

function isGuaranteed({ resources }: Container): boolean {
  const { limits = {}, requests = {} } = resources ?? {};
  return ["cpu", "memory"].every((name) => {
    const [limit, request] = [limits[name], requests[name]];
    return limit !== undefined && request !== undefined && compareQuantities(limit, request) === 0;
  });
}
