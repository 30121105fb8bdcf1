import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";

/**
 * So many different ports of 127.0.0.1 that nothing listened on a moment ago.
 * Nothing keeps them free: whoever is told one may still find it taken, and has to ask again.
 */
export async function freePorts(count: number): Promise<number[]> {
  const held = await Promise.all(Array.from({ length: count }, hold));
  const ports = held.map(portOf);
  await Promise.all(held.map(release));
  return ports;
}

async function hold(): Promise<Server> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

function portOf(server: Server): number {
  // A server that listens on a TCP port has an address of this shape and no other.
  return (server.address() as AddressInfo).port;
}

async function release(server: Server): Promise<void> {
  server.close();
  await once(server, "close");
}
