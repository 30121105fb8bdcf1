import { expect, test } from "vitest";
import { cellsOf, meta } from "./rows.fixture.ts";

test.each<[object, object, string[]]>([
  [
    {
      ingressClassName: "nginx",
      tls: [{ hosts: ["a.b"] }],
      rules: ["a.b", "b.b", "c.b", "d.b", "e.b"].map((host) => ({ host })),
    },
    { ingress: [{ hostname: "h.example.com" }, { ip: "1.1.1.1" }, { ip: "1.1.1.1" }] },
    ["nginx", "a.b,b.b,c.b + 2 more...", "1.1.1.1,h.example.com", "80, 443"],
  ],
  [{ defaultBackend: {} }, {}, ["<none>", "*", "", "80"]],
  [{ rules: [{ host: "x.y" }, {}] }, {}, ["<none>", "x.y", "", "80"]],
])("an Ingress with %j is printed", (spec, loadBalancer, cells) => {
  const ingress = { metadata: meta("i"), spec, status: { loadBalancer } };
  expect(cellsOf("networking.k8s.io/v1 Ingress", ingress)).toEqual(["i", ...cells, "90s"]);
});

test("the default classes are marked", () => {
  const annotations = { "ingressclass.kubernetes.io/is-default-class": "true" };
  const parameters = { apiGroup: "k.x", kind: "Params", name: "p" };
  expect(
    cellsOf("networking.k8s.io/v1 IngressClass", {
      metadata: meta("c", { annotations }),
      spec: { controller: "a.b/c", parameters },
    }),
  ).toEqual(["c (default)", "a.b/c", "Params.k.x/p", "90s"]);
  expect(
    cellsOf("networking.k8s.io/v1 IngressClass", { metadata: meta("c"), spec: { controller: "a.b/c" } }),
  ).toEqual(["c", "a.b/c", "<none>", "90s"]);
  expect(
    cellsOf("storage.k8s.io/v1 StorageClass", {
      metadata: meta("s", { annotations: { "storageclass.kubernetes.io/is-default-class": "true" } }),
      provisioner: "a.b/c",
      reclaimPolicy: "Retain",
      volumeBindingMode: "WaitForFirstConsumer",
      allowVolumeExpansion: true,
    }),
  ).toEqual(["s (default)", "a.b/c", "Retain", "WaitForFirstConsumer", true, "90s"]);
});

test("a NetworkPolicy shows its Pod selector", () => {
  const policy = (podSelector: object): object => ({ metadata: meta("n"), spec: { podSelector } });
  expect(cellsOf("networking.k8s.io/v1 NetworkPolicy", policy({ matchLabels: { app: "x" } }))).toEqual([
    "n",
    "app=x",
    "90s",
  ]);
  expect(cellsOf("networking.k8s.io/v1 NetworkPolicy", policy({}))).toEqual(["n", "<none>", "90s"]);
});

test.each<[object, string, string]>([
  [
    {
      ports: [{ port: 80 }, { port: 81 }, { name: "c" }, { name: "d", port: 84 }],
      endpoints: ["1.1.1.1", "1.1.1.2", "1.1.1.3", "1.1.1.4"].map((address) => ({ addresses: [address] })),
    },
    "80,81,c + 1 more...",
    "1.1.1.1,1.1.1.2,1.1.1.3 + 1 more...",
  ],
  [{ ports: [{}], endpoints: [{ addresses: ["fd00::1", "fd00::2"] }] }, "<unset>", "fd00::1,fd00::2"],
  [{ ports: null, endpoints: null }, "<unset>", "<unset>"],
])("an EndpointSlice with %j is printed", (slice, ports, endpoints) => {
  const whole = { metadata: meta("e"), addressType: "IPv4", ...slice };
  expect(cellsOf("discovery.k8s.io/v1 EndpointSlice", whole)).toEqual(["e", "IPv4", ports, endpoints, "90s"]);
});

test.each<[object, object, string, string]>([
  [{}, {}, "<none>", "Pending"],
  [{ expirationSeconds: 3600 }, { conditions: [{ type: "Approved" }] }, "60m", "Approved"],
  [{ expirationSeconds: 90_061 }, { conditions: [{ type: "Denied" }] }, "25h", "Denied"],
  [{}, { conditions: [{ type: "Approved" }], certificate: "x" }, "<none>", "Approved,Issued"],
])("a CertificateSigningRequest with %j is printed", (...[spec, status, duration, condition]) => {
  const request = { metadata: meta("r"), spec: { signerName: "a.b/c", username: "admin", ...spec }, status };
  const cells = cellsOf("certificates.k8s.io/v1 CertificateSigningRequest", request);
  expect(cells).toEqual(["r", "90s", "a.b/c", "admin", duration, condition]);
});

test.each<[object, object, string]>([
  [{}, {}, "pending"],
  [{}, { allocation: {} }, "allocated"],
  [{}, { allocation: {}, reservedFor: [{}] }, "allocated,reserved"],
  [{ deletionTimestamp: "2026-11-16T02:59:00Z" }, { allocation: {} }, "deleted,allocated"],
  [{ deletionTimestamp: "2026-11-16T02:59:00Z" }, {}, "deleted"],
])("a ResourceClaim with %j and %j is %s", (metadata, status, state) => {
  const claim = { metadata: meta("c", metadata), status };
  expect(cellsOf("resource.k8s.io/v1 ResourceClaim", claim)).toEqual(["c", state, "90s"]);
});

test.each<[string, object, unknown[]]>([
  ["coordination.k8s.io/v1 Lease", { spec: { holderIdentity: "me" } }, ["me", "90s"]],
  ["coordination.k8s.io/v1 Lease", {}, ["", "90s"]],
  ["node.k8s.io/v1 RuntimeClass", { handler: "runsc" }, ["runsc", "90s"]],
  [
    "scheduling.k8s.io/v1 PriorityClass",
    { value: 100, preemptionPolicy: "Never" },
    [100, false, "90s", "Never"],
  ],
  [
    "storage.k8s.io/v1 CSIDriver",
    {
      spec: {
        attachRequired: true,
        tokenRequests: [{ audience: "a" }, { audience: "b" }],
        volumeLifecycleModes: ["Persistent", "Ephemeral"],
      },
    },
    [true, false, false, "a,b", false, "Persistent,Ephemeral", "90s"],
  ],
  ["storage.k8s.io/v1 CSINode", { spec: { drivers: [{}] } }, [1, "90s"]],
  [
    "storage.k8s.io/v1 VolumeAttachment",
    {
      spec: { attacher: "d.e", nodeName: "n1", source: { persistentVolumeName: "pv" } },
      status: { attached: true },
    },
    ["d.e", "pv", "n1", true, "90s"],
  ],
  ["networking.k8s.io/v1 ServiceCIDR", { spec: { cidrs: ["10.0.0.0/24"] } }, ["10.0.0.0/24", "90s"]],
  ["apiregistration.k8s.io/v1 APIService", { spec: {} }, ["Local", "Unknown", "90s"]],
  [
    "apiregistration.k8s.io/v1 APIService",
    {
      spec: { service: { namespace: "default", name: "s" } },
      status: { conditions: [{ type: "Available", status: "False", reason: "ServicePortError" }] },
    },
    ["default/s", "False (ServicePortError)", "90s"],
  ],
  [
    "flowcontrol.apiserver.k8s.io/v1 PriorityLevelConfiguration",
    {
      spec: {
        type: "Limited",
        limited: {
          nominalConcurrencyShares: 20,
          limitResponse: { queuing: { queues: 128, handSize: 6, queueLengthLimit: 50 } },
        },
      },
    },
    ["Limited", 20, 128, 6, 50, "90s"],
  ],
  [
    "flowcontrol.apiserver.k8s.io/v1 PriorityLevelConfiguration",
    { spec: { type: "Exempt" } },
    ["Exempt", "<none>", "<none>", "<none>", "<none>", "90s"],
  ],
  [
    "resource.k8s.io/v1 ResourceSlice",
    { spec: { driver: "d.e", nodeName: "n1", pool: { name: "p" } } },
    ["n1", "d.e", "p", "90s"],
  ],
])("%s with %j is printed", (kind, object, cells) => {
  expect(cellsOf(kind, { metadata: meta("x"), ...object })).toEqual(["x", ...cells]);
});
