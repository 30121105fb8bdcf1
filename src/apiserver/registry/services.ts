import type { Service, ServiceSpec, ServiceStatus } from "../../api/types/core/v1.ts";
import { equal } from "../../schema/index.ts";
import { type KindEntry, kindEntry } from "./kind-strategy.ts";
import { allocateService } from "./service-allocation.ts";
import { serviceErrors, serviceStatusErrors, serviceUpdateErrors } from "./service-errors.ts";
import { hasClusterIP, hasNodePorts, isExternallyAccessible, needsHealthCheckPort } from "./service-type.ts";

export const services: readonly KindEntry[] = [
  kindEntry<Service>("/Service", {
    name: "dns-label",
    createOnUpdate: true,
    returnsDeleted: true,
    default({ spec, status }) {
      defaultService(spec ?? {});
      if (spec?.type === "LoadBalancer") defaultIpModes(status);
    },
    prepareUpdate({ spec = {} }, { spec: before = {} }) {
      dropUnusedFields(spec, before);
      keepOmittedFields(spec, before);
    },
    allocate: allocateService,
    validate: ({ spec = {} }) => serviceErrors(spec),
    validateUpdate: serviceUpdateErrors,
    validateStatus: serviceStatusErrors,
    warnings: ({ spec = {} }) => serviceWarnings(spec),
    fields: {
      "spec.clusterIP": ({ spec }) => spec?.clusterIP ?? "",
      "spec.type": ({ spec }) => spec?.type ?? "",
    },
    unknownField: (field) => `field label not supported: ${field}`,
  }),
];

/** Sets the default IP mode of load balancer addresses. */
function defaultIpModes(status: ServiceStatus | undefined): void {
  for (const ingress of status?.loadBalancer?.ingress ?? []) if (ingress.ip) ingress.ipMode ??= "VIP";
}

function serviceWarnings(spec: ServiceSpec): string[] {
  const { type, clusterIP, externalName, externalIPs = [], trafficDistribution } = spec;
  const conditions: ReadonlyArray<readonly [boolean, string]> = [
    [
      type === "ExternalName" && externalIPs.length > 0,
      'spec.externalIPs is ignored when spec.type is "ExternalName"',
    ],
    [
      type !== "ExternalName" && clusterIP !== "None" && externalIPs.length > 0,
      "spec.externalIPs is deprecated and may no longer be implemented in some clusters",
    ],
    [
      type !== "ExternalName" && !!externalName,
      'spec.externalName is ignored when spec.type is not "ExternalName"',
    ],
    [
      trafficDistribution === "PreferClose",
      'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"',
    ],
  ];
  const warnings = conditions.flatMap(([applies, text]) => (applies ? [text] : []));
  return clusterIP === "None" ? [...headlessWarnings(spec), ...warnings] : warnings;
}

function headlessWarnings({ loadBalancerIP, externalIPs = [], sessionAffinity }: ServiceSpec): string[] {
  const ignored: ReadonlyArray<readonly [boolean, string]> = [
    [!!loadBalancerIP, "loadBalancerIP"],
    [externalIPs.length > 0, "externalIPs"],
    [sessionAffinity === "ClientIP", "SessionAffinity"],
  ];
  return ignored.flatMap(([isSet, field]) =>
    isSet ? [`spec.${field} is ignored for headless services`] : [],
  );
}

function defaultService(spec: ServiceSpec): void {
  spec.type ??= "ClusterIP";
  spec.sessionAffinity ??= "None";
  if (spec.sessionAffinity === "None") delete spec.sessionAffinityConfig;
  if (spec.sessionAffinity === "ClientIP") {
    spec.sessionAffinityConfig ??= { clientIP: { timeoutSeconds: 10800 } };
  }
  if (hasClusterIP(spec)) spec.internalTrafficPolicy ??= "Cluster";
  if (isExternallyAccessible(spec)) spec.externalTrafficPolicy ??= "Cluster";
  if (spec.type === "LoadBalancer") spec.allocateLoadBalancerNodePorts ??= true;
  for (const port of spec.ports ?? []) {
    port.protocol ??= "TCP";
    if (port.targetPort === undefined || port.targetPort === 0 || port.targetPort === "")
      port.targetPort = port.port;
  }
}

/** Removes fields that the new type does not use if the request has not changed them. */
function dropUnusedFields(spec: ServiceSpec, before: ServiceSpec): void {
  if (hasClusterIP(before) && !hasClusterIP(spec)) dropAddress(spec, before);
  if (hasNodePorts(before) && !hasNodePorts(spec)) dropNodePorts(spec, before);
  if (isExternallyAccessible(before) && !isExternallyAccessible(spec))
    dropUnchanged(spec, before, "externalTrafficPolicy");
  if (needsHealthCheckPort(before) && !needsHealthCheckPort(spec))
    dropUnchanged(spec, before, "healthCheckNodePort");
  if (before.type !== "LoadBalancer" || spec.type === "LoadBalancer") return;
  dropUnchanged(spec, before, "allocateLoadBalancerNodePorts");
  dropUnchanged(spec, before, "loadBalancerClass");
}

function dropUnchanged(spec: ServiceSpec, before: ServiceSpec, field: keyof ServiceSpec): void {
  if (equal(spec[field], before[field])) delete spec[field];
}

function dropAddress(spec: ServiceSpec, before: ServiceSpec): void {
  const unchanged = !spec.clusterIP || spec.clusterIP === before.clusterIP;
  if (unchanged && equal(spec.clusterIPs, before.clusterIPs)) {
    delete spec.clusterIP;
    delete spec.clusterIPs;
  }
  dropUnchanged(spec, before, "ipFamilies");
  dropUnchanged(spec, before, "ipFamilyPolicy");
  delete spec.internalTrafficPolicy;
}

function dropNodePorts(spec: ServiceSpec, before: ServiceSpec): void {
  const numbers = ({ ports = [] }: ServiceSpec): unknown[] =>
    [...new Set(ports.map(({ nodePort = 0 }) => nodePort))].filter((port) => port > 0).sort();
  if (!equal(numbers(spec), numbers(before))) return;
  for (const port of spec.ports ?? []) delete port.nodePort;
}

/** Copies addresses and ports that the request omits from the old spec. */
function keepOmittedFields(spec: ServiceSpec, before: ServiceSpec): void {
  if (hasClusterIP(spec) && hasClusterIP(before)) keepAddress(spec, before);
  if (hasNodePorts(spec) && hasNodePorts(before)) keepNodePorts(spec, before);
  if (needsHealthCheckPort(spec) && needsHealthCheckPort(before))
    spec.healthCheckNodePort ||= before.healthCheckNodePort;
}

function keepAddress(spec: ServiceSpec, before: ServiceSpec): void {
  spec.clusterIP ||= before.clusterIP;
  const unchanged = spec.clusterIP === before.clusterIP;
  if (unchanged && !spec.clusterIPs?.length) spec.clusterIPs = before.clusterIPs;
  if (!unchanged && spec.clusterIP && equal(spec.clusterIPs, before.clusterIPs))
    spec.clusterIPs = [spec.clusterIP];
  spec.ipFamilyPolicy ??= before.ipFamilyPolicy;
  if (spec.ipFamilyPolicy === "SingleStack" && equal(spec.ipFamilies, before.ipFamilies))
    spec.ipFamilies = spec.ipFamilies?.slice(0, 1);
}

/** Copies omitted node ports from the old ports of the same name, unless another port uses them. */
function keepNodePorts({ ports = [] }: ServiceSpec, { ports: before = [] }: ServiceSpec): void {
  const oldPorts = new Map(before.map(({ name = "", nodePort }) => [name, nodePort]));
  const used = new Set(ports.map(({ nodePort }) => nodePort));
  for (const port of ports) {
    const old = oldPorts.get(port.name ?? "");
    if (!port.nodePort && old && !used.has(old)) port.nodePort = old;
  }
}
