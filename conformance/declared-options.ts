import { CustomResourceDefinition } from "trimtab/api/apiextensions/v1";
import { defineResource, immutable, listMap, rule } from "trimtab/crd";
import { type BuiltInTypes, builtIn, conditions, duration, intOrString, quantity } from "trimtab/zod";
import { z } from "zod";
import { untilServed } from "./defined.ts";
import type { Stage } from "./scenario.ts";

const range = z
  .object({ min: z.int32(), max: z.int32() })
  .meta(rule("self.min <= self.max", { message: "must not exceed max", fieldPath: ".min" }));

/** A field of each short form, and rules at several levels. */
const spec = z.object({
  domain: z.string().max(100).meta(immutable()),
  replicas: z.int32().min(0).default(1),
  range: range.optional(),
  rules: z
    .array(z.object({ name: z.string().max(20), value: z.string().max(20).meta(immutable()) }))
    .max(10)
    .meta(listMap("name"))
    .optional(),
  memory: quantity().optional(),
  port: intOrString().optional(),
  timeout: duration().default("30s"),
  template: builtIn("PodTemplateSpec").optional(),
  job: builtIn("JobTemplateSpec").optional(),
  open: z.object({ a: z.string() }).meta({ "x-kubernetes-preserve-unknown-fields": true }).optional(),
  mode: z
    .enum(["fast", "slow"])
    .meta(
      rule("oldSelf != 'slow' || self == 'slow'", {
        message: "slow stays slow",
        reason: "FieldValueForbidden",
      }),
    )
    .optional(),
});
const status = z.object({ replicas: z.int32(), selector: z.string(), conditions: conditions().optional() });

/** Declares a kind with all options of `defineResource`, and waits until it is served. */
export async function declaredWithOptions({ namespace, cluster: { client }, signal }: Stage) {
  const group = `${namespace}.example.dev`;
  const Site = defineResource({
    group,
    version: "v1",
    kind: "Site",
    categories: ["sites-of-tests"],
    labels: { app: "sites" },
    annotations: { "example.dev/team": "web" },
    spec,
    status,
    scale: {
      specReplicasPath: ".spec.replicas",
      statusReplicasPath: ".status.replicas",
      labelSelectorPath: ".status.selector",
    },
    selectableFields: [".spec.domain", ".spec.replicas"],
    columns: [
      { name: "Domain", path: ".spec.domain", type: "string" },
      { name: "Replicas", path: ".spec.replicas", type: "integer", format: "int32", priority: 1 },
    ],
    rules: [{ rule: "self.metadata.name != 'forbidden'", message: "is a reserved name" }],
  });
  return { Site, ...(await served(Site, client, signal)) };
}

/** Declares a kind with a field of every built-in type. */
export async function declaredWithBuiltIns({ namespace, cluster: { client }, signal }: Stage) {
  const fields = builtInNames.map((name) => [name.toLowerCase(), builtIn(name).optional()]);
  const All = defineResource({
    group: `${namespace}.example.dev`,
    version: "v1",
    kind: "All",
    plural: "alls",
    spec: z.object(Object.fromEntries(fields)),
  });
  return served(All, client, signal);
}

const builtInNames: ReadonlyArray<keyof BuiltInTypes> = [
  "Affinity",
  "Condition",
  "ConfigMapKeySelector",
  "Container",
  "ContainerPort",
  "CronJobSpec",
  "DeploymentStrategy",
  "EnvFromSource",
  "EnvVar",
  "HorizontalPodAutoscalerSpec",
  "HostAlias",
  "IngressSpec",
  "JobSpec",
  "LabelSelector",
  "LocalObjectReference",
  "MetricSpec",
  "NetworkPolicySpec",
  "NodeSelector",
  "ObjectReference",
  "PersistentVolumeClaimSpec",
  "PersistentVolumeClaimTemplate",
  "PodSecurityContext",
  "PolicyRule",
  "Probe",
  "ResourceRequirements",
  "SecretKeySelector",
  "SecurityContext",
  "ServicePort",
  "ServiceSpec",
  "StatefulSetSpec",
  "Toleration",
  "TopologySpreadConstraint",
  "TypedLocalObjectReference",
  "Volume",
  "VolumeMount",
];

/** Declares a kind with two versions. `storage` is the stored one. */
export function versionsOf(namespace: string, storage: "v1" | "v1beta1") {
  const name = { group: `${namespace}.example.dev`, kind: "Site" } as const;
  const fields = z.object({ image: z.string() });
  const stored = { spec: fields, storage: true } as const;
  const other = { spec: fields, convert: "none" } as const;
  return storage === "v1"
    ? defineResource({ ...name, versions: { v1: stored, v1beta1: other } })
    : defineResource({ ...name, versions: { v1: other, v1beta1: stored } });
}

/** A kind that can return its CustomResourceDefinition. */
export interface Declared {
  toCustomResourceDefinition(): Parameters<typeof createDefinition>[1];
}

async function createDefinition(
  client: Stage["client"],
  definition: ReturnType<ReturnType<typeof versionsOf>["toCustomResourceDefinition"]>,
): Promise<CustomResourceDefinition> {
  return client.create(CustomResourceDefinition, definition);
}

/** Creates the definition of a kind, and waits until it is served. Disposing the result deletes it. */
export async function served(declared: Declared, client: Stage["client"], signal: AbortSignal) {
  const definition = await createDefinition(client, declared.toCustomResourceDefinition());
  await untilServed(client, definition.metadata.name, signal);
  return {
    definition,
    async [Symbol.asyncDispose]() {
      await client.delete(CustomResourceDefinition, definition.metadata);
    },
  };
}
