import type { FlowSchema, PriorityLevelConfiguration } from "../../api/types/flowcontrol/v1.ts";
import { age, type Column, name, type Printers, printer, type Shown, text } from "./column.ts";

type Level = Shown<PriorityLevelConfiguration>;

export const flowcontrol: Printers = {
  FlowSchema: printer<FlowSchema>(
    name,
    text("PriorityLevel", ({ spec }) => spec?.priorityLevelConfiguration?.name ?? ""),
    text("MatchingPrecedence", ({ spec }) => spec?.matchingPrecedence ?? 0),
    text("DistinguisherMethod", ({ spec }) => spec?.distinguisherMethod?.type ?? "<none>"),
    age,
    text("MissingPL", danglingOf),
  ),
  PriorityLevelConfiguration: printer<PriorityLevelConfiguration>(
    name,
    text("Type", ({ spec }) => spec?.type ?? ""),
    text("NominalConcurrencyShares", ({ spec }) => spec?.limited?.nominalConcurrencyShares ?? "<none>"),
    queuing("Queues", "queues"),
    queuing("HandSize", "handSize"),
    queuing("QueueLengthLimit", "queueLengthLimit"),
    age,
  ),
};

function danglingOf({ status }: Shown<FlowSchema>): string {
  return (status?.conditions ?? []).find(({ type }) => type === "Dangling")?.status ?? "?";
}

function queuing(title: string, field: "queues" | "handSize" | "queueLengthLimit"): Column<Level> {
  return text(title, ({ spec }) => spec?.limited?.limitResponse?.queuing?.[field] ?? "<none>");
}
