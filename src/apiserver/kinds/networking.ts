import type { EndpointSlice } from "../../api/types/discovery/v1.ts";
import type {
  Ingress,
  IngressClass,
  NetworkPolicy,
  NetworkPolicySpec,
} from "../../api/types/networking/v1.ts";
import { equal } from "../../schema/index.ts";
import { entry, type KindEntry } from "./kind-strategy.ts";

export const networking: readonly KindEntry[] = [
  entry<Ingress>("networking.k8s.io/Ingress", { generation: "spec" }),
  entry<NetworkPolicy>("networking.k8s.io/NetworkPolicy", {
    generation: "spec",
    default: ({ spec }) => defaultPolicy(spec ?? {}),
  }),
  entry<IngressClass>("networking.k8s.io/IngressClass", { generation: "spec" }),
  entry<EndpointSlice>("discovery.k8s.io/EndpointSlice", {
    generation: ({ metadata: _, ...content }, { metadata: __, ...before }) => !equal(content, before),
    default({ ports = [] }) {
      for (const port of ports ?? []) {
        port.name ??= "";
        port.protocol ??= "TCP";
      }
    },
  }),
];

/** A policy is about what comes in, and about what goes out if it says anything of that. */
function defaultPolicy(spec: NetworkPolicySpec): void {
  for (const { ports = [] } of [...(spec.ingress ?? []), ...(spec.egress ?? [])]) {
    for (const port of ports) port.protocol ??= "TCP";
  }
  spec.policyTypes ??= (spec.egress ?? []).length > 0 ? ["Ingress", "Egress"] : ["Ingress"];
}
