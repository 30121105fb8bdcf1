import type { DeepPartial } from "../../api/index.ts";
import type { HorizontalPodAutoscaler as OldAutoscaler, Scale } from "../../api/types/autoscaling/v1.ts";
import type { HorizontalPodAutoscaler, MetricSpec, MetricStatus } from "../../api/types/autoscaling/v2.ts";
import { firstOf } from "./cell-text.ts";
import { age, integer, name, type Printers, printer, type Shown, text } from "./column.ts";

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

function targetsOf(autoscaler: Shown<HorizontalPodAutoscaler>): string {
  const metrics = autoscaler.spec?.metrics ?? oldMetrics(autoscaler);
  if (metrics.length === 0) return "<none>";
  const current = autoscaler.status?.currentMetrics ?? oldCurrent(autoscaler);
  return firstOf(
    metrics.map((metric, index) => metricText(metric, current[index])),
    2,
    ", ",
  );
}

/** In autoscaling/v1 there is one metric, with fields of its own. */
function oldMetrics(autoscaler: Shown<HorizontalPodAutoscaler>): Spec[] {
  const { spec } = autoscaler as Shown<OldAutoscaler>;
  const averageUtilization = spec?.targetCPUUtilizationPercentage;
  if (averageUtilization === undefined) return [];
  return [{ type: "Resource", resource: { name: "cpu", target: { averageUtilization } } }];
}

function oldCurrent(autoscaler: Shown<HorizontalPodAutoscaler>): Current[] {
  const { status } = autoscaler as Shown<OldAutoscaler>;
  return [{ resource: { current: { averageUtilization: status?.currentCPUUtilizationPercentage } } }];
}

/** `current/target`, with the name of a resource before it. */
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
  const shown =
    target === undefined
      ? `${percent(current) ?? "<unknown>"}/${percent(metric?.target) ?? "<auto>"}`
      : `${current?.averageValue ?? "<unknown>"}/${target}`;
  return `${metric?.name}: ${shown}`;
}

function percent(amounts: Amounts | undefined): string | undefined {
  return amounts?.averageUtilization === undefined ? undefined : `${amounts.averageUtilization}%`;
}
