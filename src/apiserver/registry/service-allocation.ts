import { isIP } from "node:net";
import type { Service, ServiceSpec } from "../../api/types/core/v1.ts";
import { type FieldError, invalid } from "../../schema/index.ts";
import { isServiceAddress, serviceRange } from "../storage/service-range.ts";
import type { WriteContext } from "../types/resource.ts";
import { internal } from "../types/status-error.ts";
import { addressErrors } from "./address-errors.ts";
import { oneOf } from "./field-choices.ts";
import { allocateNodePorts } from "./node-port-allocation.ts";
import { hasClusterIP } from "./service-type.ts";

/** Allocates the cluster IP and the node ports of a Service. Allocations of a dry run are not kept. */
export function allocateService(
  service: Service,
  before: Service | undefined,
  context: WriteContext,
): FieldError[] {
  const { spec = {} } = service;
  if (!hasClusterIP(spec)) return [];
  if (spec.clusterIP && !before) spec.clusterIPs ??= [spec.clusterIP];
  const failing = [addressFieldErrors, familyErrors].find((check) => check(spec).length > 0);
  if (failing) return failing(spec);
  setFamilies(spec);
  const errors = allocateAddress(service, before?.spec, context);
  return errors.length > 0 ? errors : allocateNodePorts(spec, before?.spec, context);
}

/** Returns the errors in addresses and families that do not depend on the cluster. */
function addressFieldErrors(spec: ServiceSpec): FieldError[] {
  const { ipFamilies = [], ipFamilyPolicy } = spec;
  return [
    ...firstAddressErrors(spec),
    ...ipFamilies.flatMap((family, index) => oneOf(family, ["IPv4", "IPv6"], `spec.ipFamilies[${index}]`)),
    ...(ipFamilyPolicy ? oneOf(ipFamilyPolicy, policies, "spec.ipFamilyPolicy") : []),
    ...(spec.clusterIPs ?? []).flatMap((address, index) =>
      address === "None" && index === 0 ? [] : addressErrors(address, `spec.clusterIPs[${index}]`),
    ),
  ];
}

const policies = ["PreferDualStack", "RequireDualStack", "SingleStack"];

function firstAddressErrors({ clusterIP, clusterIPs = [] }: ServiceSpec): FieldError[] {
  if (clusterIPs.length === 0 || clusterIPs[0] === clusterIP) return [];
  const detail = clusterIP
    ? "first value must match `clusterIP`"
    : "must be empty when `clusterIP` is not specified";
  return [invalid("spec.clusterIPs", clusterIPs, detail)];
}

/**
 * Returns the errors in the families of a cluster with IPv4 only. A headless Service without a selector may have any
 * family.
 */
function familyErrors({
  ipFamilies = [],
  ipFamilyPolicy,
  clusterIPs = [],
  ...spec
}: ServiceSpec): FieldError[] {
  const [address = ""] = clusterIPs;
  if (ipFamilies.length === 0 && isIP(address) === 6)
    return [invalid("spec.clusterIPs[0]", clusterIPs, "IPv6 is not configured on this cluster")];
  if (isHeadlessWithoutSelector(spec)) return [];
  const detail = "this cluster is not configured for dual-stack services";
  return [
    ...(ipFamilyPolicy === "RequireDualStack"
      ? [invalid("spec.ipFamilyPolicy", ipFamilyPolicy, detail)]
      : []),
    ...ipFamilies.flatMap((family, index) =>
      family === "IPv6"
        ? [invalid(`spec.ipFamilies[${index}]`, family, "not configured on this cluster")]
        : [],
    ),
  ];
}

function isHeadlessWithoutSelector({ clusterIP, selector = {} }: ServiceSpec): boolean {
  return clusterIP === "None" && Object.keys(selector).length === 0;
}

/** Sets the families: IPv4, or both for a headless Service without a selector. */
function setFamilies(spec: ServiceSpec): void {
  const both = isHeadlessWithoutSelector(spec);
  spec.ipFamilyPolicy ??= both ? "RequireDualStack" : "SingleStack";
  spec.ipFamilies ??= ["IPv4"];
  const [first] = spec.ipFamilies;
  if (both && spec.ipFamilies.length === 1 && spec.ipFamilyPolicy !== "SingleStack")
    spec.ipFamilies = [...spec.ipFamilies, first === "IPv4" ? "IPv6" : "IPv4"];
}

/** Allocates the cluster IP of a Service that has none yet. Later changes of it are validated elsewhere. */
function allocateAddress(
  service: Service,
  before: ServiceSpec | undefined,
  context: WriteContext,
): FieldError[] {
  const { clusterIP } = service.spec ?? {};
  if (clusterIP === "None" || before?.clusterIP) return [];
  return clusterIP ? allocateRequested(clusterIP, service, context) : allocateAny(service, context);
}

function allocateRequested(
  address: string,
  service: Service,
  { allocate, dryRun }: WriteContext,
): FieldError[] {
  const take = (): string | undefined =>
    allocate.take("clusterIP", address) === undefined
      ? "provided IP is already allocated"
      : missingParentName(address, service, dryRun);
  const problem = isServiceAddress(address) ? take() : outOfRange(address, dryRun);
  return problem
    ? [invalid("spec.clusterIPs", [address], `failed to allocate IP ${address}: ${problem}`)]
    : [];
}

function allocateAny(service: Service, { allocate, dryRun }: WriteContext): FieldError[] {
  const { metadata, spec = {} } = service;
  const address = allocate.take("clusterIP");
  if (address === undefined)
    throw internal(`failed to allocate a serviceIP for Service "${metadata.name}": range is full`);
  const problem = missingParentName(address, service, dryRun);
  if (problem) return [invalid("spec.clusterIPs", [""], `failed to allocate IP: ${problem}`)];
  spec.clusterIP = address;
  spec.clusterIPs = [address];
  return [];
}

/** Returns the error if the Service has no name. The IPAddress object of an address refers to the Service by name. */
function missingParentName(address: string, { metadata }: Service, dryRun: boolean): string | undefined {
  if (metadata.name || dryRun) return undefined;
  return `IPAddress.networking.k8s.io "${address}" is invalid: spec.parentRef.name: Required value`;
}

function outOfRange(address: string, dryRun: boolean): string {
  return dryRun
    ? `the provided IP (${address}) is not in the valid range. The range of valid IPs is ${serviceRange}`
    : "the provided network does not match the current range";
}
