import { BlockList, isIP } from "node:net";
import { domainToASCII } from "node:url";
import { isLoopback } from "../../base/index.ts";

/**
 * Returns true if requests to `server` bypass the proxy, by the rules of Go's `net/http`: for loopback, and if an entry
 * of the comma-separated `noProxy` matches. An entry is
 *
 * - `*`, which matches every server;
 * - an address (`10.0.0.1`) or a range of addresses (`10.0.0.0/8`), for servers with an IP address as host;
 * - a domain: `example.com` matches itself and its subdomains, `.example.com` and `*.example.com` only the subdomains.
 *
 * An address or a domain may end in a port (`example.com:6443`, `[::1]:6443`), which then has to match as well.
 */
export function bypassesProxy(server: URL, noProxy: string): boolean {
  const host = server.hostname.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  if (isLoopback(host)) return true;
  const port = server.port || (server.protocol === "https:" ? "443" : "80");
  return noProxy.split(",").some((entry) => matches(entry.trim().toLowerCase(), { host, port }));
}

interface HostAndPort {
  readonly host: string;
  /** Empty if an entry matches every port. */
  readonly port: string;
}

function matches(text: string, server: HostAndPort): boolean {
  if (text === "*") return true;
  const [, network = "", prefix = ""] = /^(.+)\/(\d{1,3})$/.exec(text) ?? [];
  if (isIP(network)) return isInRange(server.host, network, Number(prefix));
  const entry = splitPort(text);
  if (entry.host === "" || (entry.port !== "" && entry.port !== server.port)) return false;
  const bits = isIP(entry.host) === 4 ? 32 : 128;
  return isIP(entry.host) ? isInRange(server.host, entry.host, bits) : isInDomain(server.host, entry.host);
}

/**
 * Splits an entry into host and port. An entry without a port, such as an IPv6 address without brackets, is only a
 * host.
 */
function splitPort(text: string): HostAndPort {
  const [, bracketed, plain, port = ""] = /^(?:\[([^[\]]*)\]|([^:[\]]*)):([^:]*)$/.exec(text) ?? [];
  return { host: bracketed ?? plain ?? text, port };
}

function isInRange(host: string, network: string, prefix: number): boolean {
  const range = new BlockList();
  const isV4 = isIP(network) === 4;
  if (isIP(host) === 0 || prefix > (isV4 ? 32 : 128)) return false;
  range.addSubnet(network, prefix, isV4 ? "ipv4" : "ipv6");
  return range.check(host, isIP(host) === 4 ? "ipv4" : "ipv6");
}

function isInDomain(host: string, entry: string): boolean {
  const [, subdomainsOnly, name = ""] = /^(\*?\.)?(.*)$/.exec(entry) ?? [];
  const domain = /\P{ASCII}/u.test(name) ? domainToASCII(name) : name;
  return host.endsWith(`.${domain}`) || (subdomainsOnly === undefined && host === domain);
}
