import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";

/**
 * Returns `count` different ports of 127.0.0.1 that were free a moment ago. They are not reserved: a caller may find a
 * port taken and has to request others.
 */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, listenOnFreePort));
  const ports = servers.map(portOf);
  await Promise.all(servers.map(release));
  return ports;
}

async function listenOnFreePort(): Promise<Server> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

function portOf(server: Server): number {
  // A server that listens on a TCP port has an address of this type.
  return (server.address() as AddressInfo).port;
}

async function release(server: Server): Promise<void> {
  server.close();
  await once(server, "close");
}
