import type { Service, ServicePort, ServiceSpec } from "../../api/types/core/v1.ts";
import {
  duplicate,
  type FieldError,
  forbidden,
  GoStruct,
  invalid,
  notSupported,
  required,
} from "../../schema/index.ts";
import { labelErrors } from "../meta-validation.ts";
import { qualifiedNameFaults } from "../name-rules.ts";
import { repeats } from "../repeats.ts";
import { addressErrors, cidrErrors, endpointAddressErrors } from "./address-errors.ts";
import { oneOf, portNumberErrors } from "./field-choices.ts";
import { portNameErrors } from "./port-name-errors.ts";
import { hasAddress, isChecked, isReachedFromOutside } from "./service-type.ts";
import { nameErrors } from "./value-errors.ts";

const types = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];
const protocols = ["SCTP", "TCP", "UDP"];
const policies = ["Cluster", "Local"];

/** What is wrong with a Service. */
export function serviceErrors(spec: ServiceSpec): FieldError[] {
  return [
    ...externalErrors(spec),
    ...portListErrors(spec),
    ...(spec.selector ? labelErrors(spec.selector, "spec.selector") : []),
    ...affinityErrors(spec),
    ...(spec.externalIPs ?? []).flatMap((address, at) => outsideErrors(address, `spec.externalIPs[${at}]`)),
    ...oneOf(spec.type, types, "spec.type"),
    ...hiddenPortErrors(spec),
    ...repeatedNodePortErrors(spec.ports ?? []),
    ...repeatedPortErrors(spec.ports ?? []),
    ...balancerErrors(spec),
    ...policyErrors(spec),
    ...headlessErrors(spec),
  ];
}

function externalErrors(spec: ServiceSpec): FieldError[] {
  if (hasAddress(spec)) return [];
  const { externalName, clusterIP, ipFamilies, ipFamilyPolicy } = spec;
  const detail = "may not be set for ExternalName services";
  return [
    ...(clusterIP ? [forbidden("spec.clusterIPs", detail)] : []),
    ...(ipFamilies?.length ? [forbidden("spec.ipFamilies", detail)] : []),
    ...(ipFamilyPolicy ? [forbidden("spec.ipFamilyPolicy", detail)] : []),
    ...(externalName
      ? nameErrors("dns-subdomain", externalName, "spec.externalName")
      : [required("spec.externalName")]),
  ];
}

function portListErrors(spec: ServiceSpec): FieldError[] {
  const { ports = [], clusterIP } = spec;
  const needed = clusterIP !== "None" && hasAddress(spec);
  if (ports.length === 0) return needed ? [required("spec.ports")] : [];
  const again = repeats(ports, ({ name }) => name);
  return ports.flatMap((port, at) => [
    ...nameOfPortErrors(port, `spec.ports[${at}].name`, {
      only: ports.length === 1,
      again: again[at] ?? false,
    }),
    ...portErrors(port, `spec.ports[${at}]`),
  ]);
}

/** One port needs no name; several are told apart by theirs. */
function nameOfPortErrors(
  { name }: ServicePort,
  field: string,
  { only, again }: { readonly only: boolean; readonly again: boolean },
): FieldError[] {
  if (!name) return only ? [] : [required(field)];
  return [...nameErrors("dns-label", name, field), ...(again ? [duplicate(field, name)] : [])];
}

function portErrors(
  { port = 0, protocol, targetPort, appProtocol }: ServicePort,
  field: string,
): FieldError[] {
  return [
    ...portNumberErrors(port, `${field}.port`),
    ...oneOf(protocol, protocols, `${field}.protocol`),
    ...(typeof targetPort === "number" ? portNumberErrors(targetPort, `${field}.targetPort`) : []),
    ...(typeof targetPort === "string" ? portNameErrors(targetPort, `${field}.targetPort`) : []),
    ...(appProtocol === undefined
      ? []
      : qualifiedNameFaults(appProtocol).map((fault) => invalid(`${field}.appProtocol`, appProtocol, fault))),
  ];
}

function affinityErrors({ sessionAffinity, sessionAffinityConfig }: ServiceSpec): FieldError[] {
  const seconds = sessionAffinityConfig?.clientIP?.timeoutSeconds;
  const wrong = seconds !== undefined && (seconds <= 0 || seconds > 86_400);
  const field = "spec.sessionAffinityConfig.clientIP.timeoutSeconds";
  return [
    ...oneOf(sessionAffinity, ["ClientIP", "None"], "spec.sessionAffinity"),
    ...(sessionAffinity === "ClientIP" && wrong
      ? [invalid(field, seconds, "must be greater than 0 and less than 86400")]
      : []),
  ];
}

function outsideErrors(address: string, field: string): FieldError[] {
  const errors = addressErrors(address, field);
  return errors.length > 0 ? errors : endpointAddressErrors(address, field);
}

function headlessErrors({ type, clusterIP }: ServiceSpec): FieldError[] {
  if (clusterIP !== "None" || (type !== "NodePort" && type !== "LoadBalancer")) return [];
  return [invalid("spec.clusterIPs[0]", "None", `may not be set to 'None' for ${type} services`)];
}

function hiddenPortErrors(spec: ServiceSpec): FieldError[] {
  if (spec.type !== "ClusterIP") return [];
  return (spec.ports ?? []).flatMap(({ nodePort }, at) =>
    nodePort ? [forbidden(`spec.ports[${at}].nodePort`, "may not be used when `type` is 'ClusterIP'")] : [],
  );
}

function repeatedNodePortErrors(ports: readonly ServicePort[]): FieldError[] {
  const again = repeats(ports, ({ nodePort, protocol }) => `${protocol} ${nodePort}`);
  return ports.flatMap(({ nodePort }, at) =>
    nodePort && again[at] ? [duplicate(`spec.ports[${at}].nodePort`, nodePort)] : [],
  );
}

function repeatedPortErrors(ports: readonly ServicePort[]): FieldError[] {
  const again = repeats(ports, ({ port, protocol }) => `${protocol} ${port}`);
  return ports.flatMap(({ port, protocol }, at) => {
    if (!again[at]) return [];
    const shown = { Name: "", Protocol: protocol, AppProtocol: null, Port: port, TargetPort: 0, NodePort: 0 };
    return [duplicate(`spec.ports[${at}]`, new GoStruct(shown))];
  });
}

function balancerErrors(spec: ServiceSpec): FieldError[] {
  const detail = "may only be used when `type` is 'LoadBalancer'";
  const balanced = spec.type === "LoadBalancer";
  return [
    ...(spec.loadBalancerSourceRanges ?? []).flatMap((range, at) =>
      cidrErrors(range, `spec.LoadBalancerSourceRanges[${at}]`),
    ),
    ...(!balanced && spec.allocateLoadBalancerNodePorts !== undefined
      ? [forbidden("spec.allocateLoadBalancerNodePorts", detail)]
      : []),
    ...(!balanced && spec.loadBalancerClass ? [forbidden("spec.loadBalancerClass", detail)] : []),
  ];
}

function policyErrors(spec: ServiceSpec): FieldError[] {
  const { externalTrafficPolicy: outside, internalTrafficPolicy: inside, healthCheckNodePort } = spec;
  const field = "spec.externalTrafficPolicy";
  const reachable = isReachedFromOutside(spec);
  const healthDetail = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
  return [
    ...(outside && reachable ? oneOf(outside, policies, field) : []),
    ...(outside && !reachable
      ? [invalid(field, outside, "may only be set for externally-accessible services")]
      : []),
    ...(healthCheckNodePort && !isChecked(spec)
      ? [invalid("spec.healthCheckNodePort", healthCheckNodePort, healthDetail)]
      : []),
    ...(inside ? oneOf(inside, policies, "spec.internalTrafficPolicy") : []),
    ...distributionErrors(spec.trafficDistribution),
  ];
}

const distributions = ["PreferClose", "PreferSameZone", "PreferSameNode"];

function distributionErrors(distribution: string | undefined): FieldError[] {
  if (!distribution || distributions.includes(distribution)) return [];
  return [notSupported("spec.trafficDistribution", distribution, distributions)];
}

/** What a Service was given stays with it. */
export function serviceChange({ spec = {} }: Service, { spec: before = {} }: Service): FieldError[] {
  return [...addressChange(spec, before), ...classChange(spec, before)];
}

function addressChange(spec: ServiceSpec, before: ServiceSpec): FieldError[] {
  if (!hasAddress(spec) || !hasAddress(before) || !before.clusterIP) return [];
  if (spec.clusterIP === before.clusterIP) return [];
  return [invalid("spec.clusterIPs[0]", spec.clusterIPs ?? [spec.clusterIP], "may not change once set")];
}

function classChange(spec: ServiceSpec, before: ServiceSpec): FieldError[] {
  const same = spec.loadBalancerClass === before.loadBalancerClass;
  if (same || spec.type !== "LoadBalancer" || before.type !== "LoadBalancer") return [];
  return [invalid("spec.loadBalancerClass", spec.loadBalancerClass ?? null, "may not change once set")];
}

export function serviceStatusErrors({ spec, status }: Service): FieldError[] {
  const ingress = status?.loadBalancer?.ingress ?? [];
  const field = "status.loadBalancer.ingress";
  if (ingress.length === 0) return [];
  if (spec?.type !== "LoadBalancer") {
    return [forbidden(field, "may only be used when `spec.type` is 'LoadBalancer'")];
  }
  return ingress.flatMap(({ ip }, at) => (ip ? addressErrors(ip, `${field}[${at}].ip`) : []));
}
