import type { ContainerPort } from "../../api/types/core/v1.ts";
import { firstByKey } from "../validation/repeats.ts";

/** A port and its path. */
export type PortWithPath = readonly [port: ContainerPort, path: string];

/** Returns the warnings for ports of a Pod that overlap, across all containers. */
export function portWarnings(ports: readonly PortWithPath[]): string[] {
  const earlier = new EarlierPorts();
  const warnings: string[] = [];
  for (const port of ports) {
    if (warnings.length >= maxWarnings) break;
    warnings.push(...addressWarning(port), ...overlapWarnings(port, earlier.overlapping(port)));
    earlier.add(port);
  }
  const firstByName = firstByKey(ports, ([{ name }]) => name);
  return [...warnings, ...ports.flatMap((port) => duplicateNameWarning(port, firstByName.get(port[0].name)))];
}

/**
 * A limit above the number of warnings that the headers of a response can hold. Each pair of equal ports has a warning.
 */
const maxWarnings = 1_000;

/** The preceding ports, indexed by the values that make ports overlap. */
class EarlierPorts {
  readonly #ports: PortWithPath[] = [];
  /** Ascending indexes in `#ports` by key. */
  readonly #indexes = new Map<string, number[]>();

  add(entry: PortWithPath): void {
    const index = this.#ports.push(entry) - 1;
    for (const key of indexKeys(entry[0])) {
      const existing = this.#indexes.get(key);
      if (existing) existing.push(index);
      else this.#indexes.set(key, [index]);
    }
  }

  /** Returns the first ports that overlap with this one, in order. */
  overlapping([port]: PortWithPath): readonly PortWithPath[] {
    const indexes = overlappingKeys(port).flatMap((key) =>
      (this.#indexes.get(key) ?? []).slice(0, maxWarnings),
    );
    const sorted = indexes.sort((one, other) => one - other).slice(0, maxWarnings);
    return sorted.map((index) => this.#ports[index] as PortWithPath); // every index is that of a port
  }
}

/** Returns the keys under which a port is indexed. */
function indexKeys(port: ContainerPort): string[] {
  const { hostPort = 0, hostIP = "" } = port;
  const number = numberOf(port);
  if (hostPort === 0) return [number, `${number} on no host port`];
  const address = `${number} on ${hostPort} of ${hostIP}`;
  return hostIP === "" ? [number, address] : [number, address, `${number} on ${hostPort} of some address`];
}

/** Returns the keys of the ports that overlap with this one. */
function overlappingKeys(port: ContainerPort): string[] {
  const { hostPort = 0, hostIP = "" } = port;
  const number = numberOf(port);
  if (hostPort === 0) return [number];
  const ambiguous = `${number} on ${hostPort} of ${hostIP === "" ? "some address" : ""}`;
  return [`${number} on no host port`, `${number} on ${hostPort} of ${hostIP}`, ambiguous];
}

function numberOf({ containerPort, protocol = "TCP" }: ContainerPort): string {
  return `${protocol} ${containerPort}`;
}

function addressWarning([port, path]: PortWithPath): string[] {
  const { name = "", hostPort = 0, containerPort, protocol = "TCP", hostIP } = port;
  if (!hostIP || hostPort !== 0) return [];
  const parts = [
    `Name:${name}`,
    `HostPort:${hostPort}`,
    `ContainerPort:${containerPort}`,
    `Protocol:${protocol}`,
  ];
  return [`${path}: hostIP set without hostPort: {${parts.join(" ")} HostIP:${hostIP}}`];
}

function overlapWarnings([port, path]: PortWithPath, others: readonly PortWithPath[]): string[] {
  return others.map(
    ([other, otherPath]) => `${path}: ${overlapKind(port, other)} port definition with ${otherPath}`,
  );
}

/** Returns how two ports with the same number overlap. */
function overlapKind(port: ContainerPort, other: ContainerPort): string {
  const [hostPort = 0, otherHostPort = 0] = [port.hostPort, other.hostPort];
  const [hostIP = "", otherHostIP = ""] = [port.hostIP, other.hostIP];
  if (hostPort === otherHostPort && hostIP === otherHostIP) return "duplicate";
  return hostPort === 0 || otherHostPort === 0 ? "overlapping" : "dangerously ambiguous";
}

function duplicateNameWarning(
  [{ name }, path]: PortWithPath,
  [, firstByName]: PortWithPath = [{ containerPort: 0 }, ""],
): string[] {
  if (!name || firstByName === path) return [];
  const result = `services and probes that select ports by name will use ${firstByName}`;
  return [`${path}: duplicate port name "${name}" with ${firstByName}, ${result}`];
}
