import * as z from "zod";
import type { Condition, LabelSelector } from "../api/index.ts";
import type { DeploymentSpec, DeploymentStrategy, StatefulSetSpec } from "../api/types/apps/v1.ts";
import type { HorizontalPodAutoscalerSpec, MetricSpec } from "../api/types/autoscaling/v2.ts";
import type { CronJobSpec, JobSpec, JobTemplateSpec } from "../api/types/batch/v1.ts";
import type * as core from "../api/types/core/v1.ts";
import type { IngressSpec, NetworkPolicySpec } from "../api/types/networking/v1.ts";
import type { PolicyRule } from "../api/types/rbac/v1.ts";
import { builtInSchema } from "./built-in-schema.ts";

/** The built-in types that a custom kind can contain, by name. */
export interface BuiltInTypes {
  readonly Affinity: core.Affinity;
  readonly Condition: Condition;
  readonly ConfigMapKeySelector: core.ConfigMapKeySelector;
  readonly Container: core.Container;
  readonly ContainerPort: core.ContainerPort;
  readonly CronJobSpec: CronJobSpec;
  readonly DeploymentSpec: DeploymentSpec;
  readonly DeploymentStrategy: DeploymentStrategy;
  readonly EnvFromSource: core.EnvFromSource;
  readonly EnvVar: core.EnvVar;
  readonly HorizontalPodAutoscalerSpec: HorizontalPodAutoscalerSpec;
  readonly HostAlias: core.HostAlias;
  readonly IngressSpec: IngressSpec;
  readonly JobSpec: JobSpec;
  readonly JobTemplateSpec: JobTemplateSpec;
  readonly LabelSelector: LabelSelector;
  readonly LocalObjectReference: core.LocalObjectReference;
  readonly MetricSpec: MetricSpec;
  readonly NetworkPolicySpec: NetworkPolicySpec;
  readonly NodeSelector: core.NodeSelector;
  readonly ObjectReference: core.ObjectReference;
  readonly PersistentVolumeClaimSpec: core.PersistentVolumeClaimSpec;
  readonly PersistentVolumeClaimTemplate: core.PersistentVolumeClaimTemplate;
  readonly PodSecurityContext: core.PodSecurityContext;
  readonly PodSpec: core.PodSpec;
  readonly PodTemplateSpec: core.PodTemplateSpec;
  readonly PolicyRule: PolicyRule;
  readonly Probe: core.Probe;
  readonly ResourceRequirements: core.ResourceRequirements;
  readonly SecretKeySelector: core.SecretKeySelector;
  readonly SecurityContext: core.SecurityContext;
  readonly ServicePort: core.ServicePort;
  readonly ServiceSpec: core.ServiceSpec;
  readonly StatefulSetSpec: StatefulSetSpec;
  readonly Toleration: core.Toleration;
  readonly TopologySpreadConstraint: core.TopologySpreadConstraint;
  readonly TypedLocalObjectReference: core.TypedLocalObjectReference;
  readonly Volume: core.Volume;
  readonly VolumeMount: core.VolumeMount;
}

/** The API groups, in OpenAPI names, of the types that are not in the core group. */
const groups: Readonly<Partial<Record<keyof BuiltInTypes, string>>> = {
  Condition: "io.k8s.apimachinery.pkg.apis.meta.v1",
  CronJobSpec: "io.k8s.api.batch.v1",
  DeploymentSpec: "io.k8s.api.apps.v1",
  DeploymentStrategy: "io.k8s.api.apps.v1",
  HorizontalPodAutoscalerSpec: "io.k8s.api.autoscaling.v2",
  IngressSpec: "io.k8s.api.networking.v1",
  JobSpec: "io.k8s.api.batch.v1",
  JobTemplateSpec: "io.k8s.api.batch.v1",
  LabelSelector: "io.k8s.apimachinery.pkg.apis.meta.v1",
  MetricSpec: "io.k8s.api.autoscaling.v2",
  NetworkPolicySpec: "io.k8s.api.networking.v1",
  PolicyRule: "io.k8s.api.rbac.v1",
  StatefulSetSpec: "io.k8s.api.apps.v1",
};

/**
 * Returns the schema of a built-in type: `builtIn("PodTemplateSpec")`, `builtIn("JobTemplateSpec")`.
 *
 * It has the fields, required fields, list keys and enums of the Kubernetes release that Trimtab's types come from.
 * Defaults are left out. The API server stores a quantity as it was written, which may be a number: read it with
 * `parseQuantity`. zod itself accepts any value: `parse` of the kind and the API server validate it.
 */
export function builtIn<N extends keyof BuiltInTypes>(
  name: N,
): z.ZodCustom<BuiltInTypes[N], BuiltInTypes[N]> {
  return z.custom<BuiltInTypes[N]>().meta(builtInSchema(`${groups[name] ?? "io.k8s.api.core.v1"}.${name}`));
}
