import type { APIService } from "../../api/types/apiregistration/v1.ts";
import { age, name, type Printable, type Printers, printer, text } from "./column.ts";

export const apiregistration: Printers = {
  APIService: printer<APIService>(name, text("Service", serviceOf), text("Available", availableOf), age),
};

function serviceOf({ spec }: Printable<APIService>): string {
  return spec?.service ? `${spec.service.namespace}/${spec.service.name}` : "Local";
}

function availableOf({ status }: Printable<APIService>): string {
  const available = (status?.conditions ?? []).find(({ type }) => type === "Available");
  if (!available) return "Unknown";
  return available.status === "True" ? "True" : `${available.status} (${available.reason ?? ""})`;
}
