import type {
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValueStatus,
} from "../../api/types/autoscaling/v2.ts";

/** A metric in the annotation of an autoscaling/v1 autoscaler. */
type MetricV1 = Record<string, unknown>;

/** A metric source of autoscaling/v2. Each type has some of these fields. */
interface Source {
  name?: string;
  container?: string;
  metric?: { name: string; selector?: unknown };
  describedObject?: unknown;
  target?: MetricTarget;
  current?: MetricValueStatus;
}

const sourceFields: Readonly<Record<string, string>> = {
  Resource: "resource",
  Pods: "pods",
  Object: "object",
  External: "external",
  ContainerResource: "containerResource",
};

/** Converts a metric to its form in the annotation. */
export function toMetricV1(metric: MetricSpec): MetricV1 {
  return mapSource(metric, ({ type, field, source }) => ({
    ...namesV1(type, source),
    ...amountsV1(type, { value: source.target, prefix: "target", field }),
    ...selectorV1(type, source),
    ...(source.container !== undefined && { container: source.container }),
  }));
}

export function toMetricStatusV1(metric: MetricStatus): MetricV1 {
  return mapSource(metric, ({ type, field, source }) => ({
    ...namesV1(type, source),
    ...amountsV1(type, { value: source.current, prefix: "current", field }),
    ...selectorV1(type, source),
    ...(source.container !== undefined && { container: source.container }),
  }));
}

interface TypedSource {
  readonly type: string;
  readonly field: string;
  readonly source: Source;
}

function mapSource(metric: MetricSpec | MetricStatus, map: (sourced: TypedSource) => object): MetricV1 {
  const { type } = metric;
  const field = sourceFields[type] ?? "";
  const source = Reflect.get(metric, field) as Source | undefined;
  return source ? { type, [field]: map({ type, field, source }) } : { type };
}

function namesV1(type: string, { name, metric, describedObject }: Source): object {
  if (type === "Resource" || type === "ContainerResource") return { name };
  return { ...(type === "Object" && { target: describedObject }), metricName: metric?.name };
}

function selectorV1(type: string, { metric }: Source): object {
  if (metric?.selector === undefined) return {};
  return { [type === "External" ? "metricSelector" : "selector"]: metric.selector };
}

interface Amounts {
  readonly value: Partial<MetricTarget & MetricValueStatus> | undefined;
  readonly prefix: "target" | "current";
  readonly field: string;
}

function amountsV1(type: string, { value = {}, prefix }: Amounts): object {
  const { value: amount, averageValue, averageUtilization } = value;
  const average = type === "Object" ? "averageValue" : `${prefix}AverageValue`;
  return {
    ...(averageUtilization !== undefined && { [`${prefix}AverageUtilization`]: averageUtilization }),
    ...(amount !== undefined && { [`${prefix}Value`]: amount }),
    ...(averageValue !== undefined && { [average]: averageValue }),
  };
}

export function fromMetricV1(metricV1: MetricV1): MetricSpec {
  // The annotation has the output of `toMetricV1`, or a value that a user wrote.
  return metricV2(metricV1, "target") as unknown as MetricSpec;
}

export function fromMetricStatusV1(metricV1: MetricV1): MetricStatus {
  // The annotation has the output of `toMetricStatusV1`, or a value that a user wrote.
  return metricV2(metricV1, "current") as unknown as MetricStatus;
}

function metricV2(metricV1: MetricV1, prefix: "target" | "current"): MetricV1 {
  const type = String(metricV1.type);
  const field = sourceFields[type] ?? "";
  const source = metricV1[field] as Record<string, unknown> | undefined;
  return source ? { type, [field]: sourceV2(type, source, prefix) } : { type };
}

function sourceV2(type: string, source: Record<string, unknown>, prefix: "target" | "current"): object {
  const { name, container, metricName, selector, metricSelector, target } = source;
  const names =
    type === "Resource" || type === "ContainerResource"
      ? { name, ...(container !== undefined && { container }) }
      : { metric: { name: metricName, ...withoutUndefined({ selector: selector ?? metricSelector }) } };
  return {
    ...(type === "Object" && { describedObject: target }),
    ...names,
    [prefix]: amountsV2(source, prefix),
  };
}

function amountsV2(source: Record<string, unknown>, prefix: "target" | "current"): object {
  const amounts = withoutUndefined({
    value: source[`${prefix}Value`],
    averageValue: source[`${prefix}AverageValue`] ?? source.averageValue,
    averageUtilization: source[`${prefix}AverageUtilization`],
  });
  return prefix === "current" ? amounts : { type: targetType(amounts), ...amounts };
}

function targetType(amounts: Record<string, unknown>): MetricTarget["type"] {
  if (amounts.averageUtilization !== undefined) return "Utilization";
  return amounts.averageValue === undefined ? "Value" : "AverageValue";
}

function withoutUndefined(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
