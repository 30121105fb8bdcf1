import type { ContainerPort } from "../../api/types/core/v1.ts";

/** A port and where it is declared. */
export type PlacedPort = readonly [port: ContainerPort, place: string];

/** Ports of a Pod, of whichever containers, that get in each other's way. */
export function portWarnings(ports: readonly PlacedPort[]): string[] {
  return [
    ...ports.flatMap((port, index) => [...addressWarning(port), ...overlaps(port, ports.slice(0, index))]),
    ...ports.flatMap((port, index) => namedAgain(port, ports.slice(0, index))),
  ];
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

function overlaps([port, place]: PlacedPort, earlier: readonly PlacedPort[]): string[] {
  return earlier.flatMap(([other, where]) => {
    const how = overlap(port, other);
    return how ? [`${place}: ${how} port definition with ${where}`] : [];
  });
}

/** How two ports are the same to a container, if they are. */
function overlap(port: ContainerPort, other: ContainerPort): string | undefined {
  if (port.containerPort !== other.containerPort || protocolOf(port) !== protocolOf(other)) return undefined;
  const [one = 0, two = 0] = [port.hostPort, other.hostPort];
  const [here = "", there = ""] = [port.hostIP, other.hostIP];
  if (one === two && here === there) return "duplicate";
  if (one === 0 || two === 0) return "overlapping";
  return one === two && (here === "") !== (there === "") ? "dangerously ambiguous" : undefined;
}

function protocolOf({ protocol = "TCP" }: ContainerPort): string {
  return protocol;
}

function namedAgain([{ name }, place]: PlacedPort, earlier: readonly PlacedPort[]): string[] {
  const [, first] = earlier.find(([other]) => name && other.name === name) ?? [];
  if (!first) return [];
  const result = `services and probes that select ports by name will use ${first}`;
  return [`${place}: duplicate port name "${name}" with ${first}, ${result}`];
}
