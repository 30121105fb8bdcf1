import { expect, test } from "vitest";
import { z } from "zod";
import type { Condition } from "../api/index.ts";
import { defineResource, InvalidObjectError } from "../crd/index.ts";
import { startCluster } from "../testing/index.ts";
import { type BuiltInTypes, builtIn, conditions, duration, intOrString, quantity } from "./index.ts";

const name = { group: "example.dev", version: "v1", kind: "Job" } as const;

/** Returns the structural schema of a field. */
function schemaOf(field: z.ZodType) {
  const Job = defineResource({ ...name, spec: z.object({ it: field }) });
  const [version] = Job.toCustomResourceDefinition().spec.versions;
  return version?.schema?.openAPIV3Schema?.properties?.spec?.properties?.it;
}

/** Returns true if a kind with such a field accepts the value. */
function accepts(field: z.ZodType, value: unknown): boolean {
  const Job = defineResource({ ...name, spec: z.object({ it: field }) });
  try {
    Job.parse({ metadata: { name: "a" }, spec: { it: value } });
    return true;
  } catch (error) {
    if (error instanceof InvalidObjectError) return false;
    throw error;
  }
}

const limits = { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 };

test("short forms have the schemas that Kubernetes uses", () => {
  expect(schemaOf(intOrString())).toEqual({ "x-kubernetes-int-or-string": true, ...limits });
  expect(schemaOf(quantity())).toEqual({
    "x-kubernetes-int-or-string": true,
    ...limits,
    pattern: "^[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?$",
  });
  expect(schemaOf(duration())).toEqual({
    type: "string",
    pattern: "^(0|([0-9]+(\\.[0-9]+)?(ns|us|µs|ms|s|m|h))+)$",
  });
});

test.each<[string, z.ZodType, Record<"valid" | "invalid", readonly unknown[]>]>([
  ["an integer or string", intOrString(), { valid: [80, "http", "25%"], invalid: [1.5, true, null] }],
  [
    "a quantity",
    quantity(),
    { valid: ["500m", "1Gi", "1.5", ".5", "1e3", "-1", 2], invalid: ["1 Gi", "", "1GB", 1.5] },
  ],
  ["a duration", duration(), { valid: ["1h30m", "500ms", "1.5s", "0"], invalid: ["", "1", "1d", "-1s", 5] }],
])("%s accepts valid values only", (_, field, { valid, invalid }) => {
  expect(valid.map((value) => accepts(field, value))).toEqual(valid.map(() => true));
  expect(invalid.map((value) => accepts(field, value))).toEqual(invalid.map(() => false));
});

const ready: Condition = {
  type: "Ready",
  status: "True",
  reason: "Started",
  message: "",
  lastTransitionTime: "2030-01-02T03:04:05Z",
};

test.each([
  ["one", [ready], true],
  ["one per type", [ready, { ...ready, type: "example.dev/Stable", observedGeneration: 3 }], true],
  ["two of one type", [ready, ready], false],
  ["one without a reason", [{ ...ready, reason: "" }], false],
  ["one with another status", [{ ...ready, status: "Maybe" }], false],
  ["one with another time", [{ ...ready, lastTransitionTime: "now" }], false],
])("conditions: %s", (_, value, valid) => {
  expect(accepts(conditions(), value)).toBe(valid);
});

test("conditions are merged by type", () => {
  expect(schemaOf(conditions())).toMatchObject({
    type: "array",
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["type"],
    items: { required: ["type", "status", "reason", "message", "lastTransitionTime"] },
  });
});

test("a built-in type has its real schema, without defaults except for list keys", () => {
  expect(schemaOf(builtIn("LabelSelector"))).toEqual({
    type: "object",
    "x-kubernetes-map-type": "atomic",
    properties: {
      matchLabels: { type: "object", additionalProperties: { type: "string" } },
      matchExpressions: {
        type: "array",
        "x-kubernetes-list-type": "atomic",
        items: {
          type: "object",
          required: ["key", "operator"],
          properties: {
            key: { type: "string" },
            operator: { type: "string" },
            values: { type: "array", "x-kubernetes-list-type": "atomic", items: { type: "string" } },
          },
        },
      },
    },
  });
  const ports = schemaOf(builtIn("Container"))?.properties?.ports;
  expect(ports).toMatchObject({
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["containerPort", "protocol"],
  });
  expect(ports?.items).toMatchObject({
    required: ["containerPort"],
    properties: {
      protocol: { type: "string", default: "TCP" },
      hostPort: { type: "integer", format: "int32" },
    },
  });
});

const everyType: Readonly<Record<keyof BuiltInTypes, true>> = {
  Affinity: true,
  Condition: true,
  ConfigMapKeySelector: true,
  Container: true,
  ContainerPort: true,
  CronJobSpec: true,
  DeploymentSpec: true,
  DeploymentStrategy: true,
  EnvFromSource: true,
  EnvVar: true,
  HorizontalPodAutoscalerSpec: true,
  HostAlias: true,
  IngressSpec: true,
  JobSpec: true,
  JobTemplateSpec: true,
  LabelSelector: true,
  LocalObjectReference: true,
  MetricSpec: true,
  NetworkPolicySpec: true,
  NodeSelector: true,
  ObjectReference: true,
  PersistentVolumeClaimSpec: true,
  PersistentVolumeClaimTemplate: true,
  PodSecurityContext: true,
  PodSpec: true,
  PodTemplateSpec: true,
  PolicyRule: true,
  Probe: true,
  ResourceRequirements: true,
  SecretKeySelector: true,
  SecurityContext: true,
  ServicePort: true,
  ServiceSpec: true,
  StatefulSetSpec: true,
  Toleration: true,
  TopologySpreadConstraint: true,
  TypedLocalObjectReference: true,
  Volume: true,
  VolumeMount: true,
};

test("every built-in type can be part of a custom kind", () => {
  for (const each of Object.keys(everyType) as Array<keyof BuiltInTypes>) {
    expect([each, schemaOf(builtIn(each).optional())?.type]).toEqual([each, "object"]);
  }
});

test("a server keeps a template as it was written, except for metadata that only a server sets", async () => {
  const Batch = defineResource({
    ...name,
    kind: "Batch",
    spec: z.object({ template: builtIn("JobTemplateSpec"), pod: builtIn("PodTemplateSpec").optional() }),
  });
  await using cluster = await startCluster({ kinds: [Batch] });
  const container = {
    name: "main",
    image: "busybox",
    ports: [{ containerPort: 80, protocol: "TCP" as const }],
    resources: { limits: { cpu: "500m", memory: "1Gi" } },
    livenessProbe: { httpGet: { port: "web", path: "/" } },
  };
  const pod = { metadata: { labels: { app: "a" } }, spec: { containers: [container] } };
  const spec = { template: { metadata: { annotations: { a: "b" } }, spec: { template: pod } } };
  const made = await cluster.client.create(Batch, { metadata: { name: "a" }, spec });
  expect(made.spec).toEqual(spec);
  // Go programs write this time, which is not in the type.
  const metadata = { labels: { app: "b" }, creationTimestamp: null };
  const merge = { spec: { pod: { ...pod, metadata, color: "red" } } };
  const changed = await cluster.client.patch(Batch, "a", { merge });
  expect(changed.spec.pod).toEqual({ ...pod, metadata: { labels: { app: "b" } } });
  const wrong: object = {
    spec: { pod: { spec: { containers: [{ name: 5 }], restartPolicy: "Sometimes" } } },
  };
  await expect(cluster.client.patch(Batch, "a", { merge: wrong })).rejects.toThrow(
    /spec\.pod\.spec\.containers\[0\]\.name.*spec\.pod\.spec\.restartPolicy/s,
  );
});
