import type { EndpointSlice } from "../../api/types/discovery/v1.ts";
import type { Ingress, NetworkPolicy } from "../../api/types/networking/v1.ts";
import { equal } from "../../schema/index.ts";
import { entry, type KindEntry } from "./kind-strategy.ts";

export const networking: readonly KindEntry[] = [
  entry<Ingress>("networking.k8s.io/Ingress", { generation: "spec" }),
  entry<NetworkPolicy>("networking.k8s.io/NetworkPolicy", { generation: "spec" }),
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
