import type { Lease } from "../../api/types/coordination/v1.ts";
import { type FieldError, invalid } from "../../schema/index.ts";
import { entry, type KindEntry } from "./kind-strategy.ts";
import { countErrors } from "./template-errors.ts";

export const coordination: readonly KindEntry[] = [
  entry<Lease>("coordination.k8s.io/Lease", {
    createOnUpdate: true,
    unconditionalUpdate: false,
    validate: ({ spec }) => [
      ...durationErrors(spec?.leaseDurationSeconds),
      ...countErrors(spec?.leaseTransitions, "spec.leaseTransitions"),
    ],
  }),
  entry("coordination.k8s.io/LeaseCandidate", { createOnUpdate: true }),
];

function durationErrors(seconds: number | undefined): FieldError[] {
  if (seconds === undefined || seconds > 0) return [];
  return [invalid("spec.leaseDurationSeconds", seconds, "must be greater than 0")];
}
