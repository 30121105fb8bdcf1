import fc, { type Arbitrary } from "fast-check";
import { entries, fields, maybe, mostly, option, pick } from "./arbitraries.ts";
import type { JsonObject } from "./script.ts";
import type { Subject } from "./subject.ts";

const seldom = { nil: undefined, freq: 6 } as const;

const port = portCalled("web", 80);

function portCalled(name: string, number: number): Arbitrary<JsonObject> {
  return fields({
    name: mostly(fc.constant(name), pick("Bad_Name", "")),
    port: mostly(fc.oneof(fc.constant(number), pick(443)), pick(0, 70_000, "80", null)),
    protocol: maybe(mostly(pick("TCP", "UDP"), pick("ICMP"))),
    targetPort: maybe(mostly(pick(8080, "http"), pick(0, "", "-"))),
    appProtocol: option(pick("http"), seldom),
  });
}

const ports = mostly(
  fc.oneof(
    port.map((one) => [one]),
    fc.tuple(port, portCalled("dns", 53)),
  ),
  pick([], null),
);

const spec = fields({
  type: maybe(mostly(pick("ClusterIP", "NodePort", "LoadBalancer"), pick("Nope", "ExternalName"))),
  clusterIP: option(mostly(pick("None", ""), pick("x", "1.2.3.4")), seldom),
  selector: maybe(mostly(entries(["app", "tier"], mostly(pick("a", "b"))))),
  ports,
  externalName: option(mostly(pick("example.dev"), pick("-")), seldom),
  sessionAffinity: option(mostly(pick("None", "ClientIP"), pick("Nope")), seldom),
  externalTrafficPolicy: option(mostly(pick("Cluster", "Local")), { nil: undefined, freq: 15 }),
  internalTrafficPolicy: option(pick("Cluster", "Local"), seldom),
  publishNotReadyAddresses: option(fc.boolean(), seldom),
  ipFamilyPolicy: option(pick("SingleStack", "PreferDualStack", "RequireDualStack"), {
    nil: undefined,
    freq: 10,
  }),
  externalIPs: option(mostly(pick(["1.2.3.4"]), pick(["x"])), { nil: undefined, freq: 10 }),
});

const part = fields({
  spec: fields({
    type: option(pick("ClusterIP", "NodePort", "LoadBalancer", "ExternalName"), {
      nil: undefined,
      freq: 3,
    }),
    ports: maybe(ports),
    selector: maybe(entries(["app", "tier"], pick("a", "b", null))),
    sessionAffinity: option(pick("None", "ClientIP"), seldom),
    externalName: option(pick("example.dev"), seldom),
    clusterIP: option(pick("None", "", null), seldom),
  }),
});

export const services: Subject = {
  plural: "services",
  root: "/api/v1",
  apiVersion: "v1",
  kind: "Service",
  subresources: ["status"],
  whole: fields({ spec: mostly(spec) }),
  part,
  status: fields({
    loadBalancer: maybe(pick({}, { ingress: [{ ip: "1.2.3.4" }] }, { ingress: [{ ip: "x" }] })),
  }),
  pointers: [
    "/spec/ports",
    "/spec/ports/0",
    "/spec/ports/0/port",
    "/spec/ports/-",
    "/spec/selector/app",
    "/spec/type",
    "/spec/clusterIP",
    "/spec",
  ],
  values: fc.oneof(port, pick("a", 81, "NodePort", [{ port: 81 }])),
  fields: ["spec.type=ClusterIP", "spec.clusterIP=None"],
  least: { spec: { ports: [{ port: 80 }] } },
};
