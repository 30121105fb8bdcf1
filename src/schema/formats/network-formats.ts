import { isIPv6 } from "node:net";

/** Formats of network addresses, as Go's standard library parses them. */

/**
 * Returns true for an IP address with a dot, which includes an IPv6 address that ends in an IPv4 address. Allows
 * leading zeros.
 */
export function isIpv4(text: string): boolean {
  return isDotted(text) || (text.includes(".") && isIpv6(text));
}

function isDotted(text: string): boolean {
  return /^\d+\.\d+\.\d+\.\d+$/.test(text) && text.split(".").every((part) => Number(part) <= 255);
}

export function isIpv6(text: string): boolean {
  return isIPv6(text) && !text.includes("%");
}

export function isCidr(text: string): boolean {
  const [, address = "", bits] = /^([^/]*)\/(\d+)$/.exec(text) ?? [];
  return (isDotted(address) && Number(bits) <= 32) || (isIpv6(address) && Number(bits) <= 128);
}

/** Returns true for 6, 8 or 20 bytes: `01:23:45:67:89:ab`, with dashes, as `0123.4567.89ab`, or without separators. */
export function isMac(text: string): boolean {
  const pairs = /^[0-9a-f]{2}(?:([:-])[0-9a-f]{2}(?:\1[0-9a-f]{2})*)?$/i.test(text);
  const words = /^[0-9a-f]{4}(?:\.[0-9a-f]{4})+$/i.test(text);
  const digits = text.replace(/[:.-]/g, "");
  return (pairs || words || /^[0-9a-f]+$/i.test(text)) && [12, 16, 40].includes(digits.length);
}

const hostCharacter = "[a-zA-Z0-9\\p{S}\\p{L}]";

/**
 * Matches one label, whose only dash may be its second character, or several labels, the last of which has only
 * letters.
 */
const hostnames = new RegExp(
  `^(?:${hostCharacter}(?:-?${hostCharacter}{0,62})?|` +
    `(?:${hostCharacter}(?:[a-zA-Z0-9\\-\\p{S}\\p{L}]{0,61}${hostCharacter})?\\.)+[a-zA-Z\\p{L}]{2,63})$`,
  "u",
);

export function isHostname(text: string): boolean {
  if (Buffer.byteLength(text) > 255) return false;
  return hostnames.test(text) && text.split(".").every((label) => Buffer.byteLength(label) <= 63);
}

const atomCharacter = '[^\\x00-\\x20\\x7f()<>\\[\\]:;@\\\\,."]';
const dotted = `${atomCharacter}+(?:\\.${atomCharacter}+)*`;
const quotedCharacter = '(?:[^"\\\\\\x00-\\x08\\x0a-\\x1f\\x7f]|\\\\[\\x09\\x20-\\x7e])';
const phrase = `(?:${atomCharacter}|"${quotedCharacter}*"|\\([^()]*\\)|[ \\t.])`;
const address = `(?:${dotted}|"${quotedCharacter}+")@(?:${dotted}|\\[[^\\[\\]\\\\\\x00-\\x20]*\\])`;
const mailbox = `[ \\t]*(?:${address}|${phrase}*<${address}>)[ \\t]*`;
const emails = new RegExp(`^(?:${mailbox}|${phrase}+:${mailbox};[ \\t]*)$`);

/**
 * Returns true for an address alone, in angle brackets after a name, or alone in a group, with optional comments after
 * it.
 */
export function isEmail(text: string): boolean {
  if (text.length > 1024) return false;
  let rest = text;
  for (let before = ""; rest !== before; ) {
    before = rest;
    rest = rest.replace(/\([^()]*\)[ \t]*$/, "").replace(/(\([^()]*)\([^()]*\)/, "$1");
  }
  return emails.test(rest);
}

/** Returns true for a valid request target: an absolute URI, or an absolute path. */
export function isUri(text: string): boolean {
  if (text === "" || Array.from(text).some(isControl)) return false;
  const [, scheme = "", rest = text] = /^([a-z][a-z0-9+.-]*):(.*)$/is.exec(text) ?? [];
  if (!rest.startsWith("/")) return scheme !== "" || text === "*";
  const [, authority = "", path = rest] = (scheme !== "" && /^\/\/([^/?]*)(.*)$/s.exec(rest)) || [];
  return isAuthority(authority) && hasGoodEscapes(path.split("?")[0] ?? "");
}

function isControl(character: string): boolean {
  return character < " " || character === "\x7f";
}

function hasGoodEscapes(text: string): boolean {
  return !/%(?![0-9a-f]{2})/i.test(text);
}

/** Returns true for an optional user, a host and an optional port: `user:secret@example.com:80`, `[::1]:80`. */
function isAuthority(text: string): boolean {
  const at = text.lastIndexOf("@");
  const user = at < 0 ? "" : text.slice(0, at);
  return /^[\w.\-:~!$&'()*+,;=%@]*$/.test(user) && hasGoodEscapes(user) && isHost(text.slice(at + 1));
}

/**
 * Returns true for a valid host. Brackets allow only an IPv6 address with an optional zone. An escape may encode `%` or
 * non-ASCII.
 */
function isHost(text: string): boolean {
  const [, inside, zone] = /^\[([^\]%]*)(%25[^\]]+)?\](?::\d*)?$/.exec(text) ?? [];
  if (text.includes("[")) return inside !== undefined && isIPv6(inside) && zone !== "%25";
  return /^(?:[\w.\-~!$&'()*+,;=<>"\]]|\P{ASCII}|%25|%[89a-f][0-9a-f])*(?::\d*)?$/iu.test(text);
}
