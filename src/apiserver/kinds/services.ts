import type { Service, ServicePort, ServiceSpec } from "../../api/types/core/v1.ts";
import { duplicate, type FieldError, invalid, required } from "../../schema/index.ts";
import type { WriteContext } from "../resource.ts";
import { entry, type KindEntry } from "./kind-strategy.ts";
import { oneOf, portNumberErrors } from "./pod-errors.ts";

export const services: readonly KindEntry[] = [
  entry<Service>("/Service", {
    name: "dns-label",
    createOnUpdate: true,
    returnsDeleted: true,
    default: ({ spec }) => defaultService(spec ?? {}),
    prepareCreate({ spec = {} }, context) {
      settleFamilies(spec);
      allocate(spec, context);
    },
    /** An address that is left out is the one there was. */
    prepareUpdate({ spec = {} }, { spec: before = {} }, context) {
      if (hasAddress(spec) && hasAddress(before) && !spec.clusterIP) {
        spec.clusterIP = before.clusterIP;
        spec.clusterIPs = before.clusterIPs;
      }
      spec.ipFamilies ??= before.ipFamilies;
      spec.ipFamilyPolicy ??= before.ipFamilyPolicy;
      keepNodePorts(spec, before);
      allocate(spec, context);
    },
    validate: ({ spec = {} }) => serviceErrors(spec),
    validateUpdate: ({ spec = {} }, { spec: before = {} }) => addressChange(spec, before),
    fields: {
      "spec.clusterIP": ({ spec }) => spec?.clusterIP ?? "",
      "spec.type": ({ spec }) => spec?.type ?? "",
    },
    unknownField: (field) => `field label not supported: ${field}`,
  }),
];

function defaultService(spec: ServiceSpec): void {
  spec.type ??= "ClusterIP";
  spec.sessionAffinity ??= "None";
  if (spec.sessionAffinity === "ClientIP") {
    spec.sessionAffinityConfig ??= { clientIP: { timeoutSeconds: 10800 } };
  }
  if (spec.type !== "ExternalName") spec.internalTrafficPolicy ??= "Cluster";
  if (hasNodePorts(spec)) spec.externalTrafficPolicy ??= "Cluster";
  if (spec.type === "LoadBalancer") spec.allocateLoadBalancerNodePorts ??= true;
  for (const port of spec.ports ?? []) {
    port.protocol ??= "TCP";
    if (port.targetPort === undefined || port.targetPort === 0 || port.targetPort === "")
      port.targetPort = port.port;
  }
}

function hasNodePorts({ type }: ServiceSpec): boolean {
  return type === "NodePort" || type === "LoadBalancer";
}

function hasAddress({ type }: ServiceSpec): boolean {
  return type !== "ExternalName";
}

/** One family, but both for a headless Service that somebody else fills. */
function settleFamilies(spec: ServiceSpec): void {
  if (!hasAddress(spec)) return;
  const both = spec.clusterIP === "None" && !spec.selector;
  spec.ipFamilyPolicy ??= both ? "RequireDualStack" : "SingleStack";
  spec.ipFamilies ??= spec.ipFamilyPolicy === "RequireDualStack" ? ["IPv4", "IPv6"] : ["IPv4"];
}

/** Nothing is taken in a dry run. */
function allocate(spec: ServiceSpec, { allocate: pools, dryRun }: WriteContext): void {
  if (!hasAddress(spec)) return;
  if (!spec.clusterIP && !dryRun) spec.clusterIP = pools.take("clusterIP");
  if (spec.clusterIP) spec.clusterIPs ??= [spec.clusterIP];
  if (!hasNodePorts(spec) || spec.allocateLoadBalancerNodePorts === false || dryRun) return;
  for (const port of spec.ports ?? []) {
    if (port.nodePort) continue;
    const taken = pools.take("nodePort");
    if (taken !== undefined) port.nodePort = Number(taken);
  }
}

function keepNodePorts(spec: ServiceSpec, before: ServiceSpec): void {
  if (!hasNodePorts(spec)) return;
  for (const port of spec.ports ?? []) {
    const same = before.ports?.find((one) => one.port === port.port && one.protocol === port.protocol);
    if (same?.nodePort) port.nodePort ||= same.nodePort;
  }
}

const types = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];
const protocols = ["SCTP", "TCP", "UDP"];

function serviceErrors(spec: ServiceSpec): FieldError[] {
  const { ports = [], clusterIP, type, externalName } = spec;
  const needsPorts = clusterIP !== "None" && type !== "ExternalName";
  return [
    ...(needsPorts && ports.length === 0 ? [required("spec.ports")] : []),
    ...(type === "ExternalName" && !externalName ? [required("spec.externalName")] : []),
    ...portErrors(spec),
    ...oneOf(spec.sessionAffinity, ["ClientIP", "None"], "spec.sessionAffinity"),
    ...oneOf(type, types, "spec.type"),
  ];
}

function portErrors({ ports = [] }: ServiceSpec): FieldError[] {
  return ports.flatMap(({ port, protocol, targetPort }, at) => {
    const field = `spec.ports[${at}]`;
    return [
      ...portNameErrors(ports, at, `${field}.name`),
      ...portNumberErrors(port ?? 0, `${field}.port`),
      ...oneOf(protocol, protocols, `${field}.protocol`),
      ...(typeof targetPort === "number" ? portNumberErrors(targetPort, `${field}.targetPort`) : []),
    ];
  });
}

/** One port needs no name; several are told apart by theirs. */
function portNameErrors(ports: readonly ServicePort[], at: number, field: string): FieldError[] {
  const name = ports[at]?.name;
  if (!name) return ports.length > 1 ? [required(field)] : [];
  return ports.slice(0, at).some((other) => other.name === name) ? [duplicate(field, name)] : [];
}

function addressChange(spec: ServiceSpec, before: ServiceSpec): FieldError[] {
  if (!hasAddress(spec) || !hasAddress(before) || !before.clusterIP) return [];
  if (spec.clusterIP === before.clusterIP) return [];
  return [invalid("spec.clusterIPs[0]", spec.clusterIPs, "may not change once set")];
}
