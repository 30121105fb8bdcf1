import type { EndpointAddress, EndpointPort, EndpointSubset, Endpoints } from "../../api/types/core/v1.ts";
import type { Endpoint, EndpointSlice } from "../../api/types/discovery/v1.ts";
import { duplicate, equal, type FieldError, invalid, notSupported, required } from "../../schema/index.ts";
import { repeats } from "../validation/repeats.ts";
import { addressErrors, endpointAddressErrors } from "./address-errors.ts";
import { oneOf, portNumberErrors } from "./field-choices.ts";
import { type KindEntry, kindEntry } from "./kind-strategy.ts";
import { immutableErrors, nameErrors, requiredErrors } from "./value-errors.ts";

const protocols = ["SCTP", "TCP", "UDP"];

/** Endpoints and EndpointSlice. */
export const endpoints: readonly KindEntry[] = [
  kindEntry<Endpoints>("/Endpoints", {
    createOnUpdate: true,
    default({ subsets = [] }) {
      for (const { ports = [] } of subsets) for (const port of ports) port.protocol ??= "TCP";
    },
    validate: ({ subsets = [] }) =>
      subsets.flatMap((subset, index) => subsetErrors(subset, `subsets[${index}]`)),
  }),
  kindEntry<EndpointSlice>("discovery.k8s.io/EndpointSlice", {
    generation: ({ metadata, ...content }, { metadata: metadataBefore, ...before }) =>
      !equal(content, before) || !equal(metadata.labels, metadataBefore.labels),
    default({ ports = [] }) {
      for (const port of ports ?? []) {
        port.name ??= "";
        port.protocol ??= "TCP";
      }
    },
    validate: sliceErrors,
    validateUpdate: ({ addressType }, before) =>
      addressType === before.addressType ? [] : immutableErrors("addressType", addressType),
  }),
];

function subsetErrors(
  { addresses = [], notReadyAddresses = [], ports = [] }: EndpointSubset,
  field: string,
): FieldError[] {
  if (addresses.length + notReadyAddresses.length === 0) {
    return [required(field, "must specify `addresses` or `notReadyAddresses`")];
  }
  return [
    ...addresses.flatMap((address, index) => subsetAddressErrors(address, `${field}.addresses[${index}]`)),
    ...notReadyAddresses.flatMap((address, index) =>
      subsetAddressErrors(address, `${field}.notReadyAddresses[${index}]`),
    ),
    ...ports.flatMap((port, index) => subsetPortErrors(port, ports.length > 1, `${field}.ports[${index}]`)),
  ];
}

function subsetAddressErrors({ ip, hostname, nodeName }: EndpointAddress, field: string): FieldError[] {
  const errors = addressErrors(ip, `${field}.ip`);
  return [
    ...errors,
    ...(errors.length > 0 ? [invalid(`${field}.ip`, ip, "must be a valid IP address")] : []),
    ...(hostname ? nameErrors("dns-label", hostname, `${field}.hostname`) : []),
    ...(nodeName ? nameErrors("dns-subdomain", nodeName, `${field}.nodeName`) : []),
    ...endpointAddressErrors(ip, `${field}.ip`),
  ];
}

function subsetPortErrors(
  { name, port, protocol }: EndpointPort,
  nameRequired: boolean,
  field: string,
): FieldError[] {
  return [
    ...(nameRequired && !name ? [required(`${field}.name`)] : []),
    ...(name ? nameErrors("dns-label", name, `${field}.name`) : []),
    ...portNumberErrors(port, `${field}.port`),
    ...oneOf(protocol, protocols, `${field}.protocol`),
  ];
}

const addressTypes = ["FQDN", "IPv4", "IPv6"];

function sliceErrors({ addressType, endpoints, ports }: EndpointSlice): FieldError[] {
  if (!addressType) return [required("addressType")];
  if (!addressTypes.includes(addressType)) return [notSupported("addressType", addressType, addressTypes)];
  return [
    ...slicePortErrors(ports ?? []),
    ...(endpoints ?? []).flatMap((endpoint, index) =>
      endpointErrors(endpoint, addressType, `endpoints[${index}]`),
    ),
  ];
}

function slicePortErrors(ports: NonNullable<EndpointSlice["ports"]>): FieldError[] {
  const isDuplicate = repeats(ports, ({ name = "" }) => name);
  return ports.flatMap(({ name = "", protocol }, index) => [
    ...(name === "" ? [] : nameErrors("dns-label", name, `ports[${index}].name`)),
    ...(isDuplicate[index] ? [duplicate(`ports[${index}].name`, name)] : []),
    ...oneOf(protocol, protocols, `ports[${index}].protocol`),
  ]);
}

function endpointErrors({ addresses, hostname }: Endpoint, type: string, field: string): FieldError[] {
  return [
    ...requiredErrors(addresses, `${field}.addresses`, "must contain at least 1 address"),
    ...(addresses ?? []).flatMap((address, index) =>
      sliceAddressErrors(address, type, `${field}.addresses[${index}]`),
    ),
    ...(hostname === undefined ? [] : nameErrors("dns-label", hostname, `${field}.hostname`)),
  ];
}

function sliceAddressErrors(address: string, type: string, field: string): FieldError[] {
  if (type === "FQDN") return nameErrors("dns-subdomain", address, field);
  const errors = addressErrors(address, field);
  if (errors.length > 0) return errors;
  if (address.includes(":") !== (type === "IPv6")) {
    return [invalid(field, address, `must be an ${type} address`)];
  }
  return endpointAddressErrors(address, field);
}
