import type { Lease } from "../../api/types/coordination/v1.ts";
import type { LeaseCandidate } from "../../api/types/coordination/v1beta1.ts";
import { age, name, type Printers, printer, text } from "./column.ts";

export const coordination: Printers = {
  Lease: printer<Lease>(
    name,
    text("Holder", ({ spec }) => spec?.holderIdentity ?? ""),
    age,
  ),
  LeaseCandidate: printer<LeaseCandidate>(
    name,
    text("LeaseName", ({ spec }) => spec?.leaseName ?? ""),
    text("BinaryVersion", ({ spec }) => spec?.binaryVersion ?? ""),
    text("EmulationVersion", ({ spec }) => spec?.emulationVersion ?? ""),
    age,
  ),
};
