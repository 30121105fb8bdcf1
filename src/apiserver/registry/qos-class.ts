import { compareQuantities } from "../../api/index.ts";
import type { Container, PodSpec } from "../../api/types/core/v1.ts";
import { containersOf } from "./pod-defaults.ts";

/** How early a Pod goes when its node is short of memory: the latest if all it may use is promised to it. */
export function qosClassOf(spec: PodSpec): "BestEffort" | "Burstable" | "Guaranteed" {
  const containers = containersOf(spec);
  if (containers.every(({ resources }) => !asksFor(resources?.requests) && !asksFor(resources?.limits)))
    return "BestEffort";
  return containers.every(isGuaranteed) ? "Guaranteed" : "Burstable";
}

/** Asking for nothing is not asking. */
function asksFor(amounts: Readonly<Record<string, string>> | undefined): boolean {
  return ["cpu", "memory"].some((name) => compareQuantities(amounts?.[name] ?? "0", "0") > 0);
}

function isGuaranteed({ resources }: Container): boolean {
  const { limits = {}, requests = {} } = resources ?? {};
  return ["cpu", "memory"].every((name) => {
    const [limit, request] = [limits[name], requests[name]];
    return limit !== undefined && request !== undefined && compareQuantities(limit, request) === 0;
  });
}
