import type { ServicePort, ServiceSpec } from "../../api/types/core/v1.ts";
import { type FieldError, invalid } from "../../schema/index.ts";
import type { WriteContext } from "../resource.ts";
import { internal } from "../status-error.ts";
import { hasNodePorts, isChecked } from "./service-type.ts";

type Taking = Pick<WriteContext, "allocate" | "dryRun">;

/** Gives a Service ports of every node: those it asks for, and others where it asks for none. */
export function takeNodePorts(
  spec: ServiceSpec,
  before: ServiceSpec | undefined,
  context: Taking,
): FieldError[] {
  if (!hasNodePorts(spec)) return [];
  const faults = before ? takeMorePorts(spec, before, context) : takeFirstPorts(spec, context);
  return faults.length > 0 ? faults : takeCheckPort(spec, before, context);
}

/** Ports of one number, which differ in their protocol, share a port of the node. */
function takeFirstPorts(spec: ServiceSpec, context: Taking): FieldError[] {
  const given = new Map<number, number>();
  const ports = spec.ports ?? [];
  const requested = requestedPorts(ports);
  for (const [at, port] of ports.entries()) {
    if (!port.nodePort && !asksForPorts(spec)) continue;
    const shared = given.get(port.port);
    const wanted = port.nodePort || shared || requested.get(port.port);
    const faults = wanted === shared ? [] : takePort(wanted, context, `spec.ports[${at}].nodePort`);
    if (faults.length > 0) return faults;
    port.nodePort = wanted ?? anyPort(context);
    given.set(port.port, shared ?? port.nodePort);
  }
  return [];
}

/** The node port that the first port of a number asks for, by that number. */
function requestedPorts(ports: readonly ServicePort[]): ReadonlyMap<number, number> {
  const requested = new Map<number, number>();
  for (const { port, nodePort } of ports) if (nodePort && !requested.has(port)) requested.set(port, nodePort);
  return requested;
}

/** What the Service had is its own. */
function takeMorePorts(spec: ServiceSpec, before: ServiceSpec, context: Taking): FieldError[] {
  const own = new Set((before.ports ?? []).map(({ nodePort }) => nodePort));
  for (const [at, port] of (spec.ports ?? []).entries()) {
    if (!port.nodePort && !asksForPorts(spec)) continue;
    const wanted = own.has(port.nodePort) ? undefined : port.nodePort;
    const faults = takePort(wanted, context, `spec.ports[${at}].nodePort`);
    if (faults.length > 0) return faults;
    port.nodePort ||= anyPort(context);
    own.add(port.nodePort);
  }
  return [];
}

function takeCheckPort(spec: ServiceSpec, before: ServiceSpec | undefined, context: Taking): FieldError[] {
  if (!isChecked(spec) || (before && isChecked(before))) return [];
  const faults = takePort(spec.healthCheckNodePort, context, "spec.healthCheckNodePort");
  if (faults.length === 0) spec.healthCheckNodePort ||= anyPort(context);
  return faults;
}

function asksForPorts({ type, allocateLoadBalancerNodePorts }: ServiceSpec): boolean {
  return type !== "LoadBalancer" || allocateLoadBalancerNodePorts !== false;
}

function anyPort({ allocate }: Taking): number {
  const port = allocate.take("nodePort");
  if (port === undefined) throw internal("failed to allocate a nodePort: range is full");
  return Number(port);
}

/** None at all is left to be chosen. */
function takePort(port: number | undefined, { allocate, dryRun }: Taking, field: string): FieldError[] {
  if (!port) return [];
  if (!dryRun && (port < 30_000 || port > 32_767)) {
    const detail = "provided port is not in the valid range. The range of valid ports is 30000-32767";
    return [invalid(field, port, detail)];
  }
  const taken = allocate.take("nodePort", String(port));
  return taken === undefined ? [invalid(field, port, "provided port is already allocated")] : [];
}
