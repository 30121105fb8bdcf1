import { expect, test } from "vitest";
import { cellsOf, meta } from "./rows.fixture.ts";

test("ConfigMaps and Secrets show the number of entries", () => {
  expect(
    cellsOf("v1 ConfigMap", { metadata: meta("a"), data: { a: "1", b: "2" }, binaryData: { c: "YQ==" } }),
  ).toEqual(["a", 3, "90s"]);
  expect(cellsOf("v1 ConfigMap", { metadata: meta("a") })).toEqual(["a", 0, "90s"]);
  expect(cellsOf("v1 Secret", { metadata: meta("a"), type: "Opaque", data: { a: "YQ==" } })).toEqual([
    "a",
    "Opaque",
    1,
    "90s",
  ]);
});

test("a kind without a printer shows its creation time", () => {
  expect(cellsOf("v1 LimitRange", { metadata: meta("a") })).toEqual(["a", "2026-11-16T02:58:30Z"]);
  expect(cellsOf("v1 LimitRange", { metadata: {} })).toEqual(["", "0001-01-01T00:00:00Z"]);
});

test.each<[string, object, string[]]>([
  [
    "is ready and has roles",
    {
      metadata: meta("n1", {
        labels: {
          "node-role.kubernetes.io/control-plane": "",
          "node-role.kubernetes.io/a": "",
          "kubernetes.io/role": "legacy",
        },
      }),
      status: {
        conditions: [{ type: "Ready", status: "True" }],
        addresses: [
          { type: "InternalIP", address: "10.1.0.1" },
          { type: "ExternalIP", address: "5.5.5.5" },
        ],
        nodeInfo: {
          kernelVersion: "6.1",
          osImage: "Debian 12",
          containerRuntimeVersion: "containerd://2",
          kubeletVersion: "v1.36.3",
          architecture: "amd64",
        },
      },
    },
    [
      "n1",
      "Ready",
      "a,control-plane,legacy",
      "90s",
      "v1.36.3",
      "10.1.0.1",
      "5.5.5.5",
      "Debian 12",
      "6.1 (amd64)",
      "containerd://2",
    ],
  ],
  [
    "is unschedulable",
    {
      metadata: meta("n2"),
      spec: { unschedulable: true },
      status: { conditions: [{ type: "Ready", status: "False" }] },
    },
    [
      "n2",
      "NotReady,SchedulingDisabled",
      "<none>",
      "90s",
      "",
      "<none>",
      "<none>",
      "<unknown>",
      "<unknown>",
      "<unknown>",
    ],
  ],
  [
    "has an empty status",
    { metadata: meta("n3"), status: { nodeInfo: { architecture: "arm64" } } },
    ["n3", "Unknown", "<none>", "90s", "", "<none>", "<none>", "<unknown>", "<unknown> (arm64)", "<unknown>"],
  ],
])("a Node that %s is printed", (_, node, cells) => {
  expect(cellsOf("v1 Node", node)).toEqual(cells);
});

const ingress = [
  { ip: "1.1.1.1", hostname: "h.i" },
  { ip: "1.1.1.1" },
  { hostname: "a-very-long-hostname.example.com" },
];

test.each<[string, { spec: object; status?: object }, string[]]>([
  [
    "has ports and a selector",
    {
      spec: {
        type: "ClusterIP",
        clusterIPs: ["10.0.0.100"],
        ports: [
          { port: 80, protocol: "TCP" },
          { port: 53, protocol: "UDP" },
        ],
        selector: { b: "2", a: "1" },
      },
    },
    ["ClusterIP", "10.0.0.100", "<none>", "80/TCP,53/UDP", "90s", "a=1,b=2"],
  ],
  [
    "is headless",
    { spec: { type: "ClusterIP", clusterIPs: ["None"], ports: [] } },
    ["ClusterIP", "None", "<none>", "<none>", "90s", "<none>"],
  ],
  [
    "is of type NodePort",
    {
      spec: {
        type: "NodePort",
        clusterIPs: ["10.0.0.1"],
        ports: [{ port: 80, nodePort: 30080, protocol: "TCP" }],
      },
    },
    ["NodePort", "10.0.0.1", "<none>", "80:30080/TCP", "90s", "<none>"],
  ],
  [
    "has no load balancer yet",
    { spec: { type: "LoadBalancer", clusterIPs: ["10.0.0.1"] } },
    ["LoadBalancer", "10.0.0.1", "<pending>", "<none>", "90s", "<none>"],
  ],
  [
    "has a load balancer and external IPs",
    {
      spec: { type: "LoadBalancer", clusterIPs: ["10.0.0.1"], externalIPs: ["9.9.9.9"] },
      status: { loadBalancer: { ingress } },
    },
    [
      "LoadBalancer",
      "10.0.0.1",
      "1.1.1.1,a-very-long-hostname.example.com,9.9.9.9",
      "<none>",
      "90s",
      "<none>",
    ],
  ],
  [
    "is of type ExternalName",
    { spec: { type: "ExternalName", externalName: "foo.example.com" } },
    ["ExternalName", "<none>", "foo.example.com", "<none>", "90s", "<none>"],
  ],
  [
    "has external IPs",
    { spec: { type: "ClusterIP", clusterIPs: ["10.0.0.1"], externalIPs: ["9.9.9.9", "8.8.8.8"] } },
    ["ClusterIP", "10.0.0.1", "9.9.9.9,8.8.8.8", "<none>", "90s", "<none>"],
  ],
  ["has an empty spec", { spec: {} }, ["", "<none>", "<unknown>", "<none>", "90s", "<none>"]],
])("a Service that %s is printed", (_, service, cells) => {
  expect(cellsOf("v1 Service", { metadata: meta("s"), ...service })).toEqual(["s", ...cells]);
});

test.each<[object[], string]>([
  [
    [{ addresses: [{ ip: "1.1.1.1" }, { ip: "1.1.1.2" }], ports: [{ port: 80 }, { port: 81 }] }],
    "1.1.1.1:80,1.1.1.2:80,1.1.1.1:81 + 1 more...",
  ],
  [
    [
      { addresses: [{ ip: "1.1.1.1" }, { ip: "1.1.1.2" }] },
      { notReadyAddresses: [{ ip: "1.1.1.9" }], ports: [{ port: 80 }] },
    ],
    "1.1.1.1,1.1.1.2",
  ],
  [[{ addresses: [{ ip: "fd00::1" }], ports: [{ port: 80 }] }], "[fd00::1]:80"],
  [[], "<none>"],
])("Endpoints with %j are printed as %s", (subsets, text) => {
  expect(cellsOf("v1 Endpoints", { metadata: meta("e"), subsets })).toEqual(["e", text, "90s"]);
});

test("a ResourceQuota shows usage, with limits in a separate column", () => {
  const status = {
    hard: { pods: "10", "limits.cpu": "4", "requests.cpu": "2", "count/x.y": "3" },
    used: { pods: "2", "limits.cpu": "500m", "requests.cpu": "1" },
  };
  expect(cellsOf("v1 ResourceQuota", { metadata: meta("q"), status })).toEqual([
    "q",
    "count/x.y: 0/3, pods: 2/10, requests.cpu: 1/2",
    "limits.cpu: 500m/4",
    "90s",
  ]);
});

test("Namespaces, PodTemplates and ReplicationControllers are printed", () => {
  const template = {
    metadata: { labels: { app: "x" } },
    spec: {
      containers: [
        { name: "c0", image: "img0:1" },
        { name: "c1", image: "img1:1" },
      ],
    },
  };
  expect(cellsOf("v1 Namespace", { metadata: meta("n"), status: { phase: "Terminating" } })).toEqual([
    "n",
    "Terminating",
    "90s",
  ]);
  expect(cellsOf("v1 PodTemplate", { metadata: meta("t"), template })).toEqual([
    "t",
    "c0,c1",
    "img0:1,img1:1",
    "app=x",
  ]);
  expect(
    cellsOf("v1 ReplicationController", {
      metadata: meta("r"),
      spec: { replicas: 2, selector: { app: "x" }, template },
      status: { replicas: 1 },
    }),
  ).toEqual(["r", 2, 1, 0, "90s", "c0,c1", "img0:1,img1:1", "app=x"]);
});
