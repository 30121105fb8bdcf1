import type { KubeObject } from "../../api/index.ts";
import type { HorizontalPodAutoscaler as AutoscalerV1 } from "../../api/types/autoscaling/v1.ts";
import type {
  HorizontalPodAutoscaler,
  HPAScalingRules,
  MetricSpec,
  MetricStatus,
} from "../../api/types/autoscaling/v2.ts";
import { fromMetricStatusV1, fromMetricV1, toMetricStatusV1, toMetricV1 } from "./metric-conversion.ts";

/** The prefix of the annotations that hold the autoscaling/v2 fields that autoscaling/v1 does not have. */
const prefix = "autoscaling.alpha.kubernetes.io";

/** Converts an autoscaler of either version to autoscaling/v1. */
export function toAutoscalerV1(object: KubeObject): AutoscalerV1 {
  if (object.apiVersion === "autoscaling/v1") return object as AutoscalerV1;
  const { metadata, spec, status } = object as HorizontalPodAutoscaler;
  const { metrics = [], behavior, ...bounds } = spec;
  const { currentMetrics, conditions, ...counts } = status ?? emptyStatus;
  const cpu = metrics.find(isCpuUtilization);
  const rest = metrics.filter((metric) => metric !== cpu);
  const annotations = {
    ...metadata.annotations,
    ...annotation("behavior", behavior && goBehavior(behavior)),
    ...annotation("conditions", conditions),
    ...annotation("current-metrics", (currentMetrics ?? []).map(toMetricStatusV1)),
    ...annotation("metrics", rest.map(toMetricV1)),
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

const emptyStatus: NonNullable<HorizontalPodAutoscaler["status"]> = { desiredReplicas: 0 };

function annotation(name: string, value: unknown): Record<string, string> {
  const empty = value === undefined || value === null || (Array.isArray(value) && value.length === 0);
  return empty ? {} : { [`${prefix}/${name}`]: JSON.stringify(value) };
}

function isCpuUtilization({ type, resource }: MetricSpec): boolean {
  return type === "Resource" && resource?.name === "cpu" && resource.target.averageUtilization !== undefined;
}

function isCpuStatus({ type, resource }: MetricStatus): boolean {
  return type === "Resource" && resource?.name === "cpu" && resource.current.averageUtilization !== undefined;
}

type Behavior = NonNullable<HorizontalPodAutoscaler["spec"]["behavior"]>;

/** Formats the behavior as Go serializes a struct without JSON tags. */
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

/** Converts an autoscaler of either version to autoscaling/v2. */
export function toAutoscalerV2(object: KubeObject): HorizontalPodAutoscaler {
  if (object.apiVersion !== "autoscaling/v1") return object as HorizontalPodAutoscaler;
  const { metadata, spec, status } = object as AutoscalerV1;
  const { targetCPUUtilizationPercentage: utilization, ...bounds } = spec ?? {
    scaleTargetRef: { kind: "", name: "" },
    maxReplicas: 0,
  };
  const { currentCPUUtilizationPercentage: _, ...counts } = status ?? {
    currentReplicas: 0,
    desiredReplicas: 0,
  };
  const annotated = readAnnotations(metadata.annotations ?? {});
  const cpu: MetricSpec[] =
    utilization === undefined
      ? []
      : [
          {
            type: "Resource",
            resource: { name: "cpu", target: { type: "Utilization", averageUtilization: utilization } },
          },
        ];
  return {
    kind: "HorizontalPodAutoscaler",
    apiVersion: "autoscaling/v2",
    metadata: { ...metadata, annotations: annotated.annotations },
    spec: { ...bounds, metrics: [...annotated.metrics, ...cpu], behavior: annotated.behavior },
    status: { ...counts, currentMetrics: annotated.currentMetrics, conditions: annotated.conditions },
  };
}

interface AnnotatedFields {
  readonly annotations: Record<string, string> | undefined;
  readonly metrics: MetricSpec[];
  readonly currentMetrics: MetricStatus[] | undefined;
  readonly conditions: NonNullable<HorizontalPodAutoscaler["status"]>["conditions"];
  readonly behavior: Behavior | undefined;
}

function readAnnotations(annotations: Readonly<Record<string, string>>): AnnotatedFields {
  const ownKeys = ["behavior", "conditions", "current-metrics", "metrics"].map((name) => `${prefix}/${name}`);
  const rest = Object.entries(annotations).filter(([key]) => !ownKeys.includes(key));
  const read = (name: string): unknown => readJsonText(annotations[`${prefix}/${name}`]);
  return {
    annotations: rest.length > 0 ? Object.fromEntries(rest) : undefined,
    metrics: listOf(read("metrics")).map(fromMetricV1),
    currentMetrics: annotations[`${prefix}/current-metrics`]
      ? listOf(read("current-metrics")).map(fromMetricStatusV1)
      : undefined,
    // The server writes these annotations. Values that users write are used unchecked, as in kube-apiserver.
    conditions: read("conditions") as AnnotatedFields["conditions"],
    behavior: behaviorOf(read("behavior")),
  };
}

/** Parses JSON. Returns `undefined` if the text is invalid. */
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
  return value === undefined ? undefined : (withLowerCaseKeys(value) as Behavior);
}

/** Converts keys to a lower-case first letter and removes nulls. */
function withLowerCaseKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withLowerCaseKeys);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(
    entries.map(([key, inner]) => [key.charAt(0).toLowerCase() + key.slice(1), withLowerCaseKeys(inner)]),
  );
}
