import type { IntOrString } from "../../api/index.ts";
import type { PodDisruptionBudget } from "../../api/types/policy/v1.ts";
import { age, integer, name, type Printers, printer, text } from "./column.ts";

export const policy: Printers = {
  PodDisruptionBudget: printer<PodDisruptionBudget>(
    name,
    text("Min Available", ({ spec }) => amount(spec?.minAvailable)),
    text("Max Unavailable", ({ spec }) => amount(spec?.maxUnavailable)),
    integer("Allowed Disruptions", ({ status }) => status?.disruptionsAllowed ?? 0),
    age,
  ),
};

function amount(value: IntOrString | undefined): string {
  return value === undefined ? "N/A" : `${value}`;
}
