import type { HorizontalPodAutoscaler as OldAutoscaler } from "../../api/types/autoscaling/v1.ts";
import type { HorizontalPodAutoscaler, HPAScalingRules } from "../../api/types/autoscaling/v2.ts";
import { type FieldError, invalid, required } from "../../schema/index.ts";
import { metricErrors, ruleErrors } from "./autoscaler-errors.ts";
import { newAutoscaler, oldAutoscaler } from "./autoscaler-versions.ts";
import { entry, type KindEntry } from "./kind-strategy.ts";
import { neededName } from "./value-errors.ts";

export const autoscaling: readonly KindEntry[] = [
  entry<HorizontalPodAutoscaler>("autoscaling/HorizontalPodAutoscaler", {
    default({ spec }) {
      spec.minReplicas ??= 1;
      if ((spec.metrics ?? []).length === 0) {
        const target = { type: "Utilization", averageUtilization: 80 } as const;
        spec.metrics = [{ type: "Resource", resource: { name: "cpu", target } }];
      }
      if (spec.behavior) {
        spec.behavior.scaleUp = { ...fastUp, ...spec.behavior.scaleUp };
        spec.behavior.scaleDown = { ...slowDown, ...spec.behavior.scaleDown };
      }
    },
    fromStored: newAutoscaler,
    validate: autoscalerErrors,
  }),
  /** The first version, which knows one metric. */
  entry<OldAutoscaler>("autoscaling/v1/HorizontalPodAutoscaler", {
    default(old) {
      const { spec, metadata } = old;
      spec.minReplicas ??= 1;
      const others = metadata.annotations?.["autoscaling.alpha.kubernetes.io/metrics"];
      if (others === undefined) spec.targetCPUUtilizationPercentage ??= 80;
    },
    fromStored: oldAutoscaler,
    validate: (old) => autoscalerErrors(newAutoscaler(old)),
  }),
];

function autoscalerErrors({ spec }: HorizontalPodAutoscaler): FieldError[] {
  return [
    ...boundErrors(spec),
    ...targetErrors(spec),
    ...(spec.metrics ?? []).flatMap((metric, at) => metricErrors(metric, `spec.metrics[${at}]`)),
    ...(["scaleUp", "scaleDown"] as const).flatMap((way) =>
      spec.behavior?.[way] ? ruleErrors(spec.behavior[way], `spec.behavior.${way}`) : [],
    ),
  ];
}

/** Up to double, or by four Pods, within 15 seconds. */
const fastUp: HPAScalingRules = {
  stabilizationWindowSeconds: 0,
  selectPolicy: "Max",
  policies: [
    { type: "Pods", value: 4, periodSeconds: 15 },
    { type: "Percent", value: 100, periodSeconds: 15 },
  ],
};

const slowDown: HPAScalingRules = {
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
  const grouped = apiVersion === "v1" ? target.kind === "ReplicationController" : apiVersion.includes("/");
  return [
    ...neededName("path-segment", target.kind, `${field}.kind`),
    ...neededName("path-segment", target.name, `${field}.name`),
    ...(grouped ? [] : [invalid(`${field}.apiVersion`, apiVersion, "apiVersion must specify API group")]),
  ];
}
