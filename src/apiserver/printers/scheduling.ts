import type { PriorityClass } from "../../api/types/scheduling/v1.ts";
import { age, boolean, integer, name, type Printers, printer, text } from "./column.ts";

export const scheduling: Printers = {
  PriorityClass: printer<PriorityClass>(
    name,
    integer("Value", ({ value }) => value ?? 0),
    boolean("Global-Default", ({ globalDefault }) => globalDefault ?? false),
    age,
    text("PreemptionPolicy", ({ preemptionPolicy }) => preemptionPolicy ?? "PreemptLowerPriority"),
  ),
};
