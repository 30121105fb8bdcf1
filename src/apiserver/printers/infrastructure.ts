import type { APIService } from "../../api/types/apiregistration/v1.ts";
import type { CertificateSigningRequest } from "../../api/types/certificates/v1.ts";
import type { Lease } from "../../api/types/coordination/v1.ts";
import type { LeaseCandidate } from "../../api/types/coordination/v1beta1.ts";
import type { EndpointSlice } from "../../api/types/discovery/v1.ts";
import type { RuntimeClass } from "../../api/types/node/v1.ts";
import type {
  DeviceClass,
  ResourceClaim,
  ResourceClaimTemplate,
  ResourceSlice,
} from "../../api/types/resource/v1.ts";
import type { PriorityClass } from "../../api/types/scheduling/v1.ts";
import { humanDuration } from "./age.ts";
import { firstOf } from "./cell-text.ts";
import { age, boolean, integer, name, type Printable, type Printers, printer, text } from "./column.ts";

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

export const certificates: Printers = {
  CertificateSigningRequest: printer<CertificateSigningRequest>(
    name,
    age,
    text("SignerName", ({ spec }) => spec?.signerName || "<none>"),
    text("Requestor", ({ spec }) => spec?.username ?? ""),
    text("RequestedDuration", ({ spec }) =>
      spec?.expirationSeconds === undefined ? "<none>" : humanDuration(spec.expirationSeconds * 1000),
    ),
    text("Condition", conditionOf),
  ),
};

function conditionOf({ status }: Printable<CertificateSigningRequest>): string {
  const has = (expected: string): boolean => (status?.conditions ?? []).some(({ type }) => type === expected);
  const decision = ["Denied", "Approved"].find(has) ?? "Pending";
  return [decision, ...(has("Failed") ? ["Failed"] : []), ...(status?.certificate ? ["Issued"] : [])].join(
    ",",
  );
}

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

export const node: Printers = {
  RuntimeClass: printer<RuntimeClass>(
    name,
    text("Handler", ({ handler }) => handler ?? ""),
    age,
  ),
};

export const resource: Printers = {
  DeviceClass: printer<DeviceClass>(name, age),
  ResourceClaim: printer<ResourceClaim>(name, text("State", claimState), age),
  ResourceClaimTemplate: printer<ResourceClaimTemplate>(name, age),
  ResourceSlice: printer<ResourceSlice>(
    name,
    text("Node", ({ spec }) => spec?.nodeName ?? ""),
    text("Driver", ({ spec }) => spec?.driver ?? ""),
    text("Pool", ({ spec }) => spec?.pool?.name ?? ""),
    age,
  ),
};

function claimState({ metadata, status }: Printable<ResourceClaim>): string {
  const states = [
    ...(metadata.deletionTimestamp ? ["deleted"] : []),
    ...(status?.allocation ? ["allocated"] : []),
    ...(status?.reservedFor?.length ? ["reserved"] : []),
  ];
  return states.join(",") || "pending";
}

export const scheduling: Printers = {
  PriorityClass: printer<PriorityClass>(
    name,
    integer("Value", ({ value }) => value ?? 0),
    boolean("Global-Default", ({ globalDefault }) => globalDefault ?? false),
    age,
    text("PreemptionPolicy", ({ preemptionPolicy }) => preemptionPolicy ?? "PreemptLowerPriority"),
  ),
};
