import type { PodDisruptionBudget } from "../../api/types/policy/v1.ts";
import { type FieldError, invalid } from "../../schema/index.ts";
import { entry, type KindEntry } from "./kind-strategy.ts";
import { selectorErrors } from "./selector-errors.ts";

export const policy: readonly KindEntry[] = [
  entry<PodDisruptionBudget>("policy/PodDisruptionBudget", {
    generation: "spec",
    unconditionalUpdate: false,
    prepareCreate(budget) {
      budget.status = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };
    },
    validate: ({ spec = {} }) => [
      ...boundErrors(spec),
      ...(spec.selector ? selectorErrors(spec.selector, "spec.selector") : []),
    ],
  }),
];

function boundErrors(spec: NonNullable<PodDisruptionBudget["spec"]>): FieldError[] {
  if (spec.minAvailable === undefined || spec.maxUnavailable === undefined) return [];
  const value = {
    MinAvailable: spec.minAvailable,
    Selector: spec.selector ?? null,
    MaxUnavailable: spec.maxUnavailable,
    UnhealthyPodEvictionPolicy: spec.unhealthyPodEvictionPolicy ?? null,
  };
  return [invalid("spec", value, "minAvailable and maxUnavailable cannot be both set")];
}
