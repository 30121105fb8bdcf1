import { expect, test } from "vitest";
import { cellsOf, meta } from "./rows.fixture.ts";

const scaleTargetRef = { kind: "Deployment", name: "d" };
const utilization = { type: "Utilization", averageUtilization: 80 };
const cpu = { type: "Resource", resource: { name: "cpu", target: utilization } };
const memory = { type: "Resource", resource: { name: "memory", target: { averageValue: "100Mi" } } };
const podMetric = { type: "Pods", pods: { target: { averageValue: "10" } } };

test.each<[string, object[], object[], string]>([
  ["no metrics", [], [], "<none>"],
  ["an unknown utilization", [cpu], [], "cpu: <unknown>/80%"],
  ["a known utilization", [cpu], [{ resource: { current: { averageUtilization: 50 } } }], "cpu: 50%/80%"],
  [
    "more than two metrics",
    [cpu, memory, podMetric, { type: "Object", object: { target: { value: "5" } } }],
    [],
    "cpu: <unknown>/80%, memory: <unknown>/100Mi + 2 more...",
  ],
  [
    "an external metric",
    [
      { type: "External", external: { target: { averageValue: "30" } } },
      { type: "External", external: { target: { value: "30" } } },
    ],
    [{ external: { current: { averageValue: "7" } } }, { external: { current: { value: "9" } } }],
    "7/30 (avg), 9/30",
  ],
  [
    "a container resource and memory",
    [{ type: "ContainerResource", containerResource: { name: "cpu", target: utilization } }, memory],
    [
      { containerResource: { current: { averageUtilization: 5 } } },
      { resource: { current: { averageValue: "50Mi" } } },
    ],
    "cpu: 5%/80%, memory: 50Mi/100Mi",
  ],
  [
    "an object and Pods",
    [{ type: "Object", object: { target: { averageValue: "5" } } }, podMetric],
    [{ object: { current: { averageValue: "7" } } }, { pods: { current: { averageValue: "9" } } }],
    "7/5 (avg), 9/10",
  ],
])("an autoscaler with %s shows its targets", (...[, metrics, currentMetrics, targets]) => {
  const autoscaler = {
    metadata: meta("h"),
    spec: { scaleTargetRef, minReplicas: 2, maxReplicas: 10, metrics },
    status: { currentReplicas: 3, currentMetrics },
  };
  const cells = cellsOf("autoscaling/v2 HorizontalPodAutoscaler", autoscaler);
  expect(cells).toEqual(["h", "Deployment/d", targets, "2", 10, 3, "90s"]);
});

test("an autoscaling/v1 autoscaler shows its CPU target", () => {
  const spec = { scaleTargetRef, maxReplicas: 10, targetCPUUtilizationPercentage: 80 };
  const status = { currentReplicas: 3, currentCPUUtilizationPercentage: 50 };
  expect(cellsOf("autoscaling/v1 HorizontalPodAutoscaler", { metadata: meta("h"), spec, status })).toEqual([
    "h",
    "Deployment/d",
    "cpu: 50%/80%",
    "<unset>",
    10,
    3,
    "90s",
  ]);
});

test.each<[object, string, string, number]>([
  [{ minAvailable: 2 }, "2", "N/A", 1],
  [{ maxUnavailable: "30%" }, "N/A", "30%", 1],
  [{ maxUnavailable: 0 }, "N/A", "0", 1],
])("a PodDisruptionBudget with %j is printed", (...[spec, least, most, allowed]) => {
  const budget = { metadata: meta("b"), spec, status: { disruptionsAllowed: allowed } };
  expect(cellsOf("policy/v1 PodDisruptionBudget", budget)).toEqual(["b", least, most, allowed, "90s"]);
});

test("a RoleBinding shows users, groups and service accounts in separate columns", () => {
  const binding = {
    metadata: meta("b"),
    roleRef: { kind: "ClusterRole", name: "view" },
    subjects: [
      { kind: "User", name: "u1" },
      { kind: "User", name: "u2" },
      { kind: "Group", name: "g1" },
      { kind: "ServiceAccount", name: "sa", namespace: "ns" },
    ],
  };
  const cells = ["b", "ClusterRole/view", "90s", "u1, u2", "g1", "ns/sa"];
  expect(cellsOf("rbac.authorization.k8s.io/v1 RoleBinding", binding)).toEqual(cells);
  expect(cellsOf("rbac.authorization.k8s.io/v1 ClusterRoleBinding", binding)).toEqual(cells);
});

const selector = {
  matchLabels: { c: "d", a: "b" },
  matchExpressions: [{ key: "k", operator: "In", values: ["x", "y"] }],
};

test.each([
  [{ name: "cm", namespace: "default" }, "default/cm"],
  [{ name: "cm" }, "*/cm"],
  [
    { selector },
    "&LabelSelector{MatchLabels:map[string]string{a: b,c: d,},MatchExpressions:[]LabelSelectorRequirement{LabelSelectorRequirement{Key:k,Operator:In,Values:[x y],},},}",
  ],
  [undefined, "<unset>"],
])("a policy binding with paramRef %j is printed", (paramRef, text) => {
  const binding = { metadata: meta("b"), spec: { policyName: "p", paramRef } };
  const kind = "admissionregistration.k8s.io/v1 ValidatingAdmissionPolicyBinding";
  expect(cellsOf(kind, binding)).toEqual(["b", "p", text, "90s"]);
});

test("admission policies and webhook configurations show counts", () => {
  const group = "admissionregistration.k8s.io/v1";
  const spec = { paramKind: { apiVersion: "v1", kind: "ConfigMap" }, validations: [{}, {}] };
  expect(cellsOf(`${group} ValidatingAdmissionPolicy`, { metadata: meta("p"), spec })).toEqual([
    "p",
    2,
    "v1/ConfigMap",
    "90s",
  ]);
  expect(
    cellsOf(`${group} MutatingAdmissionPolicy`, { metadata: meta("p"), spec: { mutations: [{}] } }),
  ).toEqual(["p", 1, "<unset>", "90s"]);
  expect(
    cellsOf(`${group} MutatingWebhookConfiguration`, { metadata: meta("w"), webhooks: [{}, {}] }),
  ).toEqual(["w", 2, "90s"]);
});
