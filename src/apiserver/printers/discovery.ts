import type { EndpointSlice } from "../../api/types/discovery/v1.ts";
import { firstOf } from "./cell-text.ts";
import { age, name, type Printable, type Printers, printer, text } from "./column.ts";

export const discovery: Printers = {
  EndpointSlice: printer<EndpointSlice>(
    name,
    text("AddressType", ({ addressType }) => addressType ?? ""),
    text("Ports", ({ ports }) => firstOf((ports ?? []).map(portText), 3) || "<unset>"),
    text("Endpoints", ({ endpoints }) => firstOf((endpoints ?? []).flatMap(addressesOf), 3) || "<unset>"),
    age,
  ),
};

type Slice = Printable<EndpointSlice>;

function portText({ name: portName, port }: NonNullable<Slice["ports"]>[number]): string {
  return port === undefined ? (portName ?? "") : `${port}`;
}

function addressesOf({ addresses }: NonNullable<Slice["endpoints"]>[number]): readonly string[] {
  return addresses ?? [];
}
