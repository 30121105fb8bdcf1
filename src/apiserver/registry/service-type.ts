import type { ServiceSpec } from "../../api/types/core/v1.ts";

/** Returns true if Services of this type have node ports. */
export function hasNodePorts({ type }: ServiceSpec): boolean {
  return type === "NodePort" || type === "LoadBalancer";
}

/** Returns true if Services of this type have a cluster IP. */
export function hasClusterIP({ type }: ServiceSpec): boolean {
  return type !== "ExternalName";
}

/** Returns true if load balancers check the nodes for local Pods of the Service. */
export function needsHealthCheckPort({ type, externalTrafficPolicy }: ServiceSpec): boolean {
  return type === "LoadBalancer" && externalTrafficPolicy === "Local";
}

/** Returns true if the Service is reachable from outside the cluster. */
export function isExternallyAccessible(spec: ServiceSpec): boolean {
  return hasNodePorts(spec) || (spec.type === "ClusterIP" && (spec.externalIPs ?? []).length > 0);
}
