import type { ServicePort, ServiceSpec } from "../../api/types/core/v1.ts";
import { type FieldError, invalid } from "../../schema/index.ts";
import type { WriteContext } from "../types/resource.ts";
import { internal } from "../types/status-error.ts";
import { hasNodePorts, needsHealthCheckPort } from "./service-type.ts";

type AllocationContext = Pick<WriteContext, "allocate" | "dryRun">;

/** Allocates the node ports of a Service: the requested ones, and free ones for ports without a request. */
export function allocateNodePorts(
  spec: ServiceSpec,
  before: ServiceSpec | undefined,
  context: AllocationContext,
): FieldError[] {
  if (!hasNodePorts(spec)) return [];
  const errors = before ? allocateAddedPorts(spec, before, context) : allocateInitialPorts(spec, context);
  return errors.length > 0 ? errors : allocateHealthCheckPort(spec, before, context);
}

/** Allocates the node ports of a new Service. Ports with the same number and different protocols share a node port. */
function allocateInitialPorts(spec: ServiceSpec, context: AllocationContext): FieldError[] {
  const allocated = new Map<number, number>();
  const ports = spec.ports ?? [];
  const requested = requestedPorts(ports);
  for (const [index, port] of ports.entries()) {
    if (!port.nodePort && !needsNodePorts(spec)) continue;
    const shared = allocated.get(port.port);
    const requestedPort = port.nodePort || shared || requested.get(port.port);
    const errors =
      requestedPort === shared
        ? []
        : allocateRequestedPort(requestedPort, context, `spec.ports[${index}].nodePort`);
    if (errors.length > 0) return errors;
    port.nodePort = requestedPort ?? allocateAnyPort(context);
    allocated.set(port.port, shared ?? port.nodePort);
  }
  return [];
}

/** Returns the first requested node port of each port number. */
function requestedPorts(ports: readonly ServicePort[]): ReadonlyMap<number, number> {
  const requested = new Map<number, number>();
  for (const { port, nodePort } of ports) if (nodePort && !requested.has(port)) requested.set(port, nodePort);
  return requested;
}

/** Allocates the node ports of an updated Service. It keeps the ports that it has. */
function allocateAddedPorts(
  spec: ServiceSpec,
  before: ServiceSpec,
  context: AllocationContext,
): FieldError[] {
  const ownPorts = new Set((before.ports ?? []).map(({ nodePort }) => nodePort));
  for (const [index, port] of (spec.ports ?? []).entries()) {
    if (!port.nodePort && !needsNodePorts(spec)) continue;
    const requestedPort = ownPorts.has(port.nodePort) ? undefined : port.nodePort;
    const errors = allocateRequestedPort(requestedPort, context, `spec.ports[${index}].nodePort`);
    if (errors.length > 0) return errors;
    port.nodePort ||= allocateAnyPort(context);
    ownPorts.add(port.nodePort);
  }
  return [];
}

function allocateHealthCheckPort(
  spec: ServiceSpec,
  before: ServiceSpec | undefined,
  context: AllocationContext,
): FieldError[] {
  if (!needsHealthCheckPort(spec) || (before && needsHealthCheckPort(before))) return [];
  const errors = allocateRequestedPort(spec.healthCheckNodePort, context, "spec.healthCheckNodePort");
  if (errors.length === 0) spec.healthCheckNodePort ||= allocateAnyPort(context);
  return errors;
}

function needsNodePorts({ type, allocateLoadBalancerNodePorts }: ServiceSpec): boolean {
  return type !== "LoadBalancer" || allocateLoadBalancerNodePorts !== false;
}

function allocateAnyPort({ allocate }: AllocationContext): number {
  const port = allocate.take("nodePort");
  if (port === undefined) throw internal("failed to allocate a nodePort: range is full");
  return Number(port);
}

/** Allocates a requested port. Without a request it does nothing. */
function allocateRequestedPort(
  port: number | undefined,
  { allocate, dryRun }: AllocationContext,
  field: string,
): FieldError[] {
  if (!port) return [];
  if (!dryRun && (port < 30_000 || port > 32_767)) {
    const detail = "provided port is not in the valid range. The range of valid ports is 30000-32767";
    return [invalid(field, port, detail)];
  }
  const result = allocate.take("nodePort", String(port));
  return result === undefined ? [invalid(field, port, "provided port is already allocated")] : [];
}
