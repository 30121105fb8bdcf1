import { isIP } from "node:net";
import type { Service, ServiceSpec } from "../../api/types/core/v1.ts";
import { type FieldError, invalid } from "../../schema/index.ts";
import type { WriteContext } from "../resource.ts";
import { isServiceAddress, serviceRange } from "../service-range.ts";
import { internal } from "../status-error.ts";
import { addressErrors } from "./address-errors.ts";
import { oneOf } from "./field-choices.ts";
import { takeNodePorts } from "./service-ports.ts";
import { hasAddress } from "./service-type.ts";

/** Gives a Service what no other has: an address, and ports of every node. What a dry run takes is free again. */
export function allocateService(
  service: Service,
  before: Service | undefined,
  context: WriteContext,
): FieldError[] {
  const { spec = {} } = service;
  if (!hasAddress(spec)) return [];
  if (spec.clusterIP && !before) spec.clusterIPs ??= [spec.clusterIP];
  const wrong = [addressFaults, familyFaults].find((faults) => faults(spec).length > 0);
  if (wrong) return wrong(spec);
  settleFamilies(spec);
  const faults = takeAddress(service, before?.spec, context);
  return faults.length > 0 ? faults : takeNodePorts(spec, before?.spec, context);
}

/** What is wrong with the address and its family whatever a server has to give. */
function addressFaults(spec: ServiceSpec): FieldError[] {
  const { ipFamilies = [], ipFamilyPolicy } = spec;
  return [
    ...firstAddressFaults(spec),
    ...ipFamilies.flatMap((family, at) => oneOf(family, ["IPv4", "IPv6"], `spec.ipFamilies[${at}]`)),
    ...(ipFamilyPolicy ? oneOf(ipFamilyPolicy, policies, "spec.ipFamilyPolicy") : []),
    ...(spec.clusterIPs ?? []).flatMap((address, at) =>
      address === "None" && at === 0 ? [] : addressErrors(address, `spec.clusterIPs[${at}]`),
    ),
  ];
}

const policies = ["PreferDualStack", "RequireDualStack", "SingleStack"];

function firstAddressFaults({ clusterIP, clusterIPs = [] }: ServiceSpec): FieldError[] {
  if (clusterIPs.length === 0 || clusterIPs[0] === clusterIP) return [];
  const detail = clusterIP
    ? "first value must match `clusterIP`"
    : "must be empty when `clusterIP` is not specified";
  return [invalid("spec.clusterIPs", clusterIPs, detail)];
}

/** There are addresses of one family. A headless Service that somebody else fills needs none. */
function familyFaults({
  ipFamilies = [],
  ipFamilyPolicy,
  clusterIPs = [],
  ...spec
}: ServiceSpec): FieldError[] {
  const [address = ""] = clusterIPs;
  if (ipFamilies.length === 0 && isIP(address) === 6)
    return [invalid("spec.clusterIPs[0]", clusterIPs, "IPv6 is not configured on this cluster")];
  if (isFilledByOthers(spec)) return [];
  const detail = "this cluster is not configured for dual-stack services";
  return [
    ...(ipFamilyPolicy === "RequireDualStack"
      ? [invalid("spec.ipFamilyPolicy", ipFamilyPolicy, detail)]
      : []),
    ...ipFamilies.flatMap((family, at) =>
      family === "IPv6" ? [invalid(`spec.ipFamilies[${at}]`, family, "not configured on this cluster")] : [],
    ),
  ];
}

function isFilledByOthers({ clusterIP, selector = {} }: ServiceSpec): boolean {
  return clusterIP === "None" && Object.keys(selector).length === 0;
}

/** One family, but both for a headless Service that somebody else fills. */
function settleFamilies(spec: ServiceSpec): void {
  const both = isFilledByOthers(spec);
  spec.ipFamilyPolicy ??= both ? "RequireDualStack" : "SingleStack";
  spec.ipFamilies ??= ["IPv4"];
  const [first] = spec.ipFamilies;
  if (both && spec.ipFamilies.length === 1 && spec.ipFamilyPolicy !== "SingleStack")
    spec.ipFamilies = [...spec.ipFamilies, first === "IPv4" ? "IPv6" : "IPv4"];
}

/** What a Service had stays with it, and is another's to judge. */
function takeAddress(service: Service, before: ServiceSpec | undefined, context: WriteContext): FieldError[] {
  const { clusterIP } = service.spec ?? {};
  if (clusterIP === "None" || before?.clusterIP) return [];
  return clusterIP ? takeThis(clusterIP, service, context) : takeAny(service, context);
}

function takeThis(address: string, service: Service, { allocate, dryRun }: WriteContext): FieldError[] {
  const take = (): string | undefined =>
    allocate.take("clusterIP", address) === undefined
      ? "provided IP is already allocated"
      : ownerless(address, service, dryRun);
  const fault = isServiceAddress(address) ? take() : outside(address, dryRun);
  return fault ? [invalid("spec.clusterIPs", [address], `failed to allocate IP ${address}: ${fault}`)] : [];
}

function takeAny(service: Service, { allocate, dryRun }: WriteContext): FieldError[] {
  const { metadata, spec = {} } = service;
  const given = allocate.take("clusterIP");
  if (given === undefined)
    throw internal(`failed to allocate a serviceIP for Service "${metadata.name}": range is full`);
  const fault = ownerless(given, service, dryRun);
  if (fault) return [invalid("spec.clusterIPs", [""], `failed to allocate IP: ${fault}`)];
  spec.clusterIP = given;
  spec.clusterIPs = [given];
  return [];
}

/** Who has an address is written down, and has to have a name for that. */
function ownerless(address: string, { metadata }: Service, dryRun: boolean): string | undefined {
  if (metadata.name || dryRun) return undefined;
  return `IPAddress.networking.k8s.io "${address}" is invalid: spec.parentRef.name: Required value`;
}

function outside(address: string, dryRun: boolean): string {
  return dryRun
    ? `the provided IP (${address}) is not in the valid range. The range of valid IPs is ${serviceRange}`
    : "the provided network does not match the current range";
}
