import type { Pod } from "../../api/types/core/v1.ts";
import { ageOf } from "./age.ts";
import { orNone } from "./cell-text.ts";
import { age, name, type Printable, type Printer, printer, text, wide } from "./column.ts";
import { podSummary } from "./pod-summary.ts";

export const podPrinter: Printer = printer<Pod>(
  name,
  text("Ready", (pod) => {
    const { ready, total } = podSummary(pod);
    return `${ready}/${total}`;
  }),
  text("Status", (pod) => podSummary(pod).status),
  text("Restarts", (pod, now) => {
    const { restarts, lastRestart } = podSummary(pod);
    return restarts > 0 && lastRestart ? `${restarts} (${ageOf(lastRestart, now)} ago)` : `${restarts}`;
  }),
  age,
  wide("IP", ({ status }) => orNone(status?.podIPs?.[0]?.ip)),
  wide("Node", ({ spec }) => orNone(spec?.nodeName)),
  wide("Nominated Node", ({ status }) => orNone(status?.nominatedNodeName)),
  wide("Readiness Gates", readinessGates),
);

function readinessGates({ spec, status }: Printable<Pod>): string {
  const gates = spec?.readinessGates ?? [];
  if (gates.length === 0) return "<none>";
  const trueConditions = new Set((status?.conditions ?? []).filter(isTrue).map(({ type }) => type));
  return `${gates.filter(({ conditionType }) => trueConditions.has(conditionType)).length}/${gates.length}`;
}

function isTrue({ status }: { readonly status?: string | undefined }): boolean {
  return status === "True";
}
