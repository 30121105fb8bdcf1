import type {
  ConfigMap,
  Endpoints,
  Namespace,
  Node,
  PodTemplate,
  ReplicationController,
  ResourceQuota,
  Secret,
  Service,
  ServiceAccount,
} from "../../api/types/core/v1.ts";
import { containerImages, containerNames, firstOf, joined, labelText, orNone } from "./cell-text.ts";
import { age, name, type Printable, type Printers, printer, text, wide } from "./column.ts";
import { eventPrinter } from "./event.ts";
import { podPrinter } from "./pod.ts";
import { claimPrinter, volumePrinter } from "./volume.ts";
import { replicaColumns, templateColumns } from "./workloads.ts";

export const core: Printers = {
  Pod: podPrinter,
  Event: eventPrinter,
  PersistentVolume: volumePrinter,
  PersistentVolumeClaim: claimPrinter,
  ConfigMap: printer<ConfigMap>(
    name,
    text("Data", ({ data, binaryData }) => countOf(data) + countOf(binaryData)),
    age,
  ),
  Secret: printer<Secret>(
    name,
    text("Type", ({ type }) => type ?? ""),
    text("Data", ({ data }) => countOf(data)),
    age,
  ),
  ServiceAccount: printer<ServiceAccount>(name, age),
  Namespace: printer<Namespace>(
    name,
    text("Status", ({ status }) => status?.phase ?? ""),
    age,
  ),
  Node: printer<Node>(
    name,
    text("Status", nodeStatus),
    text("Roles", ({ metadata }) => joined(rolesOf(metadata.labels ?? {}))),
    age,
    text("Version", ({ status }) => status?.nodeInfo?.kubeletVersion ?? ""),
    wide("Internal-IP", (node) => addressOf(node, "InternalIP")),
    wide("External-IP", (node) => addressOf(node, "ExternalIP")),
    wide("OS-Image", ({ status }) => status?.nodeInfo?.osImage || "<unknown>"),
    wide("Kernel-Version", ({ status }) => kernelOf(status?.nodeInfo ?? {})),
    wide("Container-Runtime", ({ status }) => status?.nodeInfo?.containerRuntimeVersion || "<unknown>"),
  ),
  Service: printer<Service>(
    name,
    text("Type", ({ spec }) => spec?.type ?? ""),
    text("Cluster-IP", ({ spec }) => orNone(spec?.clusterIPs?.[0])),
    text("External-IP", externalAddresses),
    text("Port(s)", ({ spec }) => joined((spec?.ports ?? []).map(portText))),
    age,
    wide("Selector", ({ spec }) => labelText(spec?.selector)),
  ),
  Endpoints: printer<Endpoints>(
    name,
    text("Endpoints", ({ subsets }) => orNone(firstOf((subsets ?? []).flatMap(endpointsOf), 3))),
    age,
  ),
  PodTemplate: printer<PodTemplate>(
    name,
    text("Containers", ({ template }) => containerNames(template?.spec)),
    text("Images", ({ template }) => containerImages(template?.spec)),
    text("Pod Labels", ({ template }) => labelText(template?.metadata?.labels)),
  ),
  ReplicationController: printer<ReplicationController>(
    name,
    ...replicaColumns,
    age,
    ...templateColumns,
    wide("Selector", ({ spec }) => labelText(spec?.selector)),
  ),
  ResourceQuota: printer<ResourceQuota>(
    name,
    text("Request", (quota) => usageOf(quota, (resource) => !resource.startsWith("limits."))),
    text("Limit", (quota) => usageOf(quota, (resource) => resource.startsWith("limits."))),
    age,
  ),
};

function countOf(data: object | null | undefined): number {
  return Object.keys(data ?? {}).length;
}

function nodeStatus({ spec, status }: Printable<Node>): string {
  const ready = (status?.conditions ?? []).find(({ type }) => type === "Ready");
  const state = ready ? (ready.status === "True" ? "Ready" : "NotReady") : "Unknown";
  return spec?.unschedulable ? `${state},SchedulingDisabled` : state;
}

const rolePrefix = "node-role.kubernetes.io/";

function rolesOf(labels: Readonly<Record<string, string>>): string[] {
  const prefixed = Object.keys(labels).filter((label) => label.startsWith(rolePrefix));
  const roles = [
    ...prefixed.map((label) => label.slice(rolePrefix.length)),
    labels["kubernetes.io/role"] ?? "",
  ];
  return [...new Set(roles)].filter((role) => role !== "").sort();
}

function addressOf({ status }: Printable<Node>, addressType: "InternalIP" | "ExternalIP"): string {
  return orNone((status?.addresses ?? []).find(({ type }) => type === addressType)?.address);
}

type NodeInfo = NonNullable<NonNullable<Printable<Node>["status"]>["nodeInfo"]>;

function kernelOf({ kernelVersion, architecture }: NodeInfo): string {
  const kernel = kernelVersion || "<unknown>";
  return architecture ? `${kernel} (${architecture})` : kernel;
}

type PrintableService = Printable<Service>;

function externalAddresses({ spec, status }: PrintableService): string {
  if (spec?.type === "ExternalName") return spec.externalName ?? "";
  const externalIPs = spec?.externalIPs ?? [];
  if (spec?.type === undefined) return "<unknown>";
  if (spec.type !== "LoadBalancer") return joined(externalIPs);
  const ingressAddresses = (status?.loadBalancer?.ingress ?? []).map(({ ip, hostname }) => ip || hostname);
  return [...new Set(ingressAddresses), ...externalIPs].join(",") || "<pending>";
}

type Port = NonNullable<NonNullable<PrintableService["spec"]>["ports"]>[number];

function portText({ port, nodePort, protocol }: Port): string {
  return nodePort ? `${port}:${nodePort}/${protocol}` : `${port}/${protocol}`;
}

type Subset = NonNullable<Printable<Endpoints>["subsets"]>[number];

/** Returns the endpoints of a subset, ordered by port. */
function endpointsOf({ addresses, ports }: Subset): string[] {
  const ips = (addresses ?? []).map(({ ip = "" }) => ip);
  if (!ports?.length) return ips;
  return ports.flatMap(({ port }) =>
    ips.map((ip) => (ip.includes(":") ? `[${ip}]:${port}` : `${ip}:${port}`)),
  );
}

function usageOf({ status }: Printable<ResourceQuota>, isIncluded: (resource: string) => boolean): string {
  const resources = Object.keys(status?.hard ?? {})
    .filter(isIncluded)
    .sort();
  return resources
    .map((resource) => `${resource}: ${status?.used?.[resource] ?? 0}/${status?.hard?.[resource]}`)
    .join(", ");
}
