import type { HPAScalingRules, MetricSpec, MetricTarget } from "../../api/types/autoscaling/v2.ts";
import { type FieldError, invalid, notSupported, required } from "../../schema/index.ts";
import { requiredErrors } from "./value-errors.ts";

const sources: Readonly<Record<string, Exclude<keyof MetricSpec, "type">>> = {
  ContainerResource: "containerResource",
  External: "external",
  Object: "object",
  Pods: "pods",
  Resource: "resource",
};

/** Returns the errors in a metric of an autoscaler. */
export function metricErrors(metric: MetricSpec, field: string): FieldError[] {
  const { type } = metric;
  if (!type) return [required(`${field}.type`, "must specify a metric source type")];
  const source = sources[type];
  if (!source) return [notSupported(`${field}.type`, type, Object.keys(sources))];
  const path = `${field}.${source}`;
  if (!metric[source]) return [required(path, "must populate information for the given metric source")];
  return [...metricNameErrors(metric, path), ...targetErrors(metric, `${path}.target`)];
}

function metricNameErrors(
  { resource, containerResource, pods, object, external }: MetricSpec,
  field: string,
): FieldError[] {
  const resourceSource = resource ?? containerResource;
  if (resourceSource)
    return requiredErrors(resourceSource.name, `${field}.name`, "must specify a resource name");
  const metric = (pods ?? object ?? external)?.metric;
  return requiredErrors(metric?.name, `${field}.metric.name`, "must specify a metric name");
}

function targetErrors(
  { resource, containerResource, pods, object, external }: MetricSpec,
  field: string,
): FieldError[] {
  const utilization = (resource ?? containerResource)?.target;
  if (utilization) return utilizationErrors(utilization, field);
  if (pods) {
    const detail = "must specify a positive target averageValue";
    return pods.target.averageValue === undefined ? [required(`${field}.averageValue`, detail)] : [];
  }
  const target = (object ?? external)?.target;
  if (!target || target.value !== undefined || target.averageValue !== undefined) return [];
  const detail = "must set either a target value for metric or a per-pod target";
  return [required(external ? `${field}.value` : `${field}.averageValue`, detail)];
}

function utilizationErrors({ averageUtilization, averageValue }: MetricTarget, field: string): FieldError[] {
  if (averageUtilization === undefined && averageValue === undefined) {
    const detail = "must set either a target raw value or a target utilization";
    return [required(`${field}.averageUtilization`, detail)];
  }
  if (averageUtilization !== undefined && averageUtilization < 1) {
    return [invalid(`${field}.averageUtilization`, averageUtilization, "must be greater than 0")];
  }
  return [];
}

const selections = ["Disabled", "Max", "Min"];

/** Returns the errors in the scaling rules of one direction. */
export function ruleErrors({ selectPolicy, policies = [] }: HPAScalingRules, field: string): FieldError[] {
  return [
    ...(selectPolicy && !selections.includes(selectPolicy)
      ? [notSupported(`${field}.selectPolicy`, selectPolicy, selections)]
      : []),
    ...requiredErrors(policies, `${field}.policies`, "must specify at least one Policy"),
    ...policies.flatMap(({ type, value, periodSeconds }, index) => [
      ...(type === "Pods" || type === "Percent"
        ? []
        : [notSupported(`${field}.policies[${index}].type`, type, ["Percent", "Pods"])]),
      ...positiveErrors(value, `${field}.policies[${index}].value`),
      ...positiveErrors(periodSeconds, `${field}.policies[${index}].periodSeconds`),
    ]),
  ];
}

function positiveErrors(value: number, field: string): FieldError[] {
  return value > 0 ? [] : [invalid(field, value, "must be greater than zero")];
}
