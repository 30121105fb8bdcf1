import type { DeepPartial } from "../../api/index.ts";
import type { HorizontalPodAutoscaler as AutoscalerV1, Scale } from "../../api/types/autoscaling/v1.ts";
import type { HorizontalPodAutoscaler, MetricSpec, MetricStatus } from "../../api/types/autoscaling/v2.ts";
import { firstOf } from "./cell-text.ts";
import { age, integer, name, type Printable, type Printers, printer, text } from "./column.ts";

export const autoscaling: Printers = {
  HorizontalPodAutoscaler: printer<HorizontalPodAutoscaler>(
    name,
    text(
      "Reference",
      ({ spec }) => `${spec?.scaleTargetRef?.kind ?? ""}/${spec?.scaleTargetRef?.name ?? ""}`,
    ),
    text("Targets", targetsOf),
    text("MinPods", ({ spec }) => (spec?.minReplicas === undefined ? "<unset>" : `${spec.minReplicas}`)),
    text("MaxPods", ({ spec }) => spec?.maxReplicas ?? 0),
    text("Replicas", ({ status }) => status?.currentReplicas ?? 0),
    age,
  ),
  Scale: printer<Scale>(
    text("Name", ({ metadata }) => metadata.name),
    integer("Desired", ({ spec }) => spec?.replicas ?? 0),
    integer("Available", ({ status }) => status?.replicas ?? 0),
    age,
  ),
};

type Spec = DeepPartial<MetricSpec>;
type Current = DeepPartial<MetricStatus> | undefined;

function targetsOf(autoscaler: Printable<HorizontalPodAutoscaler>): string {
  const metrics = autoscaler.spec?.metrics ?? metricsV1(autoscaler);
  if (metrics.length === 0) return "<none>";
  const current = autoscaler.status?.currentMetrics ?? currentV1(autoscaler);
  return firstOf(
    metrics.map((metric, index) => metricText(metric, current[index])),
    2,
    ", ",
  );
}

/** Returns the metric of autoscaling/v1, which has a single CPU target. */
function metricsV1(autoscaler: Printable<HorizontalPodAutoscaler>): Spec[] {
  const { spec } = autoscaler as Printable<AutoscalerV1>;
  const averageUtilization = spec?.targetCPUUtilizationPercentage;
  if (averageUtilization === undefined) return [];
  return [{ type: "Resource", resource: { name: "cpu", target: { averageUtilization } } }];
}

function currentV1(autoscaler: Printable<HorizontalPodAutoscaler>): Current[] {
  const { status } = autoscaler as Printable<AutoscalerV1>;
  return [{ resource: { current: { averageUtilization: status?.currentCPUUtilizationPercentage } } }];
}

/** Formats a metric as `current/target`, after the name of a resource. */
function metricText(spec: Spec, current: Current): string {
  switch (spec.type) {
    case "External":
      return valueText(spec.external?.target, current?.external?.current);
    case "Object":
      return valueText(spec.object?.target, current?.object?.current);
    case "Pods":
      return `${current?.pods?.current?.averageValue ?? "<unknown>"}/${spec.pods?.target?.averageValue}`;
    case "Resource":
      return resourceText(spec.resource, current?.resource?.current);
    case "ContainerResource":
      return resourceText(spec.containerResource, current?.containerResource?.current);
    default:
      return "<unknown type>";
  }
}

interface Amounts {
  readonly value?: string | undefined;
  readonly averageValue?: string | undefined;
  readonly averageUtilization?: number | undefined;
}

function valueText(target: Amounts | undefined, current: Amounts | undefined): string {
  if (target?.averageValue !== undefined) {
    return `${current?.averageValue ?? "<unknown>"}/${target.averageValue} (avg)`;
  }
  return `${current?.value ?? "<unknown>"}/${target?.value}`;
}

interface ResourceMetric {
  readonly name?: string | undefined;
  readonly target?: Amounts | undefined;
}

function resourceText(metric: ResourceMetric | undefined, current: Amounts | undefined): string {
  const target = metric?.target?.averageValue;
  const values =
    target === undefined
      ? `${percent(current) ?? "<unknown>"}/${percent(metric?.target) ?? "<auto>"}`
      : `${current?.averageValue ?? "<unknown>"}/${target}`;
  return `${metric?.name}: ${values}`;
}

function percent(amounts: Amounts | undefined): string | undefined {
  return amounts?.averageUtilization === undefined ? undefined : `${amounts.averageUtilization}%`;
}
