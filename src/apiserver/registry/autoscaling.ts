import type { HorizontalPodAutoscaler as AutoscalerV1 } from "../../api/types/autoscaling/v1.ts";
import type { HorizontalPodAutoscaler, HPAScalingRules } from "../../api/types/autoscaling/v2.ts";
import { type FieldError, invalid, required } from "../../schema/index.ts";
import { toAutoscalerV1, toAutoscalerV2 } from "./autoscaler-conversion.ts";
import { metricErrors, ruleErrors } from "./autoscaler-errors.ts";
import { type KindEntry, kindEntry } from "./kind-strategy.ts";
import { requiredNameErrors } from "./value-errors.ts";

export const autoscaling: readonly KindEntry[] = [
  kindEntry<HorizontalPodAutoscaler>("autoscaling/HorizontalPodAutoscaler", {
    default({ spec }) {
      spec.minReplicas ??= 1;
      if ((spec.metrics ?? []).length === 0) {
        const target = { type: "Utilization", averageUtilization: 80 } as const;
        spec.metrics = [{ type: "Resource", resource: { name: "cpu", target } }];
      }
      if (spec.behavior) {
        spec.behavior.scaleUp = { ...scaleUpDefaults, ...spec.behavior.scaleUp };
        spec.behavior.scaleDown = { ...scaleDownDefaults, ...spec.behavior.scaleDown };
      }
    },
    fromStored: toAutoscalerV2,
    validate: autoscalerErrors,
  }),
  /** autoscaling/v1, which has a single CPU metric. */
  kindEntry<AutoscalerV1>("autoscaling/v1/HorizontalPodAutoscaler", {
    default(autoscaler) {
      const { spec, metadata } = autoscaler;
      spec.minReplicas ??= 1;
      const annotatedMetrics = metadata.annotations?.["autoscaling.alpha.kubernetes.io/metrics"];
      if (annotatedMetrics === undefined) spec.targetCPUUtilizationPercentage ??= 80;
    },
    fromStored: toAutoscalerV1,
    validate: (autoscaler) => autoscalerErrors(toAutoscalerV2(autoscaler)),
  }),
];

function autoscalerErrors({ spec }: HorizontalPodAutoscaler): FieldError[] {
  return [
    ...boundErrors(spec),
    ...targetErrors(spec),
    ...(spec.metrics ?? []).flatMap((metric, index) => metricErrors(metric, `spec.metrics[${index}]`)),
    ...(["scaleUp", "scaleDown"] as const).flatMap((direction) =>
      spec.behavior?.[direction] ? ruleErrors(spec.behavior[direction], `spec.behavior.${direction}`) : [],
    ),
  ];
}

/** Adds up to four Pods or doubles the number of Pods within 15 seconds. */
const scaleUpDefaults: HPAScalingRules = {
  stabilizationWindowSeconds: 0,
  selectPolicy: "Max",
  policies: [
    { type: "Pods", value: 4, periodSeconds: 15 },
    { type: "Percent", value: 100, periodSeconds: 15 },
  ],
};

const scaleDownDefaults: HPAScalingRules = {
  selectPolicy: "Max",
  policies: [{ type: "Percent", value: 100, periodSeconds: 15 }],
};

type Spec = NonNullable<HorizontalPodAutoscaler["spec"]>;

function boundErrors({ minReplicas = 1, maxReplicas = 0 }: Spec): FieldError[] {
  return [
    ...(minReplicas < 1
      ? [invalid("spec.minReplicas", minReplicas, "must be greater than or equal to 1")]
      : []),
    ...(maxReplicas < 1 ? [required("spec.maxReplicas", "must be set and greater than 0")] : []),
    ...(maxReplicas < minReplicas
      ? [invalid("spec.maxReplicas", maxReplicas, "must be greater than or equal to `minReplicas`")]
      : []),
  ];
}

function targetErrors({ scaleTargetRef: target }: Spec): FieldError[] {
  const field = "spec.scaleTargetRef";
  const { apiVersion = "" } = target;
  const hasGroup = apiVersion === "v1" ? target.kind === "ReplicationController" : apiVersion.includes("/");
  return [
    ...requiredNameErrors("path-segment", target.kind, `${field}.kind`),
    ...requiredNameErrors("path-segment", target.name, `${field}.name`),
    ...(hasGroup ? [] : [invalid(`${field}.apiVersion`, apiVersion, "apiVersion must specify API group")]),
  ];
}
