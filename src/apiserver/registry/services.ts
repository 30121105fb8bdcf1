import type { Service, ServiceSpec, ServiceStatus } from "../../api/types/core/v1.ts";
import { equal } from "../../schema/index.ts";
import { entry, type KindEntry } from "./kind-strategy.ts";
import { allocateService } from "./service-allocation.ts";
import { serviceChange, serviceErrors, serviceStatusErrors } from "./service-errors.ts";
import { hasAddress, hasNodePorts, isChecked, isReachedFromOutside } from "./service-type.ts";

export const services: readonly KindEntry[] = [
  entry<Service>("/Service", {
    name: "dns-label",
    createOnUpdate: true,
    returnsDeleted: true,
    default({ spec, status }) {
      defaultService(spec ?? {});
      if (spec?.type === "LoadBalancer") defaultModes(status);
    },
    prepareUpdate({ spec = {} }, { spec: before = {} }) {
      dropForType(spec, before);
      keepFromBefore(spec, before);
    },
    allocate: allocateService,
    validate: ({ spec = {} }) => serviceErrors(spec),
    validateUpdate: serviceChange,
    validateStatus: serviceStatusErrors,
    warnings: ({ spec = {} }) => serviceWarnings(spec),
    fields: {
      "spec.clusterIP": ({ spec }) => spec?.clusterIP ?? "",
      "spec.type": ({ spec }) => spec?.type ?? "",
    },
    unknownField: (field) => `field label not supported: ${field}`,
  }),
];

/** Who balances a load at an address has it for itself, unless it is said how else it is reached. */
function defaultModes(status: ServiceStatus | undefined): void {
  for (const ingress of status?.loadBalancer?.ingress ?? []) if (ingress.ip) ingress.ipMode ??= "VIP";
}

function serviceWarnings(spec: ServiceSpec): string[] {
  const { type, clusterIP, externalName, externalIPs = [], trafficDistribution } = spec;
  const odd: ReadonlyArray<readonly [boolean, string]> = [
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
  const told = odd.flatMap(([holds, text]) => (holds ? [text] : []));
  return clusterIP === "None" ? [...headlessWarnings(spec), ...told] : told;
}

function headlessWarnings({ loadBalancerIP, externalIPs = [], sessionAffinity }: ServiceSpec): string[] {
  const ignored: ReadonlyArray<readonly [boolean, string]> = [
    [!!loadBalancerIP, "loadBalancerIP"],
    [externalIPs.length > 0, "externalIPs"],
    [sessionAffinity === "ClientIP", "SessionAffinity"],
  ];
  return ignored.flatMap(([given, field]) =>
    given ? [`spec.${field} is ignored for headless services`] : [],
  );
}

function defaultService(spec: ServiceSpec): void {
  spec.type ??= "ClusterIP";
  spec.sessionAffinity ??= "None";
  if (spec.sessionAffinity === "None") delete spec.sessionAffinityConfig;
  if (spec.sessionAffinity === "ClientIP") {
    spec.sessionAffinityConfig ??= { clientIP: { timeoutSeconds: 10800 } };
  }
  if (hasAddress(spec)) spec.internalTrafficPolicy ??= "Cluster";
  if (isReachedFromOutside(spec)) spec.externalTrafficPolicy ??= "Cluster";
  if (spec.type === "LoadBalancer") spec.allocateLoadBalancerNodePorts ??= true;
  for (const port of spec.ports ?? []) {
    port.protocol ??= "TCP";
    if (port.targetPort === undefined || port.targetPort === 0 || port.targetPort === "")
      port.targetPort = port.port;
  }
}

/** What a Service of the new type has no use for goes, as long as it is what it was: nobody has asked for it. */
function dropForType(spec: ServiceSpec, before: ServiceSpec): void {
  if (hasAddress(before) && !hasAddress(spec)) dropAddress(spec, before);
  if (hasNodePorts(before) && !hasNodePorts(spec)) dropNodePorts(spec, before);
  if (isReachedFromOutside(before) && !isReachedFromOutside(spec))
    dropSame(spec, before, "externalTrafficPolicy");
  if (isChecked(before) && !isChecked(spec)) dropSame(spec, before, "healthCheckNodePort");
  if (before.type !== "LoadBalancer" || spec.type === "LoadBalancer") return;
  dropSame(spec, before, "allocateLoadBalancerNodePorts");
  dropSame(spec, before, "loadBalancerClass");
}

function dropSame(spec: ServiceSpec, before: ServiceSpec, field: keyof ServiceSpec): void {
  if (equal(spec[field], before[field])) delete spec[field];
}

function dropAddress(spec: ServiceSpec, before: ServiceSpec): void {
  const kept = !spec.clusterIP || spec.clusterIP === before.clusterIP;
  if (kept && equal(spec.clusterIPs, before.clusterIPs)) {
    delete spec.clusterIP;
    delete spec.clusterIPs;
  }
  dropSame(spec, before, "ipFamilies");
  dropSame(spec, before, "ipFamilyPolicy");
  delete spec.internalTrafficPolicy;
}

function dropNodePorts(spec: ServiceSpec, before: ServiceSpec): void {
  const numbers = ({ ports = [] }: ServiceSpec): unknown[] =>
    [...new Set(ports.map(({ nodePort = 0 }) => nodePort))].filter((port) => port > 0).sort();
  if (!equal(numbers(spec), numbers(before))) return;
  for (const port of spec.ports ?? []) delete port.nodePort;
}

/** What is left out of an address and its ports is what there was. */
function keepFromBefore(spec: ServiceSpec, before: ServiceSpec): void {
  if (hasAddress(spec) && hasAddress(before)) keepAddress(spec, before);
  if (hasNodePorts(spec) && hasNodePorts(before)) keepNodePorts(spec, before);
  if (isChecked(spec) && isChecked(before)) spec.healthCheckNodePort ||= before.healthCheckNodePort;
}

function keepAddress(spec: ServiceSpec, before: ServiceSpec): void {
  spec.clusterIP ||= before.clusterIP;
  const same = spec.clusterIP === before.clusterIP;
  if (same && !spec.clusterIPs?.length) spec.clusterIPs = before.clusterIPs;
  if (!same && spec.clusterIP && equal(spec.clusterIPs, before.clusterIPs))
    spec.clusterIPs = [spec.clusterIP];
  spec.ipFamilyPolicy ??= before.ipFamilyPolicy;
  if (spec.ipFamilyPolicy === "SingleStack" && equal(spec.ipFamilies, before.ipFamilies))
    spec.ipFamilies = spec.ipFamilies?.slice(0, 1);
}

/** Ports are told apart by their names. One that is in use again is not given twice. */
function keepNodePorts({ ports = [] }: ServiceSpec, { ports: before = [] }: ServiceSpec): void {
  const named = new Map(before.map(({ name = "", nodePort }) => [name, nodePort]));
  const used = new Set(ports.map(({ nodePort }) => nodePort));
  for (const port of ports) {
    const old = named.get(port.name ?? "");
    if (!port.nodePort && old && !used.has(old)) port.nodePort = old;
  }
}
