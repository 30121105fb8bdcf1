import type {
  Ingress,
  IngressClass,
  IPAddress,
  NetworkPolicy,
  NetworkPolicySpec,
  ServiceCIDR,
} from "../../api/types/networking/v1.ts";
import { type FieldError, invalid, required } from "../../schema/index.ts";
import { addressErrors, cidrErrors } from "./address-errors.ts";
import { oneOf } from "./field-choices.ts";
import { ingressErrors } from "./ingress-errors.ts";
import { type KindEntry, kindEntry } from "./kind-strategy.ts";
import { networkPolicyErrors } from "./network-policy-errors.ts";
import { immutableErrors, requiredErrors } from "./value-errors.ts";

export const networking: readonly KindEntry[] = [
  kindEntry<Ingress>("networking.k8s.io/Ingress", {
    generation: "spec",
    validate: ({ spec = {} }) => ingressErrors(spec),
  }),
  kindEntry<NetworkPolicy>("networking.k8s.io/NetworkPolicy", {
    generation: "spec",
    default: ({ spec }) => defaultPolicy(spec ?? {}),
    validate: ({ spec = {} }) => networkPolicyErrors(spec),
  }),
  kindEntry<IngressClass>("networking.k8s.io/IngressClass", {
    generation: "spec",
    default({ spec }) {
      if (spec?.parameters) spec.parameters.scope ??= "Cluster";
    },
    validate: ({ spec = {} }) => classErrors(spec),
    validateUpdate: ({ spec }, { spec: before }) =>
      spec?.controller === before?.controller ? [] : immutableErrors("spec.controller", spec?.controller),
  }),
  kindEntry<IPAddress>("networking.k8s.io/IPAddress", {
    validate: ({ metadata, spec }) => [
      ...addressErrors(metadata.name, "metadata.name"),
      ...requiredErrors(spec?.parentRef, "spec.parentRef"),
    ],
    fields: { "spec.parentRef": () => "" },
  }),
  kindEntry<ServiceCIDR>("networking.k8s.io/ServiceCIDR", {
    statusKeeps: ["spec", "metadata"],
    validate: ({ spec }) => [
      ...requiredErrors(spec?.cidrs, "spec.cidrs", "at least one CIDR required"),
      ...(spec?.cidrs ?? []).flatMap((cidr, index) => cidrErrors(cidr, `spec.cidrs[${index}]`)),
    ],
  }),
];

/** Sets the default policy types: Ingress, and Egress if the policy has egress rules. */
function defaultPolicy(spec: NetworkPolicySpec): void {
  for (const { ports = [] } of [...(spec.ingress ?? []), ...(spec.egress ?? [])]) {
    for (const port of ports) port.protocol ??= "TCP";
  }
  spec.policyTypes ??= (spec.egress ?? []).length > 0 ? ["Ingress", "Egress"] : ["Ingress"];
}

function classErrors({ controller, parameters }: NonNullable<IngressClass["spec"]>): FieldError[] {
  return [
    ...controllerErrors(controller ?? "", "spec.controller"),
    ...(parameters ? parameterErrors(parameters, "spec.parameters") : []),
  ];
}

function controllerErrors(controller: string, field: string): FieldError[] {
  if (controller === "") return [required(field)];
  if (/^[a-z0-9.-]+\/[^\s]+$/.test(controller)) return [];
  return [invalid(field, controller, 'must be a domain-prefixed path (such as "acme.io/foo")')];
}

type Parameters = NonNullable<NonNullable<IngressClass["spec"]>["parameters"]>;

function parameterErrors({ kind, name, scope, namespace }: Parameters, field: string): FieldError[] {
  return [
    ...requiredErrors(kind, `${field}.kind`),
    ...requiredErrors(name, `${field}.name`),
    ...oneOf(scope, ["Cluster", "Namespace"], `${field}.scope`),
    ...(scope === "Namespace" ? requiredErrors(namespace, `${field}.namespace`) : []),
  ];
}
