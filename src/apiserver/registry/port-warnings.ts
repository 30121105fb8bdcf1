import type { ContainerPort } from "../../api/types/core/v1.ts";
import { firstByKey } from "../repeats.ts";

/** A port and where it is declared. */
export type PlacedPort = readonly [port: ContainerPort, place: string];

/** Ports of a Pod, of whichever containers, that get in each other's way. */
export function portWarnings(ports: readonly PlacedPort[]): string[] {
  const earlier = new EarlierPorts();
  const warnings: string[] = [];
  for (const port of ports) {
    if (warnings.length >= mostWarnings) break;
    warnings.push(...addressWarning(port), ...overlaps(port, earlier.overlapping(port)));
    earlier.add(port);
  }
  const first = firstByKey(ports, ([{ name }]) => name);
  return [...warnings, ...ports.flatMap((port) => namedAgain(port, first.get(port[0].name)))];
}

/** More than the headers of a response can hold. Equal ports have a warning for each pair of them. */
const mostWarnings = 1_000;

/** The ports before one, by what makes ports overlap. */
class EarlierPorts {
  readonly #ports: PlacedPort[] = [];
  /** Indexes in `#ports`, ascending. */
  readonly #indexes = new Map<string, number[]>();

  add(placed: PlacedPort): void {
    const index = this.#ports.push(placed) - 1;
    for (const key of ownKeys(placed[0])) {
      const known = this.#indexes.get(key);
      if (known) known.push(index);
      else this.#indexes.set(key, [index]);
    }
  }

  /** The first ports that overlap with this one, in order. */
  overlapping([port]: PlacedPort): readonly PlacedPort[] {
    const indexes = overlappingKeys(port).flatMap((key) =>
      (this.#indexes.get(key) ?? []).slice(0, mostWarnings),
    );
    const sorted = indexes.sort((one, other) => one - other).slice(0, mostWarnings);
    return sorted.map((index) => this.#ports[index] as PlacedPort); // every index is that of a port
  }
}

/** The keys under which a port is found by others. */
function ownKeys(port: ContainerPort): string[] {
  const { hostPort = 0, hostIP = "" } = port;
  const number = numberOf(port);
  if (hostPort === 0) return [number, `${number} on no host port`];
  const address = `${number} on ${hostPort} of ${hostIP}`;
  return hostIP === "" ? [number, address] : [number, address, `${number} on ${hostPort} of some address`];
}

/** The keys of ports that overlap with this one. */
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

function addressWarning([port, place]: PlacedPort): string[] {
  const { name = "", hostPort = 0, containerPort, protocol = "TCP", hostIP } = port;
  if (!hostIP || hostPort !== 0) return [];
  const parts = [
    `Name:${name}`,
    `HostPort:${hostPort}`,
    `ContainerPort:${containerPort}`,
    `Protocol:${protocol}`,
  ];
  return [`${place}: hostIP set without hostPort: {${parts.join(" ")} HostIP:${hostIP}}`];
}

function overlaps([port, place]: PlacedPort, others: readonly PlacedPort[]): string[] {
  return others.map(([other, where]) => `${place}: ${overlap(port, other)} port definition with ${where}`);
}

/** How two ports of one number overlap. */
function overlap(port: ContainerPort, other: ContainerPort): string {
  const [one = 0, two = 0] = [port.hostPort, other.hostPort];
  const [here = "", there = ""] = [port.hostIP, other.hostIP];
  if (one === two && here === there) return "duplicate";
  return one === 0 || two === 0 ? "overlapping" : "dangerously ambiguous";
}

function namedAgain(
  [{ name }, place]: PlacedPort,
  [, first]: PlacedPort = [{ containerPort: 0 }, ""],
): string[] {
  if (!name || first === place) return [];
  const result = `services and probes that select ports by name will use ${first}`;
  return [`${place}: duplicate port name "${name}" with ${first}, ${result}`];
}
