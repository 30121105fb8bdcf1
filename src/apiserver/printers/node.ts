import type { RuntimeClass } from "../../api/types/node/v1.ts";
import { age, name, type Printers, printer, text } from "./column.ts";

export const node: Printers = {
  RuntimeClass: printer<RuntimeClass>(
    name,
    text("Handler", ({ handler }) => handler ?? ""),
    age,
  ),
};
