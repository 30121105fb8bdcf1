import type { ServiceSpec } from "../../api/types/core/v1.ts";

/** Whether a Service of its type is reached on every node. */
export function hasNodePorts({ type }: ServiceSpec): boolean {
  return type === "NodePort" || type === "LoadBalancer";
}

/** Whether a Service of its type is more than a name for something else. */
export function hasAddress({ type }: ServiceSpec): boolean {
  return type !== "ExternalName";
}

/** Whether the nodes are asked which of them have Pods of the Service. */
export function isChecked({ type, externalTrafficPolicy }: ServiceSpec): boolean {
  return type === "LoadBalancer" && externalTrafficPolicy === "Local";
}

/** Whether a Service is reached by addresses that are not of the cluster. */
export function isReachedFromOutside(spec: ServiceSpec): boolean {
  return hasNodePorts(spec) || (spec.type === "ClusterIP" && (spec.externalIPs ?? []).length > 0);
}
