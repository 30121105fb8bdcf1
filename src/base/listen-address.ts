import type { AddressInfo, Server } from "node:net";

/** The address on which a server listens. */
export interface ListenAddress {
  /** An IP address: "127.0.0.1", or "::" or "0.0.0.0" for all addresses. */
  readonly host: string;
  readonly port: number;
}

/** Returns the address of a TCP server, or `undefined` if it does not listen. */
export function listenAddress(server: Pick<Server, "address">): ListenAddress | undefined {
  const found = server.address() as AddressInfo | null; // a string only for pipes
  return found ? { host: found.address, port: found.port } : undefined;
}
