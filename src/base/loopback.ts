import { BlockList, isIP } from "node:net";

/**
 * Returns true if `host` is this machine's loopback interface: "localhost", an address of 127.0.0.0/8, or ::1. An IPv6
 * address may stand in brackets, as in a URL. Other names are not resolved.
 */
export function isLoopback(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, "$1");
  const version = isIP(address);
  if (version === 0) return address.toLowerCase() === "localhost";
  return loopback.check(address, version === 4 ? "ipv4" : "ipv6");
}

/** Also matches IPv4 addresses that are written as IPv6: ::ffff:127.0.0.1. */
const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8);
loopback.addAddress("::1", "ipv6");
