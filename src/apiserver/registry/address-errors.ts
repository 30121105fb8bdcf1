import { BlockList, isIP, isIPv4 } from "node:net";
import { type FieldError, invalid } from "../../schema/index.ts";

export function addressErrors(address: string, field: string): FieldError[] {
  return isIP(address) === 0 ? [invalid(field, address, invalidAddress)] : [];
}

const invalidAddress = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";

/** Ranges of addresses that are valid on one machine only, with the message for each. */
const localRanges: ReadonlyArray<readonly [detail: string, nets: readonly string[]]> = [
  ["may not be unspecified (0.0.0.0 or ::)", ["0.0.0.0/32", "::/128"]],
  ["may not be in the loopback range (127.0.0.0/8, ::1/128)", ["127.0.0.0/8", "::1/128"]],
  ["may not be in the link-local range (169.254.0.0/16, fe80::/10)", ["169.254.0.0/16", "fe80::/10"]],
  ["may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)", ["224.0.0.0/24", "ff02::/16"]],
];

/** Returns an error for each range that endpoint addresses must not be in. */
export function endpointAddressErrors(address: string, field: string): FieldError[] {
  return localRanges
    .filter(([, nets]) => isInAny(address, nets))
    .map(([detail]) => invalid(field, address, detail));
}

export function cidrErrors(cidr: string, field: string): FieldError[] {
  const net = netOf(cidr);
  if (!net) return [invalid(field, cidr, "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)")];
  return hasNoHostBits(net) ? [] : [invalid(field, cidr, "must not have bits set beyond the prefix length")];
}

/** Returns true if a range is a strict subset of another. */
export function isStrictSubset(cidr: string, outer: string): boolean {
  const net = netOf(cidr);
  const outerNet = netOf(outer);
  if (!net || !outerNet || isIPv4(net.address) !== isIPv4(outerNet.address)) return false;
  return net.length > outerNet.length && isInAny(net.address, [outer]);
}

interface Net {
  readonly address: string;
  readonly length: number;
}

function netOf(cidr: string): Net | undefined {
  const [, address = "", length = ""] = /^([^/]+)\/(\d{1,3})$/.exec(cidr) ?? [];
  const maxLength = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return length !== "" && Number(length) <= maxLength ? { address, length: Number(length) } : undefined;
}

/** Returns true if no bits are set beyond the prefix length. It checks IPv4 only. */
function hasNoHostBits({ address, length }: Net): boolean {
  if (!isIPv4(address)) return true;
  const bits = address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
  return bits % 2 ** (32 - length) === 0;
}

function isInAny(address: string, nets: readonly string[]): boolean {
  const list = new BlockList();
  for (const net of nets.map(netOf)) {
    if (net) list.addSubnet(net.address, net.length, isIPv4(net.address) ? "ipv4" : "ipv6");
  }
  return isIP(address) !== 0 && list.check(address, isIPv4(address) ? "ipv4" : "ipv6");
}
