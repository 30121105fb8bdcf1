import type {
  NetworkPolicyIngressRule,
  NetworkPolicyPeer,
  NetworkPolicyPort,
  NetworkPolicySpec,
} from "../../api/types/networking/v1.ts";
import { type FieldError, forbidden, invalid, notSupported, required } from "../../schema/index.ts";
import { cidrErrors, isStrictSubset } from "./address-errors.ts";
import { portNumberErrors } from "./field-choices.ts";
import { portNameErrors } from "./port-name-errors.ts";
import { selectorErrors } from "./selector-errors.ts";

/** Returns the errors in the spec of a NetworkPolicy. */
export function networkPolicyErrors(spec: NetworkPolicySpec): FieldError[] {
  const { podSelector, ingress = [], egress = [], policyTypes = [] } = spec;
  return [
    ...(podSelector ? selectorErrors(podSelector, "spec.podSelector") : []),
    ...ingress.flatMap((rule, index) => ruleErrors(rule, rule.from, `spec.ingress[${index}].from`)),
    ...egress.flatMap((rule, index) => ruleErrors(rule, rule.to, `spec.egress[${index}].to`)),
    ...policyTypeErrors(policyTypes),
  ];
}

function ruleErrors(
  { ports = [] }: Pick<NetworkPolicyIngressRule, "ports">,
  peers: readonly NetworkPolicyPeer[] | undefined,
  field: string,
): FieldError[] {
  const rule = field.slice(0, field.lastIndexOf("."));
  return [
    ...ports.flatMap((port, index) => portErrors(port, `${rule}.ports[${index}]`)),
    ...(peers ?? []).flatMap((peer, index) => peerErrors(peer, `${field}[${index}]`)),
  ];
}

const protocols = ["TCP", "UDP", "SCTP"];

function portErrors({ protocol = "TCP", port, endPort }: NetworkPolicyPort, field: string): FieldError[] {
  return [
    ...(protocols.includes(protocol) ? [] : [notSupported(`${field}.protocol`, protocol, protocols)]),
    ...(typeof port === "number" ? portNumberErrors(port, `${field}.port`) : []),
    ...(typeof port === "string" ? portNameErrors(port, `${field}.port`) : []),
    ...(endPort === undefined ? [] : rangeErrors(port, endPort, `${field}.endPort`)),
  ];
}

function rangeErrors(port: number | string | undefined, endPort: number, field: string): FieldError[] {
  if (port === undefined)
    return [invalid(field, endPort, "may not be specified when `port` is not specified")];
  if (typeof port === "string")
    return [invalid(field, endPort, "may not be specified when `port` is non-numeric")];
  if (endPort < port) return [invalid(field, port, "must be greater than or equal to `port`")];
  return portNumberErrors(endPort, field);
}

function peerErrors(
  { podSelector, namespaceSelector, ipBlock }: NetworkPolicyPeer,
  field: string,
): FieldError[] {
  const specified = [podSelector, namespaceSelector, ipBlock].filter((value) => value !== undefined);
  return [
    ...(podSelector ? selectorErrors(podSelector, `${field}.podSelector`) : []),
    ...(namespaceSelector ? selectorErrors(namespaceSelector, `${field}.namespaceSelector`) : []),
    ...(ipBlock ? blockErrors(ipBlock, `${field}.ipBlock`) : []),
    ...(specified.length === 0 ? [required(field, "must specify a peer")] : []),
    ...(ipBlock && specified.length > 1
      ? [forbidden(field, "may not specify both ipBlock and another peer")]
      : []),
  ];
}

function blockErrors(
  { cidr, except = [] }: NonNullable<NetworkPolicyPeer["ipBlock"]>,
  field: string,
): FieldError[] {
  if (!cidr) return [required(`${field}.cidr`)];
  const errors = cidrErrors(cidr, `${field}.cidr`);
  if (errors.length > 0) return errors;
  return except.flatMap((excluded, index) => exceptErrors(excluded, cidr, `${field}.except[${index}]`));
}

function exceptErrors(excluded: string, cidr: string, field: string): FieldError[] {
  const errors = cidrErrors(excluded, field);
  if (errors.some(({ detail }) => detail.startsWith("must be a valid"))) return errors;
  return isStrictSubset(excluded, cidr)
    ? errors
    : [...errors, invalid(field, excluded, "must be a strict subset of `cidr`")];
}

function policyTypeErrors(types: readonly string[]): FieldError[] {
  if (types.length > 2)
    return [invalid("spec.policyTypes", types, "may not specify more than two policyTypes")];
  return types.flatMap((type, index) =>
    type === "Ingress" || type === "Egress"
      ? []
      : [notSupported(`spec.policyTypes[${index}]`, type, ["Egress", "Ingress"])],
  );
}
