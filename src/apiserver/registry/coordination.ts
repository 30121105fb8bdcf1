import type { Lease } from "../../api/types/coordination/v1.ts";
import { type FieldError, invalid } from "../../schema/index.ts";
import { type KindEntry, kindEntry } from "./kind-strategy.ts";
import { countErrors } from "./value-errors.ts";

export const coordination: readonly KindEntry[] = [
  kindEntry<Lease>("coordination.k8s.io/Lease", {
    createOnUpdate: true,
    unconditionalUpdate: false,
    prepareCreate: ({ spec }) => dropCoordination(spec ?? {}),
    prepareUpdate: ({ spec }) => dropCoordination(spec ?? {}),
    validate: ({ spec }) => [
      ...durationErrors(spec?.leaseDurationSeconds),
      ...countErrors(spec?.leaseTransitions, "spec.leaseTransitions"),
    ],
  }),
];

/** Drops the fields of coordinated leader election, which is not enabled by default. */
function dropCoordination(spec: NonNullable<Lease["spec"]>): void {
  delete spec.strategy;
  delete spec.preferredHolder;
}

function durationErrors(seconds: number | undefined): FieldError[] {
  if (seconds === undefined || seconds > 0) return [];
  return [invalid("spec.leaseDurationSeconds", seconds, "must be greater than 0")];
}
