import type {
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValueStatus,
} from "../../api/types/autoscaling/v2.ts";

/** A metric as autoscaling/v1 has it in an annotation. */
type Old = Record<string, unknown>;

/** A metric source of autoscaling/v2, of whichever type: each has some of these. */
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

export function oldMetric(metric: MetricSpec): Old {
  return mapped(metric, ({ type, field, source }) => ({
    ...oldNames(type, source),
    ...oldAmounts(type, { value: source.target, word: "target", field }),
    ...oldSelector(type, source),
    ...(source.container !== undefined && { container: source.container }),
  }));
}

export function oldMetricStatus(metric: MetricStatus): Old {
  return mapped(metric, ({ type, field, source }) => ({
    ...oldNames(type, source),
    ...oldAmounts(type, { value: source.current, word: "current", field }),
    ...oldSelector(type, source),
    ...(source.container !== undefined && { container: source.container }),
  }));
}

interface Sourced {
  readonly type: string;
  readonly field: string;
  readonly source: Source;
}

function mapped(metric: MetricSpec | MetricStatus, map: (sourced: Sourced) => object): Old {
  const { type } = metric;
  const field = sourceFields[type] ?? "";
  const source = Reflect.get(metric, field) as Source | undefined;
  return source ? { type, [field]: map({ type, field, source }) } : { type };
}

function oldNames(type: string, { name, metric, describedObject }: Source): object {
  if (type === "Resource" || type === "ContainerResource") return { name };
  return { ...(type === "Object" && { target: describedObject }), metricName: metric?.name };
}

function oldSelector(type: string, { metric }: Source): object {
  if (metric?.selector === undefined) return {};
  return { [type === "External" ? "metricSelector" : "selector"]: metric.selector };
}

interface Amounts {
  readonly value: Partial<MetricTarget & MetricValueStatus> | undefined;
  readonly word: "target" | "current";
  readonly field: string;
}

function oldAmounts(type: string, { value = {}, word }: Amounts): object {
  const { value: amount, averageValue, averageUtilization } = value;
  const average = type === "Object" ? "averageValue" : `${word}AverageValue`;
  return {
    ...(averageUtilization !== undefined && { [`${word}AverageUtilization`]: averageUtilization }),
    ...(amount !== undefined && { [`${word}Value`]: amount }),
    ...(averageValue !== undefined && { [average]: averageValue }),
  };
}

export function metricOf(old: Old): MetricSpec {
  // An annotation holds what `oldMetric` wrote, or what a user wrote in its stead.
  return newMetric(old, "target") as unknown as MetricSpec;
}

export function metricStatusOf(old: Old): MetricStatus {
  // An annotation holds what `oldMetricStatus` wrote, or what a user wrote in its stead.
  return newMetric(old, "current") as unknown as MetricStatus;
}

function newMetric(old: Old, word: "target" | "current"): Old {
  const type = String(old.type);
  const field = sourceFields[type] ?? "";
  const source = old[field] as Record<string, unknown> | undefined;
  return source ? { type, [field]: newSource(type, source, word) } : { type };
}

function newSource(type: string, source: Record<string, unknown>, word: "target" | "current"): object {
  const { name, container, metricName, selector, metricSelector, target } = source;
  const named =
    type === "Resource" || type === "ContainerResource"
      ? { name, ...(container !== undefined && { container }) }
      : { metric: { name: metricName, ...withoutNothing({ selector: selector ?? metricSelector }) } };
  return {
    ...(type === "Object" && { describedObject: target }),
    ...named,
    [word]: newAmounts(source, word),
  };
}

function newAmounts(source: Record<string, unknown>, word: "target" | "current"): object {
  const amounts = withoutNothing({
    value: source[`${word}Value`],
    averageValue: source[`${word}AverageValue`] ?? source.averageValue,
    averageUtilization: source[`${word}AverageUtilization`],
  });
  return word === "current" ? amounts : { type: targetType(amounts), ...amounts };
}

function targetType(amounts: Record<string, unknown>): MetricTarget["type"] {
  if (amounts.averageUtilization !== undefined) return "Utilization";
  return amounts.averageValue === undefined ? "Value" : "AverageValue";
}

function withoutNothing(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
