import type { FlowSchema, PriorityLevelConfiguration } from "../../api/types/flowcontrol/v1.ts";
import { type FieldError, invalid, required } from "../../schema/index.ts";
import { oneOf } from "./field-choices.ts";
import { type KindEntry, kindEntry } from "./kind-strategy.ts";

export const flowcontrol: readonly KindEntry[] = [
  kindEntry<FlowSchema>("flowcontrol.apiserver.k8s.io/FlowSchema", {
    generation: "spec",
    default({ spec }) {
      if (spec) spec.matchingPrecedence ||= 1000;
    },
    validate: ({ spec }) => [
      ...precedenceErrors(spec?.matchingPrecedence ?? 0),
      ...(spec?.priorityLevelConfiguration.name
        ? []
        : [required("spec.priorityLevelConfiguration.name", "must reference a priority level")]),
    ],
  }),
  kindEntry<PriorityLevelConfiguration>("flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration", {
    generation: "spec",
    default: ({ spec }) => defaultLevel(spec),
    validate: ({ spec }) => oneOf(spec?.type, ["Exempt", "Limited"], "spec.type"),
  }),
];

function defaultLevel(spec: PriorityLevelConfiguration["spec"]): void {
  if (spec?.exempt) {
    spec.exempt.nominalConcurrencyShares ??= 0;
    spec.exempt.lendablePercent ??= 0;
  }
  if (!spec?.limited) return;
  spec.limited.nominalConcurrencyShares ??= 30;
  spec.limited.lendablePercent ??= 0;
  const queuing = spec.limited.limitResponse?.queuing;
  if (!queuing) return;
  queuing.handSize ||= 8;
  queuing.queues ||= 64;
  queuing.queueLengthLimit ||= 50;
}

function precedenceErrors(precedence: number): FieldError[] {
  const field = "spec.matchingPrecedence";
  if (precedence <= 0) return [invalid(field, precedence, "must be a positive value")];
  return precedence > 10_000 ? [invalid(field, precedence, "must not be greater than 10000")] : [];
}
