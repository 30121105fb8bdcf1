import type { KubeObject } from "../../api/index.ts";
import type { HorizontalPodAutoscaler as OldAutoscaler } from "../../api/types/autoscaling/v1.ts";
import type {
  HorizontalPodAutoscaler,
  HPAScalingRules,
  MetricSpec,
  MetricStatus,
} from "../../api/types/autoscaling/v2.ts";
import { metricOf, metricStatusOf, oldMetric, oldMetricStatus } from "./autoscaler-metrics.ts";

/** What autoscaling/v1 has no field for, it has in annotations. */
const prefix = "autoscaling.alpha.kubernetes.io";

/** An autoscaler of either version as one of autoscaling/v1. */
export function oldAutoscaler(object: KubeObject): OldAutoscaler {
  if (object.apiVersion === "autoscaling/v1") return object as OldAutoscaler;
  const { metadata, spec, status } = object as HorizontalPodAutoscaler;
  const { metrics = [], behavior, ...bounds } = spec;
  const { currentMetrics, conditions, ...counts } = status ?? noStatus;
  const cpu = metrics.find(isCpuShare);
  const rest = metrics.filter((metric) => metric !== cpu);
  const annotations = {
    ...metadata.annotations,
    ...annotation("behavior", behavior && goBehavior(behavior)),
    ...annotation("conditions", conditions),
    ...annotation("current-metrics", (currentMetrics ?? []).map(oldMetricStatus)),
    ...annotation("metrics", rest.map(oldMetric)),
  };
  return {
    kind: "HorizontalPodAutoscaler",
    apiVersion: "autoscaling/v1",
    metadata: Object.keys(annotations).length > 0 ? { ...metadata, annotations } : metadata,
    spec: { ...bounds, targetCPUUtilizationPercentage: cpu?.resource?.target.averageUtilization },
    status: {
      ...counts,
      currentReplicas: counts.currentReplicas ?? 0,
      currentCPUUtilizationPercentage: (currentMetrics ?? []).find(isCpuStatus)?.resource?.current
        .averageUtilization,
    },
  };
}

const noStatus: NonNullable<HorizontalPodAutoscaler["status"]> = { desiredReplicas: 0 };

function annotation(name: string, value: unknown): Record<string, string> {
  const none = value === undefined || value === null || (Array.isArray(value) && value.length === 0);
  return none ? {} : { [`${prefix}/${name}`]: JSON.stringify(value) };
}

function isCpuShare({ type, resource }: MetricSpec): boolean {
  return type === "Resource" && resource?.name === "cpu" && resource.target.averageUtilization !== undefined;
}

function isCpuStatus({ type, resource }: MetricStatus): boolean {
  return type === "Resource" && resource?.name === "cpu" && resource.current.averageUtilization !== undefined;
}

type Behavior = NonNullable<HorizontalPodAutoscaler["spec"]["behavior"]>;

/** As Go writes a struct that says nothing about JSON. */
function goBehavior({ scaleUp, scaleDown }: Behavior): object {
  return { ScaleUp: scaleUp ? goRules(scaleUp) : null, ScaleDown: scaleDown ? goRules(scaleDown) : null };
}

function goRules({ stabilizationWindowSeconds, selectPolicy, policies, tolerance }: HPAScalingRules): object {
  return {
    StabilizationWindowSeconds: stabilizationWindowSeconds ?? null,
    SelectPolicy: selectPolicy ?? null,
    Policies:
      policies?.map(({ type, value, periodSeconds }) => ({
        Type: type,
        Value: value,
        PeriodSeconds: periodSeconds,
      })) ?? null,
    Tolerance: tolerance ?? null,
  };
}

/** An autoscaler of either version as one of autoscaling/v2. */
export function newAutoscaler(object: KubeObject): HorizontalPodAutoscaler {
  if (object.apiVersion !== "autoscaling/v1") return object as HorizontalPodAutoscaler;
  const { metadata, spec, status } = object as OldAutoscaler;
  const { targetCPUUtilizationPercentage: share, ...bounds } = spec ?? {
    scaleTargetRef: { kind: "", name: "" },
    maxReplicas: 0,
  };
  const { currentCPUUtilizationPercentage: _, ...counts } = status ?? {
    currentReplicas: 0,
    desiredReplicas: 0,
  };
  const extra = extrasOf(metadata.annotations ?? {});
  const cpu: MetricSpec[] =
    share === undefined
      ? []
      : [
          {
            type: "Resource",
            resource: { name: "cpu", target: { type: "Utilization", averageUtilization: share } },
          },
        ];
  return {
    kind: "HorizontalPodAutoscaler",
    apiVersion: "autoscaling/v2",
    metadata: { ...metadata, annotations: extra.annotations },
    spec: { ...bounds, metrics: [...extra.metrics, ...cpu], behavior: extra.behavior },
    status: { ...counts, currentMetrics: extra.currentMetrics, conditions: extra.conditions },
  };
}

interface Extras {
  readonly annotations: Record<string, string> | undefined;
  readonly metrics: MetricSpec[];
  readonly currentMetrics: MetricStatus[] | undefined;
  readonly conditions: NonNullable<HorizontalPodAutoscaler["status"]>["conditions"];
  readonly behavior: Behavior | undefined;
}

function extrasOf(annotations: Readonly<Record<string, string>>): Extras {
  const ours = ["behavior", "conditions", "current-metrics", "metrics"].map((name) => `${prefix}/${name}`);
  const rest = Object.entries(annotations).filter(([key]) => !ours.includes(key));
  const read = (name: string): unknown => readJsonText(annotations[`${prefix}/${name}`]);
  return {
    annotations: rest.length > 0 ? Object.fromEntries(rest) : undefined,
    metrics: listOf(read("metrics")).map(metricOf),
    currentMetrics: annotations[`${prefix}/current-metrics`]
      ? listOf(read("current-metrics")).map(metricStatusOf)
      : undefined,
    // Written by the server itself; what others write there is taken on trust, as the real server takes it.
    conditions: read("conditions") as Extras["conditions"],
    behavior: behaviorOf(read("behavior")),
  };
}

/** What cannot be read is passed over. */
function readJsonText(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? (value as Record<string, unknown>[]) : [];
}

function behaviorOf(value: unknown): Behavior | undefined {
  return value === undefined ? undefined : (lowered(value) as Behavior);
}

/** Keys with a small first letter, and no nulls. */
function lowered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lowered);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(
    entries.map(([key, inner]) => [key.charAt(0).toLowerCase() + key.slice(1), lowered(inner)]),
  );
}
