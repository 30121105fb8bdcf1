import type { PodDisruptionBudget } from "../../api/types/policy/v1.ts";
import { type FieldError, invalid } from "../../schema/index.ts";
import { amountErrors } from "./amount-errors.ts";
import { oneOf } from "./field-choices.ts";
import { type KindEntry, kindEntry } from "./kind-strategy.ts";
import { selectorErrors } from "./selector-errors.ts";

export const policy: readonly KindEntry[] = [
  kindEntry<PodDisruptionBudget>("policy/PodDisruptionBudget", {
    generation: "spec",
    unconditionalUpdate: false,
    validate: ({ spec = {} }) => [
      ...boundErrors(spec),
      ...amountErrors(spec.minAvailable, "spec.minAvailable"),
      ...amountErrors(spec.maxUnavailable, "spec.maxUnavailable"),
      ...(spec.selector ? selectorErrors(spec.selector, "spec.selector") : []),
      ...(spec.unhealthyPodEvictionPolicy
        ? oneOf(
            spec.unhealthyPodEvictionPolicy,
            ["AlwaysAllow", "IfHealthyBudget"],
            "spec.unhealthyPodEvictionPolicy",
          )
        : []),
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
