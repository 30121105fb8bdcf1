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
import { labelErrors } from "../validation/meta-validation.ts";
import { qualifiedNameProblems } from "../validation/name-rules.ts";
import { repeats } from "../validation/repeats.ts";
import { addressErrors, cidrErrors, endpointAddressErrors } from "./address-errors.ts";
import { oneOf, portNumberErrors } from "./field-choices.ts";
import { portNameErrors } from "./port-name-errors.ts";
import { hasClusterIP, isExternallyAccessible, needsHealthCheckPort } from "./service-type.ts";
import { nameErrors } from "./value-errors.ts";

const types = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];
const protocols = ["SCTP", "TCP", "UDP"];
const policies = ["Cluster", "Local"];

/** Returns the errors in the spec of a Service. */
export function serviceErrors(spec: ServiceSpec): FieldError[] {
  return [
    ...externalNameErrors(spec),
    ...portListErrors(spec),
    ...(spec.selector ? labelErrors(spec.selector, "spec.selector") : []),
    ...affinityErrors(spec),
    ...(spec.externalIPs ?? []).flatMap((address, index) =>
      externalAddressErrors(address, `spec.externalIPs[${index}]`),
    ),
    ...oneOf(spec.type, types, "spec.type"),
    ...unusedNodePortErrors(spec),
    ...duplicateNodePortErrors(spec.ports ?? []),
    ...duplicatePortErrors(spec.ports ?? []),
    ...loadBalancerErrors(spec),
    ...policyErrors(spec),
    ...headlessErrors(spec),
  ];
}

function externalNameErrors(spec: ServiceSpec): FieldError[] {
  if (hasClusterIP(spec)) return [];
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
  const portsRequired = clusterIP !== "None" && hasClusterIP(spec);
  if (ports.length === 0) return portsRequired ? [required("spec.ports")] : [];
  const isDuplicate = repeats(ports, ({ name }) => name);
  return ports.flatMap((port, index) => [
    ...portNameListErrors(port, `spec.ports[${index}].name`, {
      single: ports.length === 1,
      isDuplicate: isDuplicate[index] ?? false,
    }),
    ...portErrors(port, `spec.ports[${index}]`),
  ]);
}

/** Returns the errors in a port name. It is required and unique if the Service has several ports. */
function portNameListErrors(
  { name }: ServicePort,
  field: string,
  { single, isDuplicate }: { readonly single: boolean; readonly isDuplicate: boolean },
): FieldError[] {
  if (!name) return single ? [] : [required(field)];
  return [...nameErrors("dns-label", name, field), ...(isDuplicate ? [duplicate(field, name)] : [])];
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
      : qualifiedNameProblems(appProtocol).map((problem) =>
          invalid(`${field}.appProtocol`, appProtocol, problem),
        )),
  ];
}

function affinityErrors({ sessionAffinity, sessionAffinityConfig }: ServiceSpec): FieldError[] {
  const seconds = sessionAffinityConfig?.clientIP?.timeoutSeconds;
  const outOfRange = seconds !== undefined && (seconds <= 0 || seconds > 86_400);
  const field = "spec.sessionAffinityConfig.clientIP.timeoutSeconds";
  return [
    ...oneOf(sessionAffinity, ["ClientIP", "None"], "spec.sessionAffinity"),
    ...(sessionAffinity === "ClientIP" && outOfRange
      ? [invalid(field, seconds, "must be greater than 0 and less than 86400")]
      : []),
  ];
}

function externalAddressErrors(address: string, field: string): FieldError[] {
  const errors = addressErrors(address, field);
  return errors.length > 0 ? errors : endpointAddressErrors(address, field);
}

function headlessErrors({ type, clusterIP }: ServiceSpec): FieldError[] {
  if (clusterIP !== "None" || (type !== "NodePort" && type !== "LoadBalancer")) return [];
  return [invalid("spec.clusterIPs[0]", "None", `may not be set to 'None' for ${type} services`)];
}

function unusedNodePortErrors(spec: ServiceSpec): FieldError[] {
  if (spec.type !== "ClusterIP") return [];
  return (spec.ports ?? []).flatMap(({ nodePort }, index) =>
    nodePort
      ? [forbidden(`spec.ports[${index}].nodePort`, "may not be used when `type` is 'ClusterIP'")]
      : [],
  );
}

function duplicateNodePortErrors(ports: readonly ServicePort[]): FieldError[] {
  const isDuplicate = repeats(ports, ({ nodePort, protocol }) => `${protocol} ${nodePort}`);
  return ports.flatMap(({ nodePort }, index) =>
    nodePort && isDuplicate[index] ? [duplicate(`spec.ports[${index}].nodePort`, nodePort)] : [],
  );
}

function duplicatePortErrors(ports: readonly ServicePort[]): FieldError[] {
  const isDuplicate = repeats(ports, ({ port, protocol }) => `${protocol} ${port}`);
  return ports.flatMap(({ port, protocol }, index) => {
    if (!isDuplicate[index]) return [];
    const printed = {
      Name: "",
      Protocol: protocol,
      AppProtocol: null,
      Port: port,
      TargetPort: 0,
      NodePort: 0,
    };
    return [duplicate(`spec.ports[${index}]`, new GoStruct(printed))];
  });
}

function loadBalancerErrors(spec: ServiceSpec): FieldError[] {
  const detail = "may only be used when `type` is 'LoadBalancer'";
  const isLoadBalancer = spec.type === "LoadBalancer";
  return [
    ...(spec.loadBalancerSourceRanges ?? []).flatMap((range, index) =>
      cidrErrors(range, `spec.LoadBalancerSourceRanges[${index}]`),
    ),
    ...(!isLoadBalancer && spec.allocateLoadBalancerNodePorts !== undefined
      ? [forbidden("spec.allocateLoadBalancerNodePorts", detail)]
      : []),
    ...(!isLoadBalancer && spec.loadBalancerClass ? [forbidden("spec.loadBalancerClass", detail)] : []),
  ];
}

function policyErrors(spec: ServiceSpec): FieldError[] {
  const {
    externalTrafficPolicy: externalPolicy,
    internalTrafficPolicy: internalPolicy,
    healthCheckNodePort,
  } = spec;
  const field = "spec.externalTrafficPolicy";
  const isAccessible = isExternallyAccessible(spec);
  const healthDetail = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
  return [
    ...(externalPolicy && isAccessible ? oneOf(externalPolicy, policies, field) : []),
    ...(externalPolicy && !isAccessible
      ? [invalid(field, externalPolicy, "may only be set for externally-accessible services")]
      : []),
    ...(healthCheckNodePort && !needsHealthCheckPort(spec)
      ? [invalid("spec.healthCheckNodePort", healthCheckNodePort, healthDetail)]
      : []),
    ...(internalPolicy ? oneOf(internalPolicy, policies, "spec.internalTrafficPolicy") : []),
    ...distributionErrors(spec.trafficDistribution),
  ];
}

const distributions = ["PreferClose", "PreferSameZone", "PreferSameNode"];

function distributionErrors(distribution: string | undefined): FieldError[] {
  if (!distribution || distributions.includes(distribution)) return [];
  return [notSupported("spec.trafficDistribution", distribution, distributions)];
}

/** Returns the errors for changes of fields that a Service cannot change once they are set. */
export function serviceUpdateErrors({ spec = {} }: Service, { spec: before = {} }: Service): FieldError[] {
  return [...addressUpdateErrors(spec, before), ...classUpdateErrors(spec, before)];
}

function addressUpdateErrors(spec: ServiceSpec, before: ServiceSpec): FieldError[] {
  if (!hasClusterIP(spec) || !hasClusterIP(before) || !before.clusterIP) return [];
  if (spec.clusterIP === before.clusterIP) return [];
  return [invalid("spec.clusterIPs[0]", spec.clusterIPs ?? [spec.clusterIP], "may not change once set")];
}

function classUpdateErrors(spec: ServiceSpec, before: ServiceSpec): FieldError[] {
  const unchanged = spec.loadBalancerClass === before.loadBalancerClass;
  if (unchanged || spec.type !== "LoadBalancer" || before.type !== "LoadBalancer") return [];
  return [invalid("spec.loadBalancerClass", spec.loadBalancerClass ?? null, "may not change once set")];
}

export function serviceStatusErrors({ spec, status }: Service): FieldError[] {
  const ingress = status?.loadBalancer?.ingress ?? [];
  const field = "status.loadBalancer.ingress";
  if (ingress.length === 0) return [];
  if (spec?.type !== "LoadBalancer") {
    return [forbidden(field, "may only be used when `spec.type` is 'LoadBalancer'")];
  }
  return ingress.flatMap(({ ip }, index) => (ip ? addressErrors(ip, `${field}[${index}].ip`) : []));
}
