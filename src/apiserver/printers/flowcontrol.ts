import type { FlowSchema, PriorityLevelConfiguration } from "../../api/types/flowcontrol/v1.ts";
import { age, type Column, name, type Printable, type Printers, printer, text } from "./column.ts";

type Level = Printable<PriorityLevelConfiguration>;

export const flowcontrol: Printers = {
  FlowSchema: printer<FlowSchema>(
    name,
    text("PriorityLevel", ({ spec }) => spec?.priorityLevelConfiguration?.name ?? ""),
    text("MatchingPrecedence", ({ spec }) => spec?.matchingPrecedence ?? 0),
    text("DistinguisherMethod", ({ spec }) => spec?.distinguisherMethod?.type ?? "<none>"),
    age,
    text("MissingPL", danglingStatus),
  ),
  PriorityLevelConfiguration: printer<PriorityLevelConfiguration>(
    name,
    text("Type", ({ spec }) => spec?.type ?? ""),
    text("NominalConcurrencyShares", ({ spec }) => spec?.limited?.nominalConcurrencyShares ?? "<none>"),
    queuingColumn("Queues", "queues"),
    queuingColumn("HandSize", "handSize"),
    queuingColumn("QueueLengthLimit", "queueLengthLimit"),
    age,
  ),
};

function danglingStatus({ status }: Printable<FlowSchema>): string {
  return (status?.conditions ?? []).find(({ type }) => type === "Dangling")?.status ?? "?";
}

function queuingColumn(title: string, field: "queues" | "handSize" | "queueLengthLimit"): Column<Level> {
  return text(title, ({ spec }) => spec?.limited?.limitResponse?.queuing?.[field] ?? "<none>");
}
